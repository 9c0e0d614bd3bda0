"""The rows of an earlier run to check again, each with its case as the suite has it now."""

from __future__ import annotations

from dataclasses import replace

from ringtrue.errors import ConfigurationError
from ringtrue.records import Row, Run
from ringtrue.stats.pairs import names_of, pair_cases
from ringtrue.suites.cases import Entries


def rows_to_regrade(entries: Entries, run: Run) -> list[Row]:
    """The rows of a run, each with the suite's case and its place in the suite.

    Cases are found by their id, or by their input where none was given. What they expect may have changed since; a
    case that the suite does not have, or that asks something else now, is refused.
    """
    groups: dict[int, list[Row]] = {}
    for row in run.rows:
        groups.setdefault(row.position, []).append(row)
    asked = [rows[0].trial.case for rows in groups.values()]
    inputs = [[case.input for case, _ in entries], [case.input for case in asked]]
    ids = [[case.id for case, _ in entries], [case.id for case in asked]]
    here, there = (names_of(*side) for side in zip(ids, inputs, strict=True))
    found = pair_cases(range(len(here)), range(len(there)), (here, there))
    if found.repeated[1]:
        raise ConfigurationError(f"{found.repeated[1]} cases of the run cannot be told apart", parameter="report")
    for place in found.added:
        raise ConfigurationError(f"the suite has no case {ids[1][place]!r} of the run", parameter="report")
    for place, other in found.both:
        if inputs[0][place] != inputs[1][other]:
            raise ConfigurationError(f"the case {ids[0][place]!r} asks something else now", parameter="report")
    rows = list(groups.values())
    return [
        replace(row, trial=replace(row.trial, case=entries[place][0]), position=place, scores={})
        for place, other in found.both
        for row in rows[other]
    ]
