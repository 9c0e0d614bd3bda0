"""Values cross as copies of themselves, and reading them never does anything else."""

from __future__ import annotations

import datetime
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.sandbox.exam.channel import decode, encode
from ringtrue.sandbox.exam.wire import is_namedtuple, merge, pack, packed_namedtuple, unpack


def refuse(*given: object) -> Any:
    raise LookupError(given)


def crossed(value: Any) -> Any:
    return unpack(decode(encode(pack(value, refuse))), refuse)


keys = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.binary(), st.tuples(st.integers(), st.text()))
atoms = st.one_of(
    keys,
    st.integers(min_value=-(2**200), max_value=2**200),
    st.floats(allow_nan=False),
    st.complex_numbers(allow_nan=False),
    st.decimals(allow_nan=False),
    st.fractions(),
    st.dates(),
    st.datetimes(),
    st.times(),
    st.timedeltas(),
    st.builds(range, st.integers(-9, 9), st.integers(-9, 9), st.sampled_from([-2, -1, 1, 2])),
    st.text(st.characters(categories=["Cs", "Lu"])),
)
values = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner),
        st.lists(inner).map(tuple),
        st.dictionaries(keys, inner),
        st.sets(keys),
        st.frozensets(keys),
        st.lists(inner).map(deque),
        st.binary().map(bytearray),
    ),
    max_leaves=20,
)


@given(values)
def test_a_plain_value_comes_back_equal_and_of_its_type(value: Any) -> None:
    back = crossed(value)
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(float("inf"), float("inf"), id="infinity"),
        pytest.param(OrderedDict(a=1), {"a": 1}, id="ordered_dict"),
        pytest.param(defaultdict(int, a=1), {"a": 1}, id="defaultdict"),
        pytest.param(Counter("aab"), {"a": 2, "b": 1}, id="counter"),
        pytest.param(deque([1], 3), deque([1], 3), id="bounded_deque"),
        pytest.param(..., ..., id="ellipsis"),
        pytest.param([[], [[]]], [[], [[]]], id="nested"),
        pytest.param({(1, 2): {3}}, {(1, 2): {3}}, id="keys"),
        pytest.param(Decimal("1.50"), Decimal("1.50"), id="decimal"),
        pytest.param(Fraction(1, 3), Fraction(1, 3), id="fraction"),
        pytest.param(datetime.timedelta(days=-1), datetime.timedelta(days=-1), id="timedelta"),
        pytest.param([2**63, -(2**70), 3**40_000], [2**63, -(2**70), 3**40_000], id="large_integers"),
    ],
)
def test_kinds_of_standard_types_cross_as_their_contents(value: Any, expected: Any) -> None:
    assert crossed(value) == expected


def test_a_named_tuple_keeps_its_fields() -> None:
    point = namedtuple("Point", "x y")(1, 2)
    assert is_namedtuple(type(point))
    back = unpack(decode(encode(packed_namedtuple(point, refuse))), refuse)
    assert back == (1, 2)
    assert (back.x, back.y) == (1, 2)


trees = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                [
                    "tuple",
                    "set",
                    "dict",
                    "deque",
                    "namedtuple",
                    "int",
                    "range",
                    "complex",
                    "bytes",
                    "type",
                    "decimal.Decimal",
                    "mine",
                ]
            ),
            inner,
            max_size=2,
        ),
    ),
)


@given(trees)
def test_any_tree_is_read_as_plain_data_or_not_at_all(tree: Any) -> None:
    try:
        value = unpack(tree, refuse)
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, OverflowError):
        return
    waiting = [value]
    while waiting:
        item = waiting.pop()
        assert type(item).__module__ in ("builtins", "collections", "decimal", "ringtrue.sandbox.exam.wire"), item
        if isinstance(item, (list, tuple, set, frozenset, deque)):
            waiting.extend(item)
        elif isinstance(item, dict):
            waiting.extend([*item, *item.values()])


@given(values, values)
def test_merging_gives_a_mutable_value_the_other_ones_contents(old: Any, new: Any) -> None:
    if type(old) is type(new) and isinstance(old, (list, dict, set, bytearray, deque)):
        merge(old, new)
        assert old == new


def test_merging_keeps_objects_that_others_may_hold() -> None:
    inner = [1]
    outer = [inner, 2]
    merge(outer, [[1, 5], 3])
    assert outer == [[1, 5], 3]
    assert outer[0] is inner
