"""Equations and inequalities: what value they state, and whether two of them say the same."""

from __future__ import annotations

from ringtrue.scoring.maths.evaluate import proportion
from ringtrue.scoring.maths.tree import (
    SCALARS,
    Add,
    Answer,
    Group,
    Listing,
    Multiply,
    Negative,
    Number,
    Relation,
    Scalar,
    Symbol,
    Words,
    symbols,
)

_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def is_equation(answer: Answer) -> bool:
    """Whether an answer is a chain of equals signs."""
    return isinstance(answer, Relation) and set(answer.operators) == {"="}


def is_inequality(answer: Answer) -> bool:
    """Whether an answer bounds something."""
    return isinstance(answer, Relation) and not {"=", "in"}.issuperset(answer.operators)


def value_of(relation: Relation) -> Answer:
    """The value that an equation or a membership states: its last member, or the other one where that is the name.

    An expression in variables that equals zero states no value: it is the equation of something.
    """
    first, last = relation.members[0], relation.members[-1]
    if isinstance(last, Symbol) and not isinstance(first, Symbol):
        return first
    implicit = isinstance(first, SCALARS) and not is_label(first) and not names(first)
    return relation if implicit and isinstance(last, Number) and not last.value else last


def values_of(relation: Relation) -> tuple[Answer, ...]:
    """The value an equation states, and the exact one in front of it where the last one is a decimal: 1/3 = 0.33."""
    value = value_of(relation)
    if isinstance(value, Relation):
        return ()
    before = relation.members[-2]
    exact = isinstance(value, Number) and value.places and isinstance(before, SCALARS) and not symbols(before)
    return (value, before) if exact else (value,)


def names(side: Answer) -> str:
    """The name a left-hand side gives to what follows: `x`, `f(x)` as `f()`, words; an expression gives none."""
    match side:
        case Symbol(name=name):
            return name
        case Multiply(factors=(Symbol(name=name), *rest)) if all(not isinstance(each, Multiply) for each in rest):
            return f"{name}()"
        case Words(text=text):
            return text
        case Group(items=items) if all(isinstance(item, Symbol) for item in items):
            return ",".join(item.name for item in items if isinstance(item, Symbol))
    return ""


def is_label(side: Answer) -> bool:
    """Whether a left-hand side only says what the value is called, or is a sum that has been worked out."""
    if isinstance(side, Words | Group):
        return True
    if not isinstance(side, SCALARS):
        return False
    return names(side).endswith("()") or not symbols(side)


def is_named(relation: Relation) -> bool:
    """Whether a relation gives a name to a value, as `x = 5`, `5 = x`, `f(x) = 5`, `2 + 3 = 5` and `x in S` do."""
    first, last = relation.members[0], relation.members[-1]
    return bool(names(first)) or is_label(first) or isinstance(last, Symbol)


def assignments(listing: Listing) -> tuple[tuple[str, Answer], ...] | None:
    """The names and values of a list such as `x = 1, y = 2` or `x = 2, -2`; None where it is not such a list."""
    found: list[tuple[str, Answer]] = []
    for item in listing.items:
        if isinstance(item, Relation):
            if not is_equation(item) or not names(item.members[0]):
                return None
            found.append((names(item.members[0]), item.members[-1]))
        elif found:
            found.append((found[-1][0], item))
        else:
            return None
    return tuple(found)


def same_equation(one: Relation, other: Relation) -> bool:
    """Whether the differences of the sides of two equations are multiples of one another."""
    first, second = _difference(one), _difference(other)
    return first is not None and second is not None and proportion(first, second) != 0


def same_inequality(one: Relation, other: Relation) -> bool:
    """Whether two inequalities with one sign each say the same after moving everything to one side."""
    first, second = _difference(one), _difference(other)
    if first is None or second is None:
        return False
    sign = proportion(first, second)
    operator = other.operators[0]
    return sign != 0 and one.operators[0] == (operator if sign > 0 else _TURNED.get(operator, operator))


def _difference(relation: Relation) -> Scalar | None:
    left, right = relation.members[0], relation.members[-1]
    if len(relation.members) != 2 or not isinstance(left, SCALARS) or not isinstance(right, SCALARS):
        return None
    return Add((left, Negative(right)))
