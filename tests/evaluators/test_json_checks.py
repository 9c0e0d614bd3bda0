"""The checks of JSON."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.is_json import IsJSON
from ringtrue.evaluators.json_equals import JSONEquals
from ringtrue.evaluators.json_schema import JSONSchemaEval
from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Case, Output, Trial
from support.json_texts import COLUMNS

FENCED = '```json\n{"a": 1}\n```'
INTEGER_A = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


@pytest.mark.parametrize(
    ("check", "text", "expected", "value"),
    [
        (IsJSON(), '{"a": 1}', None, 1.0),
        (IsJSON(), '"x"', None, 1.0),
        (IsJSON(), "NaN", None, 0.0),
        (IsJSON(), "", None, 0.0),
        (IsJSON(), FENCED, None, 0.0),
        (IsJSON(fences=True), FENCED, None, 1.0),
        (IsJSON(fences=True), "{}", None, 1.0),
        (IsJSON(), "[" * 100_000, None, 0.0),
        (JSONEquals(), '{"b": 2, "a": 1.0}', ('{"a": 1, "b": 2}',), 1.0),
        (JSONEquals(), "true", ("1",), 0.0),
        (JSONEquals(), "[1, 2]", ("[2, 1]",), 0.0),
        (JSONEquals(), "2", ("1", "2"), 1.0),
        (JSONEquals(), "2", ("not json", "2"), 1.0),
        (JSONEquals(), "not json", ("2",), 0.0),
        (JSONEquals(), FENCED, ('{"a": 1}',), 0.0),
        (JSONEquals(fences=True), FENCED, ('{"a": 1}',), 1.0),
        (JSONEquals(ignore_keys=["id"]), '{"a": {"id": 1}}', ('{"a": {}, "id": 2}',), 1.0),
        (JSONEquals(), "123456789012345678901", ("123456789012345678902",), 0.0),
        (JSONEquals(), "1", None, None),
        (JSONEquals(), "1", ("Paris",), None),
        (JSONSchemaEval(INTEGER_A), '{"a": 1}', None, 1.0),
        (JSONSchemaEval(INTEGER_A), ' {"a": 1.0}\n', None, 1.0),
        (JSONSchemaEval(INTEGER_A), '{"a": "1"}', None, 0.0),
        (JSONSchemaEval(INTEGER_A), "{}", None, 0.0),
        (JSONSchemaEval(INTEGER_A), "no json", None, 0.0),
        (JSONSchemaEval({"type": "number", "maximum": 1}), "NaN", None, 0.0),
        (JSONSchemaEval(True), "[" * 3_000, None, 0.0),
        (JSONSchemaEval({"type": "integer"}), "1" * 5_000, None, 1.0),
        (JSONSchemaEval({"type": "integer"}), "1" * 90_000, None, 0.0),
        (JSONSchemaEval(INTEGER_A), FENCED, None, 0.0),
        (JSONSchemaEval(INTEGER_A, fences=True), FENCED, None, 1.0),
        (JSONSchemaEval({"format": "date"}), '"2020-99-99"', None, 1.0),
        (JSONSchemaEval({"format": "date"}, formats=True), '"2020-99-99"', None, 0.0),
        (JSONSchemaEval({"$ref": "https://x.org/a"}, remotes={"https://x.org/a": {"type": "null"}}), "null", None, 1.0),
        (JSONSchemaEval({"$ref": "https://x.org/a"}, remotes={"https://x.org/a": {"type": "null"}}), "1", None, 0.0),
        (JSONSchemaEval({"prefixItems": [False]}, draft="draft7"), "[1]", None, 1.0),
        (JSONSchemaEval(False), "1", None, 0.0),
    ],
)
def test_values(check: TextCheck, text: str, expected: tuple[str, ...] | None, value: float | None) -> None:
    (result,) = check.measure_texts([text], [expected])
    assert result.value == value
    assert result.passed is (None if value is None else value == 1.0)
    assert value == 1.0 or result.reason


@pytest.mark.parametrize("check", [IsJSON(), JSONEquals(), JSONSchemaEval({"type": "object"})])
def test_repeated_keys_are_noted(check: TextCheck) -> None:
    (result,) = check.measure_texts(['{"a": 1, "a": 2}'], [('{"a": 2}',)])
    assert (result.value, result.metadata["duplicate_keys"]) == (1.0, ("a",))


def test_the_errors_are_reported_with_their_paths() -> None:
    (result,) = JSONSchemaEval(INTEGER_A).measure_texts(['{"a": "x", "b": 1, "b": 2}'], [None])
    assert result.reason == '$["a"]: "x" is not of type "integer"'
    assert [error["path"] for error in result.metadata["errors"]] == ['$["a"]']
    assert result.metadata["duplicate_keys"] == ("b",)


def test_a_limit_is_not_called_a_mistake() -> None:
    (result,) = JSONSchemaEval(True).measure_texts(["[" * 10_000 + "]" * 10_000], [None])
    assert "nested more than 500 levels" in result.reason


@pytest.mark.parametrize(
    ("make", "parameter"),
    [
        (lambda: JSONSchemaEval({"type": "intger"}), "schema"),
        (lambda: JSONSchemaEval('{"type": "integer"}'), "schema"),  # type: ignore[arg-type]
        (lambda: JSONSchemaEval({"$ref": "https://example.org/x"}), "remotes"),
        (lambda: JSONSchemaEval({}, remotes=["x"]), "remotes"),  # type: ignore[arg-type]
        (lambda: JSONSchemaEval({}, draft="7"), "draft"),  # type: ignore[arg-type]
        (lambda: JSONEquals(ignore_keys="id"), "ignore_keys"),  # type: ignore[arg-type]
        (lambda: JSONEquals(ignore_keys=[1]), "ignore_keys"),  # type: ignore[list-item]
    ],
)
def test_a_broken_setting_raises_in_the_constructor(make: Any, parameter: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        make()
    assert caught.value.parameter == parameter


def test_a_schema_with_remotes_travels_between_processes() -> None:
    check = JSONSchemaEval({"$ref": "https://x.org/a"}, remotes={"https://x.org/a": {"type": "null"}}, name="mine")
    copy = pickle.loads(pickle.dumps(check))
    assert copy == check
    assert copy.measure_texts(["null"], [None])[0].passed


SCHEMAS: list[Any] = [
    True,
    {"type": ["number", "array"], "items": {"type": ["integer", "string"]}},
    {"$ref": "#/$defs/value", "$defs": {"value": {"minLength": 3, "items": {"$ref": "#/$defs/value"}}}},
    {"maxItems": 2, "items": {"$ref": "#"}},
]


@given(COLUMNS, st.sampled_from(SCHEMAS), st.booleans())
def test_a_column_of_json_is_scored_as_its_cells(texts: list[str], schema: Any, fences: bool) -> None:
    check = JSONSchemaEval(schema, fences=fences)
    assert check.measure_texts(texts, [None] * len(texts)) == [
        check.measure(Trial(Case(), Output(text))) for text in texts
    ]


def test_a_long_column_is_scored_as_its_cells() -> None:
    kinds = ['{"a": %d}', '{"a": "%d"}', '{"a": %d, "a": 1}', '{"a": %d.50}', "Sure! %d", '{\n  "a": %d\n}']
    texts = [kinds[number % 97 % len(kinds) if number % 700 > 350 else 0] % number for number in range(3_000)]
    check = JSONSchemaEval(INTEGER_A)
    assert check.measure_texts(texts, [None] * len(texts)) == [
        check.measure(Trial(Case(), Output(text))) for text in texts
    ]
