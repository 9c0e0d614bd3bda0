"""The rows of an earlier run to check again, each with its case as the suite has it now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import replace

from ringtrue.errors import ConfigurationError
from ringtrue.records import Case, Row, Run
from ringtrue.stats.pairs import is_place
from ringtrue.suites.cases import Entries


def rows_to_regrade(entries: Entries, run: Run) -> list[Row]:
    """The rows of a run, each with the suite's case and its place in the suite.

    Cases are found by their id, or by their input where none was given. What they expect may have changed since; a
    case that the suite does not have, or that asks something else now, is refused.
    """
    groups: dict[int, list[Row]] = {}
    for row in run.rows:
        groups.setdefault(row.position, []).append(row)
    names = _names(rows[0].trial.case for rows in groups.values())
    if alike := sum(times for times in Counter(names).values() if times > 1):
        raise ConfigurationError(f"{alike} cases of the run cannot be told apart", parameter="report")
    places = {name: place for place, name in enumerate(_names(case for case, _ in entries))}
    found: list[Row] = []
    for name, rows in zip(names, groups.values(), strict=True):
        asked = rows[0].trial.case
        if name not in places:
            raise ConfigurationError(f"the suite has no case {asked.id!r} of the run", parameter="report")
        case = entries[places[name]][0]
        if case.input != asked.input:
            raise ConfigurationError(f"the case {asked.id!r} asks something else now", parameter="report")
        for row in rows:
            found.append(replace(row, trial=replace(row.trial, case=case), position=places[name], scores={}))
    return found


def _names(cases: Iterable[Case]) -> list[Hashable]:
    """The ids of cases; one that has none but its place (`#3`) goes by its input, and how often that came before."""
    names: list[Hashable] = []
    seen: Counter[str] = Counter()
    for case in cases:
        unnamed = isinstance(case.id, str) and is_place(case.id)
        names.append((case.input, seen[case.input]) if unnamed else case.id)
        seen[case.input] += unnamed
    return names
