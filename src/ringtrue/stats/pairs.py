"""Match the cases of two sets that are the same case."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Generic, NamedTuple, TypeVar

from ringtrue.identity import digest
from ringtrue.records import Case, CaseId, Row

T = TypeVar("T")


class Pairs(NamedTuple, Generic[T]):
    """The cases of both sets, in the order of the second, and those of one alone.

    `changed` counts names that stand for another content in the second set, `repeated` the cases of either set whose
    name is not theirs alone: they cannot be distinguished, so they are in no pair.
    """

    both: list[tuple[T, T]]
    added: list[T]
    removed: list[T]
    changed: int
    repeated: tuple[int, int]


def pair_cases(
    first: Sequence[T],
    second: Sequence[T],
    names: tuple[Sequence[Hashable | None], Sequence[Hashable | None]],
    content: Callable[[T], Hashable] | None = None,
) -> Pairs[T]:
    """The cases with the same name and the same content; a name of None is none."""
    counts = [Counter(name for name in side if name is not None) for side in names]
    many = {name for count in counts for name, number in count.items() if number > 1}
    known = {name: place for place, name in enumerate(names[0]) if name is not None and name not in many}
    found: dict[int, int] = {}
    changed = 0
    for place, name in enumerate(names[1]):
        if name is not None and name in known:
            same = content is None or content(first[known[name]]) == content(second[place])
            found |= {place: known[name]} if same else {}
            changed += not same
    gone = set(found.values())
    before, after = (sum(number for number in count.values() if number > 1) for count in counts)
    return Pairs(
        [(first[old], second[new]) for new, old in found.items()],
        [case for place, case in enumerate(second) if place not in found],
        [case for place, case in enumerate(first) if place not in gone],
        changed,
        (before, after),
    )


def case_content(case: Case) -> str:
    """Return a digest of what a case asks and expects."""
    asked = repr(case.messages) if case.messages else ""
    return digest(case.input, repr(case.expected), case.context, asked)


def has_own_id(row: Row) -> bool:
    """Whether a case has an id of its own, and is not just called by its place."""
    name = row.trial.case.id
    return not is_place(str(name)) and not (type(name) is int and name == row.position)


def are_in_order(rows: Iterable[Row]) -> bool:
    """Whether the rows of each system follow each other by place and repeat: then no two of them share these."""
    last: dict[str, tuple[int, int]] = {}
    for row in rows:
        place = (row.position, row.repeat)
        if place <= last.get(row.system, (-1, -1)):
            return False
        last[row.system] = place
    return True


def in_places_of_their_own(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, no two in one place: a case whose place another has gets one behind all so far, and a case that comes
    again from the same system is one more repeat of it.
    """
    places: dict[Hashable, int] = {}
    taken: set[int] = set()
    repeats: dict[Hashable, int] = {}
    free = 0
    for row in rows:
        case = (row.position, str(row.trial.case.id), case_content(row.trial.case))
        if case not in places:
            places[case] = free if row.position in taken else row.position
            taken.add(places[case])
            free = max(free, places[case] + 1)
        repeat = max(row.repeat, repeats.get((case, row.system), -1) + 1)
        repeats[case, row.system] = repeat
        yield replace(row, position=places[case], repeat=repeat)


def numbered_keys(keys: Iterable[Hashable]) -> list[tuple[Hashable, int]]:
    """Each key with how often it came before: equal ones can be numbered apart by their order."""
    seen: Counter[Hashable] = Counter()
    found = []
    for key in keys:
        found.append((key, seen[key]))
        seen[key] += 1
    return found


def names_of(ids: Sequence[CaseId], contents: Iterable[Hashable]) -> list[Hashable]:
    """The ids of cases; one that has none but its place (`#3`) is named by what it says, and how often before."""
    unnamed = [isinstance(name, str) and is_place(name) for name in ids]
    numbered = iter(numbered_keys(content for content, alone in zip(contents, unnamed, strict=True) if alone))
    return [next(numbered) if alone else name for name, alone in zip(ids, unnamed, strict=True)]


def is_place(name: str) -> bool:
    """Whether an id is not a name but a place (`#3`), or empty."""
    return _PLACE.fullmatch(name) is not None


_PLACE = re.compile("(?:#[0-9]+)?")
