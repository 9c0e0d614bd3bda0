"""JSON Schema: every verdict of the official test suite, and an end to every check."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ringtrue.errors import ConfigurationError
from ringtrue.jsontext_reader import JsonReading, read_json
from ringtrue.scoring.json_values.json_schema import MAX_ERRORS, SchemaChecker
from ringtrue.scoring.json_values.schema_shape import depth, is_costly, is_recursive
from support.golden import golden

REMOTES = {row["uri"]: row["document"] for row in golden("json_schema_remotes")}
TREE = {
    "$ref": "#/$defs/term",
    "$defs": {
        "term": {
            "oneOf": [
                {"type": "integer"},
                *(
                    {
                        "properties": {"op": {"const": name}, "args": {"items": {"$ref": "#/$defs/term"}}},
                        "type": "object",
                    }
                    for name in ("and", "or", "not")
                ),
            ]
        }
    },
}


def verdict(checker: SchemaChecker, text: str) -> bool:
    return checker.accepts(read_json(text), len(text))


def errors(checker: SchemaChecker, text: str) -> list[dict[str, Any]]:
    return checker.errors(read_json(text), len(text))


def test_the_official_suite() -> None:
    rows = golden("json_schema")
    wrong = []
    for row in rows:
        checker = SchemaChecker(row["input"]["schema"], row["draft"], REMOTES)
        text = json.dumps(row["input"]["instance"])
        valid = verdict(checker, text)
        if valid is not row["expected"]["valid"]:
            wrong.append(row["id"])
        if not valid:
            assert 1 <= len(errors(checker, text)) <= MAX_ERRORS
    assert len(rows) >= 744
    assert wrong == []


def test_many_values_are_accepted_where_each_is() -> None:
    """One schema of arrays says what the schema says of each item, wherever its references lead."""
    checkers: dict[str, tuple[SchemaChecker, list[Any]]] = {}
    for row in golden("json_schema"):
        for remotes in (REMOTES, {}):
            schema, draft = row["input"]["schema"], row["draft"]
            try:
                checker = SchemaChecker(schema, draft, remotes)
            except ConfigurationError:
                continue
            found = checkers.setdefault(json.dumps([schema, draft, bool(remotes)]), (checker, []))
            reading = read_json(json.dumps(row["input"]["instance"]))
            if not reading.wide_numbers:
                found[1].append(reading.value)
    for checker, values in checkers.values():
        accepts = checker.accepts_plain
        if accepts is None:
            continue
        right = [value for value in values if accepts(value)]
        assert checker.accepts_all(right), checker.schema
        assert not any(checker.accepts_all([*right, value]) for value in values if not accepts(value)), checker.schema


@pytest.mark.parametrize(
    ("schema", "value", "accepted"),
    [
        ({"items": {"$ref": "#"}, "maxItems": 1}, [[1]], True),
        ({"items": {"$ref": "#"}, "maxItems": 1}, [[1, 2]], False),
        ({"$ref": "#/definitions/a", "definitions": {"a": {"type": "null"}}}, None, True),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}}}, 1, False),
        ({"$id": "https://x.org/a", "$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}}}, None, True),
        ({"properties": {"$ref": {"type": "null"}}}, {"$ref": 1}, False),
        ({"properties": {"id": {"type": "null"}}}, {"id": None}, True),
        ({"$ref": "#/properties/a", "properties": {"a": {"type": "object"}}}, {"a": {}}, True),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "prefixItems": [False]}, [1], True),
        (
            {
                "$schema": "http://json-schema.org/draft-04/schema#",
                "id": "http://x.org/a",
                "properties": {"b": {"id": "http://x.org/b", "$ref": "#/definitions/c"}},
                "definitions": {"c": {"type": "null"}},
            },
            {"b": None},
            True,
        ),
        (False, 1, False),
    ],
)
def test_a_schema_says_the_same_of_many(schema: Any, value: Any, accepted: bool) -> None:
    checker = SchemaChecker(schema)
    assert checker.accepts(JsonReading(value), 10) is accepted
    assert checker.accepts_all([value] * 3) is accepted


def test_a_dialect_that_knows_no_items_checks_many_values_one_by_one() -> None:
    vocabulary = {"https://json-schema.org/draft/2020-12/vocab/validation": True}
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:d", "$vocabulary": vocabulary}
    checker = SchemaChecker({"$schema": "urn:d", "type": "integer"}, remotes={"urn:d": dialect})
    assert not checker.accepts_all(["x"])


@pytest.mark.parametrize(
    ("schema", "text", "valid"),
    [
        ({"maximum": 10**30}, str(10**30), True),
        ({"maximum": 10**30}, str(10**30 + 1), False),
        ({"multipleOf": 7}, str(7 * 10**30), True),
        ({"multipleOf": 7}, str(7 * 10**30 + 1), False),
        ({"const": 10**30}, str(10**30 + 1), False),
        ({"const": 10**30}, "1e30", True),
        ({"const": 9007199254740993}, "9007199254740992.0", False),
        ({"exclusiveMinimum": 9007199254740992}, "9007199254740993", True),
        ({"uniqueItems": True}, f"[{2**64}, {2**64 + 1}]", True),
        ({"uniqueItems": True}, f"[{2**64}, {2**64}]", False),
        ({"uniqueItems": True}, "[1, true]", True),
        ({"uniqueItems": True}, "[1, 1.0]", False),
        ({"type": "integer"}, "1.0", True),
        ({"type": "integer"}, "1e400", True),
        ({"type": "integer"}, "1" * 9_000, True),
        ({"type": "integer"}, "1.5", False),
        ({"type": "integer"}, "true", False),
        ({"exclusiveMinimum": 0}, "1e-400", True),
        ({"multipleOf": 0.01}, "19.99", True),
        ({"pattern": r"^\p{L}+$"}, '"été"', True),
        ({"format": "date"}, '"2020-99-99"', True),
        (True, "1", True),
        (False, "1", False),
    ],
)
def test_numbers_are_exact(schema: Any, text: str, valid: bool) -> None:
    assert verdict(SchemaChecker(schema), text) is valid


def test_the_draft_is_the_one_schema_names() -> None:
    schema = {"prefixItems": [{"type": "string"}]}
    assert not verdict(SchemaChecker(schema), "[1]")
    assert verdict(SchemaChecker(schema, "draft7"), "[1]")
    assert verdict(SchemaChecker({"$schema": "http://json-schema.org/draft-07/schema#", **schema}), "[1]")
    assert not verdict(
        SchemaChecker({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, "draft7"), "[1]"
    )


def test_formats_are_asserted_on_request() -> None:
    assert not verdict(SchemaChecker({"format": "date"}, formats=True), '"2020-99-99"')
    assert verdict(SchemaChecker({"format": "date"}, formats=True), '"2020-12-31"')


def test_errors_have_paths() -> None:
    schema = {"properties": {"a b": {"items": {"type": "string"}}}, "required": ["c"]}
    found = {(error["path"], error["keyword"]) for error in errors(SchemaChecker(schema), '{"a b": ["x", 1]}')}
    assert found == {("$", "required"), ('$["a b"][1]', "type")}


def test_a_schema_that_changes_later_does_not_matter() -> None:
    schema = {"type": "integer"}
    checker = SchemaChecker(schema)
    schema["type"] = "string"
    assert verdict(checker, "1")
    assert checker.schema == {"type": "integer"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"schema": {"type": "intger"}}, "intger"),
        ({"schema": {"pattern": "("}}, "regex"),
        ({"schema": {"properties": {"a": {"minimum": "1"}}}}, r'$["properties"]["a"]["minimum"]'),
        ({"schema": {"$ref": "#/$defs/absent"}}, "absent"),
        ({"schema": {"$ref": "https://example.org/x.json"}}, "remotes={'https://example.org/x.json'"),
        ({"schema": {"$ref": "other.json"}}, "remotes={'other.json'"),
        ({"schema": {"items": {"$ref": "file:///etc/passwd"}}}, "ringtrue fetches nothing"),
        ({"schema": {"$schema": "https://example.org/dialect"}}, "https://example.org/dialect"),
        ({"schema": {"$schema": "http://json-schema.org/draft-03/schema#"}}, "draft-03"),
        ({"schema": "{}"}, "json.loads()"),
        ({"schema": []}, "list"),
        ({"schema": None}, "NoneType"),
        ({"schema": {"maximum": float("nan")}}, "not JSON"),
        ({"schema": {"enum": [object()]}}, "not JSON"),
        ({"schema": {1: 2}}, "keys must be strings"),
        ({"schema": {}, "draft": "draft3"}, "'draft7'"),
        ({"schema": {}, "remotes": {"x": 1}}, "remotes['x']"),
    ],
)
def test_a_broken_schema_is_a_configuration_error(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        SchemaChecker(**settings)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": "^(a+)+$"}, "a" * 40 + "!"),
        ({"pattern": r"(?=(a*))\1*b"}, "a" * 90_000),
        ({"pattern": r"^((?!.*foo).)*x$"}, "a" * 90_000),
        ({"items": {"pattern": r"^(?=(x+x+)+y)"}}, ["x" * 40] * 2_000),
        ({"patternProperties": {r"^(?=(x+x+)+y)": {}}, "additionalProperties": False}, {"x" * 40: 1}),
        ({"items": {"type": "string"}}, [0] * 45_000),
        ({"oneOf": [{"items": {"type": "string"}}, {"items": {"type": "null"}}] * 10}, [0] * 20_000),
        ({"uniqueItems": True}, [10**30 + number for number in range(3_000)]),
    ],
    ids=lambda item: str(item)[:40],
)
def test_costly_schemas_come_to_an_end(schema: Any, value: Any) -> None:
    checker = SchemaChecker(schema)
    text = json.dumps(value)
    assert not verdict(checker, text)
    assert errors(checker, text)


@pytest.mark.parametrize("levels", [1, 3, 12, 200])
def test_recursive_schemas_come_to_an_end(levels: int) -> None:
    checker = SchemaChecker(TREE)
    right: Any = 1
    wrong: Any = "x"
    for _ in range(levels):
        right, wrong = {"op": "and", "args": [right]}, {"op": "xor", "args": [wrong]}
    assert verdict(checker, json.dumps(right))
    assert not verdict(checker, json.dumps(wrong))
    assert errors(checker, json.dumps(wrong))


def test_a_harmless_lookaround_reads_long_texts() -> None:
    assert verdict(SchemaChecker({"pattern": "^((?!foo).)*$"}), json.dumps("a" * 100_000))


@pytest.mark.parametrize(
    ("schema", "recursive"),
    [
        ({}, False),
        (True, False),
        (TREE, True),
        ({"items": {"$ref": "#"}}, True),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, False),
        ({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"items": {"$ref": "#/$defs/a~1b"}}}}, True),
        ({"allOf": [{"$ref": "#/$defs/a"}] * 2, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {}}}, False),
        ({"$dynamicRef": "#x"}, True),
        ({"$ref": "https://example.org/x.json"}, True),
    ],
)
def test_recursion_is_seen(schema: Any, recursive: bool) -> None:
    assert is_recursive(schema) is recursive


@pytest.mark.parametrize(
    ("pattern", "costly"),
    [
        ("^(a+)+$", False),
        (r"(a)\1", True),
        (r"(?<x>a)\k<x>", True),
        (r"\\1", False),
        (r"[\1]", False),
        ("^(?!foo)", False),
        ("^((?!foo).)*$", False),
        ("^(?=.*a)", True),
        ("(?<!a+)b", True),
        ("(?=[*+])", False),
        ("(?:a)*", False),
        (")", False),
        ("\\", False),
    ],
)
def test_costly_patterns_are_seen(pattern: str, costly: bool) -> None:
    assert is_costly(pattern) is costly


@pytest.mark.parametrize(("value", "levels"), [(1, 0), ([], 0), ([1], 1), ({"a": [[1]]}, 3), ([[[[[[1]]]]]], 4)])
def test_depth_is_counted_no_further_than_asked(value: Any, levels: int) -> None:
    assert depth(value, 4) == levels
