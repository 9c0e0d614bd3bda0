"""JSON is read as RFC 8259 writes it, exactly, and reading never raises."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.jsontext_reader import (
    MAX_DEPTH,
    MAX_DIGITS,
    NOT_AS_WRITTEN,
    as_written,
    read_json,
    written_blocks,
)
from ringtrue.scoring.json_values.equality import same_json
from ringtrue.scoring.programs.fences import fenced_block, unfenced_text
from support.json_texts import COLUMNS

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)
BLANKS = st.text(" \t\n\r", max_size=2)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-0", 0),
        ("1.0", 1.0),
        ("1e5", 100000.0),
        (" \n[1, 2]\t", [1, 2]),
        ('"\\u00e9"', "é"),
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\u0000"', "\x00"),
        ('"\x7f\u2028"', "\x7f\u2028"),
        ('"NaN"', "NaN"),
        ("18446744073709551615", 2**64 - 1),
        ("18446744073709551616", 2**64),
        ("-9223372036854775809", -(2**63) - 1),
        ('{"a": 123456789012345678901234567890}', {"a": 123456789012345678901234567890}),
        ("9" * 4_000, 10**4_000 - 1),
        ("1" + "0" * 5_000, Decimal("1E+5000")),
        ("1e400", Decimal("1e400")),
        ("-1E400", Decimal("-1e400")),
        ("1e-400", Decimal("1e-400")),
        ("0.1000000000000000000000001", Decimal("0.1000000000000000000000001")),
        ("0.3000000000000000000000000", 0.3),
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, json.loads("[" * MAX_DEPTH + "]" * MAX_DEPTH)),
    ],
    ids=lambda item: str(item)[:30],
)
def test_values(text: str, value: Any) -> None:
    reading = read_json(text)
    assert reading.problem == ""
    assert reading.value == value
    assert isinstance(reading.value, type(value))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("NaN", "NaN is not a JSON value"),
        ('{"a": Infinity}', "Infinity is not a JSON value"),
        ("[-Infinity]", "-Infinity is not a JSON value"),
        ("nan", "not JSON"),
        ("[1,]", "not JSON"),
        ('{"a":1,}', "not JSON"),
        ("{'a': 1}", "not JSON"),
        ("01", "not JSON"),
        ("1.", "not JSON"),
        (".5", "not JSON"),
        ("+1", "not JSON"),
        ("0x10", "not JSON"),
        ("1_000", "not JSON"),
        ("1 2", "not JSON"),
        ("tru", "not JSON"),
        ("True", "not JSON"),
        ("// x\n1", "not JSON"),
        ('"a', "unterminated string"),
        ('"\x00"', "control character"),
        ('"a\nb"', "control character"),
        ("\ufeff{}", "BOM"),
        ("\u00a01", "not JSON"),
        ('"\\ud800"', "lone surrogate"),
        ('{"\\udc00": 1e400}', "lone surrogate"),
        ('"\ud800"', "lone surrogate"),
        ('Sure! {"a": 1}', "not JSON"),
        ('```json\n{"a": 1}\n```', "not JSON"),
        ("[" * 501 + "]" * 501, "500 levels"),
        ("[" * 10_000 + "]" * 10_000, "500 levels"),
        ('{"a":' * 20_000, "500 levels"),
        ("[1e400," + "[" * 100_000, "500 levels"),
        ("9" * (MAX_DIGITS + 1), "10,001 digits"),
        ("0." + "1" * 100_000, "10,000"),
        ("1e999999999", "10,000"),
        ("1e99999999999999999999", "10,000"),
        ("-1e-999999999", "10,000"),
    ],
    ids=lambda item: str(item)[:30],
)
def test_problems(text: str, problem: str) -> None:
    reading = read_json(text)
    assert reading.value is None
    assert problem in reading.problem


def test_brackets_in_strings_are_not_levels() -> None:
    text = json.dumps(["[{" * 5_000, '\\"[['])
    assert read_json(text).value == json.loads(text)


@pytest.mark.parametrize(
    ("text", "duplicates"),
    [
        ('{"a": 1, "a": 2}', ("a",)),
        ('{"a" : 1, "a":2}', ("a",)),
        ('{"a":1,\n"\\u0061":2}', ("a",)),
        ('{"a":{"b":1,"b":2,"c":{}},"d":[{"e":1,"e":1}]}', ("b", "e")),
        ('{"a":"\\":","a":1}', ("a",)),
        ('{"a":"x\\u0022:","b":1,"b":1}', ("b",)),
        ('{"":1,"":1,"x":"y"}', ("",)),
        ('["\\":", {"a":1}]', ()),
        ('{"a": 10.50, "b": "x\\": y"}', ()),
        ('{"a": {"a": {"a": 1}}}', ()),
        ("{" + ",".join(f'"{n}":1,"{n}":2' for n in range(30)) + "}", tuple(str(n) for n in range(20))),
    ],
)
def test_repeated_keys_are_noticed_and_the_last_counts(text: str, duplicates: tuple[str, ...]) -> None:
    reading = read_json(text)
    assert reading.duplicates == duplicates
    assert reading.value == json.loads(text)


@given(VALUES, st.sampled_from([None, 0, 1, 2, 4]), st.booleans())
def test_what_is_written_is_read(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    reading = read_json(text)
    assert reading.problem == ""
    assert reading.duplicates == ()
    assert same_json(reading.value, value)


@given(VALUES)
def test_a_wide_number_elsewhere_changes_nothing(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    alone, beside = read_json(text), read_json(f"[{text}, {10**30}]")
    if not alone.problem:
        assert beside.value == [alone.value, 10**30]
        assert repr(beside.value[0]) == repr(alone.value)


KEYS = {'"a"': "a", '"\\u0061"': "a", '"b"': "b", '"c\\":"': 'c":', '"é"': "é", '""': ""}
"""Keys as they are written, and what they say."""


@given(st.lists(st.tuples(st.sampled_from(sorted(KEYS)), BLANKS, VALUES), max_size=5), BLANKS)
def test_keys_are_counted_however_they_are_written(pairs: list[tuple[str, str, Any]], blank: str) -> None:
    entries = [f"{key}{gap}:{json.dumps(value)}" for key, gap, value in pairs]
    reading = read_json("{" + blank + f",{blank}".join(entries) + "}")
    keys = [KEYS[key] for key, _, _ in pairs]
    assert reading.problem == ""
    assert set(reading.duplicates) == {key for key in keys if keys.count(key) > 1}


@given(
    st.text(alphabet=st.characters(), max_size=50) | st.text('{}[]":,\\u0d8 \n1e-+.truefalsn', max_size=40),
    st.booleans(),
)
@settings(max_examples=300)
def test_reading_never_raises(text: str, fences: bool) -> None:
    reading = read_json(unfenced_text(text) if fences else text)
    assert bool(reading.problem) <= (reading.value is None)


@given(st.text('{}[]":,\\ \n1e-+.tn0', max_size=30))
def test_python_reads_what_is_accepted(text: str) -> None:
    reading = read_json(text)
    if not reading.problem:
        assert same_json(reading.value, json.loads(text))


def values_of_blocks(texts: list[str]) -> list[Any]:
    """What the blocks say, text by text where they leave it to `as_written`."""
    found = []
    for block, values in written_blocks(texts):
        assert values is None or len(values) == len(block)
        assert NOT_AS_WRITTEN not in (values or ())
        found += zip(block, map(as_written, block) if values is None else values, strict=True)
    assert [text for text, _ in found] == texts
    return [value for _, value in found]


@given(COLUMNS)
@settings(max_examples=300)
def test_a_text_says_the_same_whatever_is_beside_it(texts: list[str]) -> None:
    assert repr(values_of_blocks(texts)) == repr(list(map(as_written, texts)))


@pytest.mark.parametrize(
    "texts",
    [
        ["1", "2"],
        ["1,2,3", "[4", "5]"],
        ["1,0,2", "3"],
        ["1", "2,0,3"],
        ["1,\t0,2", "3"],
        ["[1", "2]"],
        ["[1", "2]", "3,0,4"],
        ['{"a":[1', "2]}", "3"],
        ['"a', 'b"'],
        ['"a', "b", 'c"'],
        ['"a\\', 'b"'],
        ['"a b"', '"ab"'],
        ['"a\tb"', "1"],
        ["\t1", "2"],
        ["1\t", "\n2 "],
        ["1 2", "12"],
        ["1", "", "2"],
        ["", ""],
        [" ", "1"],
        ["1,", "2"],
        ["1", ",2"],
        ["]", "["],
        ["1]", "[2"],
        ["1],[2", "3"],
        ["\ufeff1", "2"],
        ["1", "\ufeff2"],
        ['"\ud800"', "1"],
        ["1", "2 // two"],
        ["1", "NaN"],
        ["1", "1e400"],
        ["1", "10.50"],
        ["1", "12345678901234567890123"],
        ['{"a":1,"a":1}', '{"a":1}'],
        ['{"a":1}', '{"a":1,"a":2}'],
        ["[" * 254 + "]" * 254, "1"],
        ["[" * 255 + "]" * 255, "1"],
        ["[" * 253, "]" * 253],
        ["9" * 20_000, "1"],
        ["1"] * 1_000,
        ["1", "no"] * 500,
        ["1"] * 300 + ["no"] * 300 + ["1"] * 300,
        ["[" + "1," * 3_000 + "1]", "1"] * 200,
        [f'"{number}"' for number in range(300)] + ["1.50"],
    ],
    ids=lambda texts: f"{len(texts)}: {texts[:3]}"[:40].encode("ascii", "backslashreplace").decode(),
)
def test_blocks_are_read_as_their_texts(texts: list[str]) -> None:
    assert repr(values_of_blocks(texts)) == repr(list(map(as_written, texts)))


def test_texts_as_they_are_written_are_read_in_blocks() -> None:
    texts = [json.dumps({"a": [number, "b c"]}, indent=number % 5 or None) for number in range(1_000)]
    blocks = list(written_blocks(texts))
    assert all(values is not None for _, values in blocks)
    assert len(blocks) < 20


@pytest.mark.parametrize("text", ["no", "1.50", '"\\u00e9"', "[" * 300])
def test_few_blocks_are_tried_in_vain(text: str) -> None:
    blocks = list(written_blocks([text] * 10_000))
    assert len(blocks) < 10_000 / 100
    assert all(values is None for _, values in blocks)


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('```json\n{"a": 1}\n```', '{"a": 1}'),
        ("```\n[1]\n```", "[1]"),
        ("~~~json\n1\n~~~", "1"),
        ("Here it is:\n\n```json\n1\n```\nBye.", "1"),
        ("```json\r\n1\r\n```\r\n", "1\r"),
        ("  ```\n1\n  ```", "1"),
        ("````\n```\n1\n````", "```\n1"),
        ("```json\n1", "1"),
        ('```{"a": 1}```', '{"a": 1}'),
        ('```json {"a": 1}```', '{"a": 1}'),
        ("```1```", "1"),
        ('```json\n{"a": "```"}\n```', '{"a": "```"}'),
        ("```\n1\n```\n```\n2\n```", "1"),
        ("```\n```", ""),
        ('{"a": "```"}', None),
        ("no fence", None),
        ("``\n1\n``", None),
        ("", None),
    ],
)
def test_fences(text: str, inside: str | None) -> None:
    assert fenced_block(text) == inside


def test_fences_are_an_option() -> None:
    assert read_json(unfenced_text("```\n1\n```")).value == 1
    assert read_json(unfenced_text("1")).value == 1
    assert read_json("```\n1\n```").problem


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (10**30, Decimal("1e30"), True),
        (2**53 + 1, float(2**53), False),
        (True, 1, False),
        (False, 0, False),
        (None, False, False),
        ("1", 1, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1.0}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ([True], [1], False),
        ([], {}, False),
        ({"a": [{"b": [True]}]}, {"a": [{"b": [1]}]}, False),
    ],
)
def test_equality(left: Any, right: Any, same: bool) -> None:
    assert same_json(left, right) is same
    assert same_json(right, left) is same


def test_ignored_keys_are_ignored_everywhere() -> None:
    assert same_json({"id": 1, "a": [{"id": 2, "b": 3}]}, {"a": [{"b": 3}]}, {"id"})
    assert not same_json({"id": 1, "a": 1}, {"a": 2}, {"id"})


@given(VALUES)
def test_a_value_equals_itself(value: Any) -> None:
    assert same_json(value, json.loads(json.dumps(value)))
