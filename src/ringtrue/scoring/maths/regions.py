"""Sets of real numbers: intervals, inequalities, unions, all as a sorted list of disjoint intervals."""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import NamedTuple, TypeAlias

from ringtrue.scoring.maths.arithmetic.elementary import CONTEXT
from ringtrue.scoring.maths.evaluate import real_value
from ringtrue.scoring.maths.limits import Unreadable
from ringtrue.scoring.maths.tree import (
    SCALARS,
    Answer,
    Builder,
    Combination,
    Constant,
    FiniteSet,
    Group,
    Listing,
    Negative,
    Relation,
    Symbol,
    symbols,
)
from ringtrue.scoring.maths.vocabulary import REALS

_INFINITY = Decimal("Infinity")
_BLUR = Decimal("1e-40")
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}


class Interval(NamedTuple):
    """All numbers from `low` to `high`; a closed end belongs to it."""

    low: Decimal
    low_closed: bool
    high: Decimal
    high_closed: bool


Region: TypeAlias = tuple[Interval, ...]
EVERYTHING: Region = (Interval(-_INFINITY, False, _INFINITY, False),)


def region_of(answer: Answer) -> Region:
    """The set of reals an answer describes; Unreadable where it describes none."""
    with localcontext(CONTEXT):
        return _region(answer)


def variables(answer: Answer) -> frozenset[str]:
    """The names of the variables that the inequalities and memberships of an answer bound."""
    if isinstance(answer, Listing):
        return frozenset[str]().union(*(variables(item) for item in answer.items))
    if not isinstance(answer, Relation):
        return frozenset()
    scalars = [member for member in answer.members if isinstance(member, SCALARS)]
    return frozenset(name for member in scalars for name in symbols(member) if name != REALS)


def same_region(one: Region, other: Region) -> bool:
    """Whether two sets have the same intervals."""
    with localcontext(CONTEXT):
        return len(one) == len(other) and all(
            _meet(a.low, b.low)
            and _meet(a.high, b.high)
            and a.low_closed == b.low_closed
            and a.high_closed == b.high_closed
            for a, b in zip(one, other, strict=True)
        )


def _region(answer: Answer) -> Region:
    match answer:
        case Group(opening="(" | "[" as opening, items=(low, high), closing=")" | "]" as closing):
            return _normal([Interval(_end(low), opening == "[", _end(high), closing == "]")])
        case FiniteSet(items=items):
            return _normal([Interval(_end(item), True, _end(item), True) for item in items])
        case Symbol(name=name) if name == REALS:
            return EVERYTHING
        case Combination(operator="union", left=left, right=right):
            return _normal([*_region(left), *_region(right)])
        case Combination(operator="intersection", left=left, right=right):
            return _both(_region(left), _region(right))
        case Combination(operator="difference", left=left, right=right):
            return _both(_region(left), _complement(_region(right)))
        case Builder(condition=condition):
            return _region(condition)
        case Listing(items=items, joint=joint):
            regions = [_region(item) for item in items]
            total = regions[0]
            for region in regions[1:]:
                total = _both(total, region) if joint == "and" else _normal([*total, *region])
            return total
        case Relation():
            return _relation(answer)
    raise Unreadable("this is not a set of real numbers")


def _relation(relation: Relation) -> Region:
    members, operators = relation.members, relation.operators
    if operators == ("in",) and isinstance(members[0], Symbol):
        return _region(members[1])
    total = EVERYTHING
    for left, operator, right in zip(members, operators, members[1:], strict=False):
        if isinstance(left, Symbol):
            total = _both(total, _half(operator, _end(right)))
        elif isinstance(right, Symbol) and operator in _MIRRORED:
            total = _both(total, _half(_MIRRORED[operator], _end(left)))
        else:
            raise Unreadable("an inequality bounds one variable")
    return total


def _half(operator: str, bound: Decimal) -> Region:
    match operator:
        case "<" | "<=":
            return _normal([Interval(-_INFINITY, False, bound, operator == "<=")])
        case ">" | ">=":
            return _normal([Interval(bound, operator == ">=", _INFINITY, False)])
        case "=":
            return _normal([Interval(bound, True, bound, True)])
        case "!=":
            return _complement(_normal([Interval(bound, True, bound, True)]))
    raise Unreadable(f"{operator!r} bounds nothing")


def _end(answer: Answer) -> Decimal:
    if not isinstance(answer, SCALARS):
        raise Unreadable("the end of an interval is a number")
    match answer:
        case Constant(name="infinity"):
            return _INFINITY
        case Negative(operand=Constant(name="infinity")):
            return -_INFINITY
    value = real_value(answer)
    if value is None:
        raise Unreadable("the end of an interval is not a real number")
    return value


def _meet(one: Decimal, other: Decimal) -> bool:
    if one == other:
        return True
    return one.is_finite() and other.is_finite() and abs(one - other) <= _BLUR * max(Decimal(1), abs(one), abs(other))


def _normal(intervals: list[Interval]) -> Region:
    """The same set as disjoint intervals in order, with infinite ends open."""
    kept: list[Interval] = []
    for low, low_closed, high, high_closed in sorted(intervals, key=lambda each: (each.low, not each.low_closed)):
        each = Interval(low, low_closed and low.is_finite(), high, high_closed and high.is_finite())
        if _meet(low, high):
            if not (each.low_closed and each.high_closed):
                continue
        elif low > high:
            continue
        last = kept[-1] if kept else None
        touching = last is not None and _meet(last.high, low)
        if last is None or not (
            (touching and (last.high_closed or each.low_closed)) or (not touching and low < last.high)
        ):
            kept.append(each)
        else:
            end = max((last.high, last.high_closed), (each.high, each.high_closed))
            kept[-1] = Interval(last.low, last.low_closed, *end)
    return tuple(kept)


def _complement(region: Region) -> Region:
    gaps: list[Interval] = []
    low, closed = -_INFINITY, False
    for each in region:
        gaps.append(Interval(low, closed, each.low, not each.low_closed))
        low, closed = each.high, not each.high_closed
    gaps.append(Interval(low, closed, _INFINITY, False))
    return _normal(gaps)


def _both(one: Region, other: Region) -> Region:
    return _complement(_normal([*_complement(one), *_complement(other)]))
