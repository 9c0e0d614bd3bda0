"""`Comparison`: the differences of two or more systems on the same cases, with a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal, TypeAlias

from ringtrue.records import Case, Row, Unit
from ringtrue.reports.comparing.case_pairs import Side
from ringtrue.stats.paired_difference import MCNEMAR, PairedDifference
from ringtrue.stats.power import flips_needed, pairs_needed

Verdict: TypeAlias = Literal["better", "worse", "equivalent", "cannot tell"]

DEFAULT_MARGIN = 0.02
"""The difference below which two systems count as equivalent, unless one says otherwise."""
SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class PartDifference:
    """One number of one dataset on both sides: the headline verdict, or a part of an evaluator.

    `p` is corrected for the other numbers of its kind (Holm); `level` is what an uncorrected one has to reach. `errors`
    and `skipped` count the paired cases without the number, before and after. `turns` is True if the cases with errors
    could reverse the verdict. `changes` are the differences case by case, or a random sample of them if there are
    thousands. `gained` and `lost` count the cases of a headline whose verdict changed.
    """

    dataset: str
    key: str
    is_headline: bool
    unit: Unit
    difference: PairedDifference | None
    margin: float
    p: float | None = None
    level: float = SIGNIFICANT
    threshold: float | None = None
    errors: tuple[int, int] = (0, 0)
    skipped: tuple[int, int] = (0, 0)
    turns: bool = False
    changes: Sequence[float] = ()
    gained: int = 0
    lost: int = 0

    @property
    def verdict(self) -> Verdict:
        """The verdict on the second system, compared with the first."""
        found = self.difference
        if found is None or found.interval is None:
            return "cannot tell"
        if self.p is not None and self.p < SIGNIFICANT and found.side and not self.turns:
            return "better" if found.side > 0 else "worse"
        return "equivalent" if self.within_margin and not sum(self.errors) else "cannot tell"

    @property
    def within_margin(self) -> bool:
        """True if the interval lies inside the margin."""
        found = self.difference
        if found is None or found.interval is None:
            return False
        low, high = found.interval
        return -self.margin < low and high < self.margin

    @property
    def cases_missing(self) -> int | None:
        """About how many more cases would settle it, if the difference stays; None if unknown or settled."""
        found = self.difference
        if self.verdict != "cannot tell" or found is None or self.turns:
            return None
        differs = pairs_needed(found.value, found.deviation, alpha=self.level)
        if differs is not None and found.test == MCNEMAR:  # no verdict before enough cases turn
            differs = max(differs, ceil(flips_needed(self.level) * found.n / (found.rose + found.fell)))
        within = max(0.0, self.margin - abs(found.value))
        needed = [amount for amount in (differs, pairs_needed(within, found.deviation)) if amount is not None]
        return max(min(needed) - found.n, 1) if needed else None


@dataclass(frozen=True, slots=True)
class Flip:
    """A case that passed on one side only, with both answers."""

    case: Case
    dataset: str
    before: Row
    after: Row


@dataclass(frozen=True, slots=True)
class SystemPair:
    """Two systems on the same cases.

    `parts` has the headline of each dataset first. `lost` are the cases that passed before and fail after, `gained`
    those that failed before and pass after. `refused` lists what could not be compared, and why. `cost` is the cost of
    an answer in dollars and `seconds` its median time, before and after; None if it is unknown for some answer.
    """

    before: Side
    after: Side
    parts: Sequence[PartDifference]
    lost: Sequence[Flip] = ()
    gained: Sequence[Flip] = ()
    both_passed: int = 0
    both_failed: int = 0
    cases: int = 0
    only_before: int = 0
    only_after: int = 0
    changed: int = 0
    refused: Sequence[str] = ()
    cost: tuple[float | None, float | None] = (None, None)
    seconds: tuple[float | None, float | None] = (None, None)

    @property
    def headlines(self) -> list[PartDifference]:
        """The headline of each dataset."""
        return [part for part in self.parts if part.is_headline]

    @property
    def verdict(self) -> Verdict:
        """The verdict of the headlines if they all agree, else `cannot tell`."""
        found = {part.verdict for part in self.headlines}
        return found.pop() if len(found) == 1 else "cannot tell"

    @property
    def whole(self) -> bool:
        """True if every case has a verdict on both sides, and nothing was refused."""
        missing = self.only_before + self.only_after + self.changed + len(self.refused)
        absent = sum(sum(part.errors) + sum(part.skipped) for part in self.headlines)
        return bool(self.headlines) and not missing and not absent


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """Systems compared on the same cases; each pair has a baseline and another system.

    P-values of headlines are corrected for `tests`, those of further numbers for `further_tests`, so that further
    measurements do not change the verdict on a headline. `looks` is how many pairs both count: all pairs
    of systems where the pairs are of one run.
    """

    pairs: Sequence[SystemPair]
    margin: float = DEFAULT_MARGIN
    tests: int = 1
    further_tests: int = 0
    looks: int = 1
    seed: int = 0

    def __str__(self) -> str:
        from ringtrue.reports.comparing.comparison_text import comparison_text

        return comparison_text(self)

    def __repr__(self) -> str:
        names = ", ".join(f"{pair.after.name} against {pair.before.name}: {pair.verdict}" for pair in self.pairs)
        return f"Comparison({names})"

    def _repr_html_(self) -> str:
        from ringtrue.reports.pages.comparison_page import comparison_html

        return comparison_html(self)
