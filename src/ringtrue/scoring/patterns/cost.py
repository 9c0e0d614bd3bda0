"""The work that a backtracking engine can be made to do: an upper bound read off a pattern's parse tree.

The bound is a power law: searching n characters takes at most `constant * n ** degree` steps. It is crude on purpose:
it does not know which characters an item matches, so it may call a harmless pattern dangerous, never the reverse.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from re import _constants as ops  # type: ignore[attr-defined]
from typing import Any, TypeAlias

Node: TypeAlias = tuple[Any, Any]
"""An operation of `re`'s parse tree and its argument."""

_SINGLE = {ops.LITERAL, ops.NOT_LITERAL, ops.ANY, ops.IN, ops.AT, ops.FAILURE, ops.CATEGORY}
REPEATS = {ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT}


@dataclass(frozen=True, slots=True)
class PowerBound:
    """`constant * n ** degree`, the constant infinite where no power of n is a bound."""

    constant: float
    degree: int = 0

    def __add__(self, other: PowerBound) -> PowerBound:
        return PowerBound(self.constant + other.constant, max(self.degree, other.degree))

    def __mul__(self, other: PowerBound) -> PowerBound:
        return PowerBound(self.constant * other.constant, self.degree + other.degree)

    def largest(self, budget: float) -> float:
        """The largest n whose bound stays within the budget."""
        if self.constant > budget:
            return 0.0
        return (budget / self.constant) ** (1 / self.degree) if self.degree else inf


_ONE = PowerBound(1.0)
_LENGTH = PowerBound(1.0, 1)
_ENDLESS = PowerBound(inf)
_MAX_DEGREE = 20


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of matching at one position: the steps until it fails for good, and the ways to succeed before."""

    steps: PowerBound
    ways: PowerBound


_STEP = Cost(_ONE, _ONE)


def search_cost(tree: Any, flags: int) -> PowerBound:
    """The most steps a search with this parse tree can take, as a power of the text's length."""
    nodes = list(tree)
    steps = _sequence(_without_free_tail(nodes)).steps
    return steps + _LENGTH if _is_anchored(nodes, flags) else steps * _LENGTH


def _without_free_tail(nodes: list[Node]) -> list[Node]:
    # A repeat at the very end cannot fail once its minimum is there: the search ends, each character being read once.
    if not nodes:
        return nodes
    op, argument = nodes[-1]
    if op is ops.SUBPATTERN:
        group, add, remove, body = argument
        return [*nodes[:-1], (op, (group, add, remove, _without_free_tail(list(body))))]
    if op in REPEATS and _sequence(argument[2]).ways == _ONE and not _sequence(argument[2]).steps.degree:
        low, _, body = argument
        return [*nodes[:-1], (op, (low, low, body))]
    return nodes


def _is_anchored(nodes: list[Node], flags: int) -> bool:
    # A pattern that can only match at the start of the text is tried in earnest once.
    if not nodes:
        return False
    op, argument = nodes[0]
    if op is ops.AT:
        multiline = flags & ops.SRE_FLAG_MULTILINE
        return argument is ops.AT_BEGINNING_STRING or (argument is ops.AT_BEGINNING and not multiline)
    if op is ops.SUBPATTERN:
        _, add, remove, body = argument
        return _is_anchored(list(body), (flags | add) & ~remove)
    if op is ops.ATOMIC_GROUP:
        return _is_anchored(list(argument), flags)
    if op is ops.BRANCH:
        return all(_is_anchored(list(branch), flags) for branch in argument[1])
    return False


def _sequence(nodes: Any) -> Cost:
    steps, ways = PowerBound(0.0), _ONE
    for node in nodes:
        cost = _cost(node)
        steps, ways = steps + ways * cost.steps, ways * cost.ways
        if ways.degree > _MAX_DEGREE or steps.constant == inf:
            return Cost(_ENDLESS, _ENDLESS)
    return Cost(steps + _ONE, ways)


def _cost(node: Node) -> Cost:
    op, argument = node
    if op in _SINGLE:
        return _STEP
    if op is ops.SUBPATTERN:
        return _sequence(argument[3])
    if op is ops.BRANCH:
        return _either([_sequence(branch) for branch in argument[1]])
    if op in REPEATS:
        cost = _repeat(*argument)
        return Cost(cost.steps, _ONE) if op is ops.POSSESSIVE_REPEAT else cost
    if op is ops.ATOMIC_GROUP:
        return Cost(_sequence(argument).steps, _ONE)
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        return Cost(_sequence(argument[1]).steps, _ONE)
    if op is ops.GROUPREF:
        return Cost(_LENGTH, _ONE)
    if op is ops.GROUPREF_EXISTS:
        return _either([_sequence(argument[1]), _sequence(argument[2] or ())])
    return Cost(_ENDLESS, _ENDLESS)


def _either(costs: list[Cost]) -> Cost:
    steps, ways = _ONE, PowerBound(0.0)
    for cost in costs:
        steps, ways = steps + cost.steps, ways + cost.ways
    return Cost(steps, ways)


def _repeat(low: int, high: int, body: Any) -> Cost:
    once = _sequence(body)
    if once.ways == _ONE:
        # A body that matches in one way only: as many ways as there are counts.
        count = _LENGTH if high is ops.MAXREPEAT else PowerBound(max(1.0, high))
        return Cost(count * once.steps + _ONE, _LENGTH if high is ops.MAXREPEAT else PowerBound(high - low + 1.0))
    if high is ops.MAXREPEAT or high > _MAX_DEGREE:
        return Cost(_ENDLESS, _ENDLESS)
    steps, ways = _ONE, _ONE
    for _ in range(high):
        steps, ways = steps + ways * once.steps, ways * once.ways + _ONE
    return Cost(steps, ways)
