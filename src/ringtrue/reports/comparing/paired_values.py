"""The numbers of cases on two sides: repeats averaged, absences counted."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal

from ringtrue.records import Row
from ringtrue.reports.comparing.case_pairs import PairedCase
from ringtrue.stats.paired_difference import PairedDifference, paired_difference
from ringtrue.stats.row_status import RowVerdicts

Absent = Literal["skipped", "error"]
SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class PairedValues:
    """The number of each case before and after: a mean over its repeats, or why there is none."""

    before: Sequence[float | Absent]
    after: Sequence[float | Absent]

    @classmethod
    def of(cls, cases: Sequence[PairedCase], value: Callable[[Row, int], float | Absent]) -> PairedValues:
        """The values of cases; `value` says what a row of one side (0 before, 1 after) has."""
        return cls(
            [_mean([value(row, 0) for row in case.before]) for case in cases],
            [_mean([value(row, 1) for row in case.after]) for case in cases],
        )

    @property
    def places(self) -> list[int]:
        """The places of the cases that have both numbers."""
        return [place for place, pair in self._pairs if not any(isinstance(one, str) for one in pair)]

    @property
    def numbers(self) -> tuple[list[float], list[float]]:
        """The numbers before and after of the cases that have both."""
        told = [pair for _, pair in self._pairs if not any(isinstance(one, str) for one in pair)]
        return [float(old) for old, _ in told], [float(new) for _, new in told]

    @property
    def _pairs(self) -> Iterable[tuple[int, tuple[float | Absent, float | Absent]]]:
        return enumerate(zip(self.before, self.after, strict=True))

    @property
    def binary(self) -> bool:
        """Whether there are numbers, and all are 0 or 1."""
        known = [one for side in (self.before, self.after) for one in side if not isinstance(one, str)]
        return bool(known) and all(one in (0, 1) for one in known)

    @property
    def errors(self) -> tuple[int, int]:
        """How many cases have an error before, and after."""
        return list(self.before).count("error"), list(self.after).count("error")

    @property
    def skips(self) -> tuple[int, int]:
        """How many cases had nothing to measure before, and after."""
        return list(self.before).count("skipped"), list(self.after).count("skipped")

    @property
    def turn_counts(self) -> tuple[int, int]:
        """How many cases pass after and did not before, by most of their repeats; and the other way round."""
        found = [(old > 0.5, new > 0.5) for old, new in zip(*self.numbers, strict=True)]
        return found.count((False, True)), found.count((True, False))

    def could_turn(self, found: PairedDifference, sources: Sequence[Hashable] | None) -> bool:
        """Whether the cases with errors, had they gone against the difference, would leave nothing shown."""
        if not found.side or not sum(self.errors):
            return False
        worst = (1.0, 0.0) if found.side > 0 else (0.0, 1.0)
        kept = [place for place, pair in self._pairs if "skipped" not in pair]
        before, after = (
            [worst[side] if isinstance(one := values[place], str) else one for place in kept]
            for side, values in enumerate((self.before, self.after))
        )
        own = None if sources is None else [sources[place] for place in kept]
        against = paired_difference(before, after, own, bootstrap=False)
        return against is None or against.p >= SIGNIFICANT or against.side != found.side


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
    known = [one for one in values if not isinstance(one, str)]
    if known:
        return fsum(known) / len(known)
    return "error" if "error" in values else "skipped"
