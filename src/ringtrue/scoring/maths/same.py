"""Whether two answers that have been read are the same answer."""

from __future__ import annotations

from fractions import Fraction

from ringtrue.scoring.maths.evaluate import exact_value, same_value
from ringtrue.scoring.maths.limits import MAX_IRRATIONAL, MAX_ITEMS, Beyond, Unreadable
from ringtrue.scoring.maths.quantities import same_quantity
from ringtrue.scoring.maths.regions import region_of, same_region, variables
from ringtrue.scoring.maths.relations import (
    assignments,
    is_equation,
    is_inequality,
    is_label,
    is_named,
    names,
    same_equation,
    same_inequality,
    value_of,
    values_of,
)
from ringtrue.scoring.maths.settle import plain, settle
from ringtrue.scoring.maths.tree import (
    SCALARS,
    Answer,
    Builder,
    Combination,
    Divide,
    FiniteSet,
    Group,
    Listing,
    Matrix,
    Quantity,
    Ratio,
    Relation,
    Symbol,
    Words,
)
from ringtrue.scoring.maths.vocabulary import REALS

_COUNTED = (*SCALARS, Quantity)


def same(gold: Answer, candidate: Answer, *, loose: bool = False) -> bool:
    """Whether a candidate states what the gold answer states; `loose` says that it calls itself approximate."""
    return gold == candidate or _Comparison(loose).same(gold, candidate)


class _Comparison:
    def __init__(self, loose: bool) -> None:
        self.loose = loose

    def same(self, gold: Answer, candidate: Answer) -> bool:
        gold, candidate = settle(gold), settle(candidate)
        if isinstance(gold, Relation) or isinstance(candidate, Relation):
            return self.same_relation(gold, candidate)
        if isinstance(gold, Words) or isinstance(candidate, Words):
            return isinstance(gold, Words) and isinstance(candidate, Words) and plain(gold) == plain(candidate)
        if _is_region(gold) or _is_region(candidate):
            return self.regional(gold, candidate)
        if isinstance(gold, _COUNTED) and isinstance(candidate, _COUNTED):
            return same_quantity(gold, candidate, loose=self.loose)
        return self.same_structure(gold, candidate)

    # --- structures

    def same_structure(self, gold: Answer, candidate: Answer) -> bool:
        if isinstance(gold, FiniteSet) or isinstance(candidate, FiniteSet):
            return self.same_collection(gold, candidate)
        if isinstance(gold, Ratio) or isinstance(candidate, Ratio):
            return self.ratios(gold, candidate)
        if isinstance(gold, Matrix) and isinstance(candidate, Matrix):
            return len(gold.rows) == len(candidate.rows) and all(
                self.same_in_order(one, other) for one, other in zip(gold.rows, candidate.rows, strict=True)
            )
        if isinstance(gold, Matrix) or isinstance(candidate, Matrix):
            return self.same_in_order(_vector(gold), _vector(candidate))
        if isinstance(gold, Group) and isinstance(candidate, Group):
            return _same_brackets(gold, candidate) and self.same_in_order(gold.items, candidate.items)
        if isinstance(gold, Listing) and isinstance(candidate, Listing):
            return self.listings(gold, candidate)
        if isinstance(gold, Group) or isinstance(candidate, Group):
            group, other = (gold, candidate) if isinstance(gold, Group) else (candidate, gold)
            listed = isinstance(other, Listing) and isinstance(group, Group) and group.opening != "["
            return listed and self.same_in_order(_items(gold), _items(candidate))
        return self.same_collection(gold, candidate)

    def same_collection(self, gold: Answer, candidate: Answer) -> bool:
        """Sets, lists and single answers: to say a thing twice between braces or with `or` is to say it once.

        A list that says it twice has two items.
        """
        ours, theirs = _members(gold), _members(candidate)
        if not any(isinstance(side, Listing) and side.joint != "or" for side in (gold, candidate)):
            return self.same_in_any_order(ours, theirs, distinct=True)
        return self.same_in_any_order(ours, theirs, distinct=False) or self.same_in_any_order(
            self.once(gold), self.once(candidate), distinct=False
        )

    def once(self, answer: Answer) -> tuple[Answer, ...]:
        """The items of a list, and those of a set without repetitions."""
        items = _members(answer)
        if not isinstance(answer, FiniteSet):
            return items
        known = _rational(items)
        if known is not None:
            return tuple(dict(zip(known, items, strict=True)).values())
        _check_size(items)
        return tuple(one for place, one in enumerate(items) if not any(self.same(one, each) for each in items[:place]))

    def listings(self, gold: Listing, candidate: Listing) -> bool:
        one, other = assignments(gold), assignments(candidate)
        if one and other and len({name for name, _ in one}) > 1:
            ours, theirs = dict(one), dict(other)
            return ours.keys() == theirs.keys() and all(self.same(ours[name], theirs[name]) for name in ours)
        return self.same_in_any_order(_items(gold), _items(candidate), distinct=gold.joint == candidate.joint == "or")

    def same_in_order(self, gold: tuple[Answer, ...], candidate: tuple[Answer, ...]) -> bool:
        """The same items in the same places; plus-minus signs in a point stand for one another in order."""
        return len(gold) == len(candidate) > 0 and all(
            self.same(one, other) for one, other in zip(gold, candidate, strict=True)
        )

    def same_in_any_order(self, gold: tuple[Answer, ...], candidate: tuple[Answer, ...], *, distinct: bool) -> bool:
        """The same items in any order; `distinct` lets repetitions pass."""
        ours, theirs = _written_out(gold), _written_out(candidate)
        if not distinct and len(ours) != len(theirs):
            return False
        known = _rational(ours), _rational(theirs)
        if known[0] is not None and known[1] is not None:
            equal = set(known[0]) == set(known[1]) if distinct else sorted(known[0]) == sorted(known[1])
            if equal or max(len(ours), len(theirs)) > MAX_IRRATIONAL:
                return equal
        _check_size(max(ours, theirs, key=len))
        return self.cover_each_other(ours, theirs) if distinct else self.pair_up(ours, theirs)

    def cover_each_other(self, ours: tuple[Answer, ...], theirs: tuple[Answer, ...]) -> bool:
        """Whether every item on either side has its like on the other."""
        return all(any(self.same(one, other) for other in theirs) for one in ours) and all(
            any(self.same(one, other) for one in ours) for other in theirs
        )

    def pair_up(self, ours: tuple[Answer, ...], theirs: tuple[Answer, ...]) -> bool:
        """Whether every item has its own partner on the other side."""
        waiting = list(theirs)
        for one in ours:
            for place, other in enumerate(waiting):
                if self.same(one, other):
                    del waiting[place]
                    break
            else:
                return False
        return True

    def ratios(self, gold: Answer, candidate: Answer) -> bool:
        if isinstance(gold, Ratio) and isinstance(candidate, Ratio):
            if gold.half and candidate.half and gold.half != candidate.half:
                return False
            if gold.clock and candidate.clock:
                return self.same_in_order(gold.terms, candidate.terms)
            pairs = list(zip(gold.terms, candidate.terms, strict=False))
            (first, second), rest = pairs[0], pairs[1:]
            return len(gold.terms) == len(candidate.terms) and all(
                same_value(Divide(one, first), Divide(other, second)) for one, other in rest
            )
        ratio, other = (gold, candidate) if isinstance(gold, Ratio) else (candidate, gold)
        if not isinstance(ratio, Ratio) or len(ratio.terms) != 2 or not isinstance(other, SCALARS):
            return False
        return not ratio.clock and same_value(Divide(*ratio.terms), other)

    # --- relations

    def same_relation(self, gold: Answer, candidate: Answer) -> bool:
        if is_inequality(gold) or is_inequality(candidate):
            return self.regional(gold, candidate)
        if isinstance(gold, Relation) and isinstance(candidate, Relation):
            return self.relations(gold, candidate)
        if isinstance(gold, Relation) and not is_named(gold):
            # The equation of a curve is the answer itself; its right-hand side alone is not.
            return False
        one = value_of(gold) if isinstance(gold, Relation) else gold
        others = values_of(candidate) if isinstance(candidate, Relation) else (candidate,)
        return not isinstance(one, Relation) and any(self.same(one, other) for other in others)

    def relations(self, gold: Relation, candidate: Relation) -> bool:
        ours, theirs = gold.members[0], candidate.members[0]
        if not (is_equation(gold) and is_equation(candidate)):
            return self.same(ours, theirs) and self.same(gold.members[-1], candidate.members[-1])
        if is_label(ours) or is_label(theirs) or (names(ours) and names(ours) == names(theirs)):
            return self.same(value_of(gold), value_of(candidate))
        gold, candidate = _outer(gold), _outer(candidate)
        return same_equation(gold, candidate) or (
            self.same(ours, theirs) and self.same(gold.members[1], candidate.members[1])
        )

    def regional(self, gold: Answer, candidate: Answer) -> bool:
        """Whether two sets of reals are equal, or, where they are none, whether they are put together alike."""
        ours, theirs = variables(gold), variables(candidate)
        if len(ours) > 1 or len(theirs) > 1:
            return self.alike(gold, candidate)
        try:
            return len(ours | theirs) < 2 and same_region(region_of(gold), region_of(candidate))
        except Unreadable:
            return self.alike(gold, candidate)

    def alike(self, gold: Answer, candidate: Answer) -> bool:
        if isinstance(gold, Relation) and isinstance(candidate, Relation):
            return len(gold.operators) == len(candidate.operators) == 1 and same_inequality(gold, candidate)
        if isinstance(gold, Listing) and isinstance(candidate, Listing):
            return gold.joint == candidate.joint and self.pair_up(gold.items, candidate.items)
        if isinstance(gold, Combination) and isinstance(candidate, Combination):
            ours, theirs = (gold.left, gold.right), (candidate.left, candidate.right)
            turned = gold.operator != "difference" and self.same_in_order(ours, theirs[::-1])
            return gold.operator == candidate.operator and (turned or self.same_in_order(ours, theirs))
        return False


def _is_region(answer: Answer) -> bool:
    if isinstance(answer, Listing):
        return any(is_inequality(item) for item in answer.items)
    return isinstance(answer, Combination | Builder) or answer == Symbol(REALS)


def _members(answer: Answer) -> tuple[Answer, ...]:
    """The items of a set or a list; anything else is one itself."""
    return _items(answer) if isinstance(answer, FiniteSet | Listing) else (answer,)


def _items(answer: Answer) -> tuple[Answer, ...]:
    if isinstance(answer, Listing):
        named = assignments(answer)
        return tuple(value for _, value in named) if named else answer.items
    return answer.items if isinstance(answer, Group | FiniteSet) else (answer,)


def _written_out(items: tuple[Answer, ...]) -> tuple[Answer, ...]:
    written: list[Answer] = []
    for item in items:
        item = settle(value_of(item) if is_equation(item) and isinstance(item, Relation) else item)
        written.extend(item.items if isinstance(item, Listing) else (item,))
    if len(written) > MAX_ITEMS:
        raise Beyond(f"the answer has more than {MAX_ITEMS} items")
    return tuple(written)


def _check_size(items: tuple[Answer, ...]) -> None:
    """Raise Beyond if there are more items than can be compared one with another."""
    if len(items) > MAX_IRRATIONAL:
        raise Beyond(f"the answer has more than {MAX_IRRATIONAL} items that are no rational numbers")


def _rational(items: tuple[Answer, ...]) -> list[Fraction] | None:
    """The values of items that are all plain rational numbers and exact, or None."""
    found = []
    for item in items:
        value = exact_value(item) if isinstance(item, SCALARS) else None
        if value is None:
            return None
        found.append(value)
    return found


def _vector(answer: Answer) -> tuple[Answer, ...]:
    """The items of a matrix with one row or one column, or of a point."""
    if isinstance(answer, Matrix):
        if len(answer.rows) == 1:
            return answer.rows[0]
        return tuple(row[0] for row in answer.rows) if len(answer.rows[0]) == 1 else ()
    return answer.items if isinstance(answer, Group | Listing) else ()


def _same_brackets(one: Group, other: Group) -> bool:
    """Brackets of pairs tell intervals from one another; those of longer points are a matter of taste."""
    if len(one.items) != 2:
        return True
    return _round(one) == _round(other)


def _round(group: Group) -> tuple[str, str]:
    return "(" if group.opening == "<" else group.opening, ")" if group.closing == ">" else group.closing


def _outer(relation: Relation) -> Relation:
    """The first and the last member of a chain."""
    return Relation((relation.members[0], relation.members[-1]), ("=",))
