"""The names of cases: their ids, what they say, and their places."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace

from ringtrue.identity import digest
from ringtrue.records import Case, Row


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


def is_place(name: str) -> bool:
    """Whether an id is not a name but a place (`#3`), or empty."""
    return _PLACE.fullmatch(name) is not None


_PLACE = re.compile("(?:#[0-9]+)?")
