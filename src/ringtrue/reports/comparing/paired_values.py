"""`PairedColumn`: one number of the cases on two sides: repeats averaged, absences counted."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from copy import deepcopy
from math import fsum
from random import Random
from typing import Literal

from ringtrue.records import Row
from ringtrue.reports.comparing.case_pairs import PairedCase
from ringtrue.reports.comparing.comparison import SIGNIFICANT
from ringtrue.stats.paired_difference import DifferenceSums, PairedDifference
from ringtrue.stats.row_status import RowVerdicts

Absent = Literal["skipped", "error"]
MOST_CHANGES = 4_000
"""A picture of more differences is drawn from this many of them, chosen at random."""


class PairedColumn:
    """The number of each case before and after, or why there is none; summed up as they come.

    `changes` are differences of single cases. `gained` counts the cases that pass after and did not before, by most of
    their repeats, and `lost` the others that turned.
    """

    def __init__(self) -> None:
        self.sums = DifferenceSums()
        self.errors, self.skips = [0, 0], [0, 0]
        self.gained = self.lost = 0
        self.changes: list[float] = []
        self._is_binary, self._is_known = True, False
        self._against: dict[int, DifferenceSums] | None = None
        """The sums if every error had gone against a difference above 0, and below: once there is an error."""
        self._random = Random(0)

    def add(self, before: float | Absent, after: float | Absent, source: Hashable = None) -> None:
        """Take a case in."""
        pair = (before, after)
        for side, one in enumerate(pair):
            self.errors[side] += one == "error"
            self.skips[side] += one == "skipped"
            if not isinstance(one, str):
                self._is_known = True
                self._is_binary = self._is_binary and one in (0, 1)
        if "error" in pair and self._against is None:
            self._against = {side: deepcopy(self.sums) for side in (1, -1)}
        if not isinstance(before, str) and not isinstance(after, str):
            self.sums.add(before, after, source)
            self.gained += before <= 0.5 < after
            self.lost += after <= 0.5 < before
            self._draw(after - before)
        if self._against is not None and "skipped" not in pair:
            for side, sums in self._against.items():
                worst = (1.0, 0.0) if side > 0 else (0.0, 1.0)
                old, new = (worst[at] if isinstance(one, str) else one for at, one in enumerate(pair))
                sums.add(old, new, source)

    @property
    def is_measured(self) -> bool:
        """Whether any case has the number, or none was skipped and some ended in errors."""
        return self._is_known or (sum(self.errors) > 0 and not sum(self.skips))

    @property
    def binary(self) -> bool:
        """Whether there are numbers, and all are 0 or 1."""
        return self._is_known and self._is_binary

    def could_turn(self, found: PairedDifference) -> bool:
        """Whether the cases with errors, had they gone against the difference, would leave nothing shown."""
        if not found.side or self._against is None:
            return False
        against = self._against[found.side].difference(None)
        return against is None or against.p >= SIGNIFICANT or against.side != found.side

    def _draw(self, change: float) -> None:
        """Keep a difference, or let it take the place of another: each is as likely to be kept."""
        if len(self.changes) < MOST_CHANGES:
            self.changes.append(change)
        elif (place := self._random.randrange(self.sums.n)) < MOST_CHANGES:
            self.changes[place] = change


def case_values(case: PairedCase, value: Callable[[Row, int], float | Absent]) -> tuple[float | Absent, float | Absent]:
    """The number of a case before and after, a mean over its repeats; `value` says what a row of one side has."""
    return _mean([value(row, 0) for row in case.before]), _mean([value(row, 1) for row in case.after])


def part_values(row: Row, side: int, evaluator: str, part: str) -> float | Absent:
    """The number that a row has under a part of an evaluator."""
    score = row.scores.get(evaluator)
    if score is None:
        return "error" if row.trial.output.error else "skipped"
    if score.value is None:
        return "error" if score.status == "error" else "skipped"
    return score.parts.get(part, score.value)


def verdict_values(row: Row, side: int, verdicts: tuple[RowVerdicts, RowVerdicts]) -> float | Absent:
    """1 for a row that passed, 0 for one that failed."""
    status = verdicts[side].status(row)
    if status in ("skipped", "error"):
        return "error" if status == "error" else "skipped"
    return float(status == "passed")


def _mean(values: Sequence[float | Absent]) -> float | Absent:
    if len(values) == 1:
        return values[0]
    known = [one for one in values if not isinstance(one, str)]
    if known:
        return fsum(known) / len(known)
    return "error" if "error" in values else "skipped"
