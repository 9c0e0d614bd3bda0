"""`ReportDiff`: what changed between two reports of a suite, case by case, in numbers and in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ringtrue.records import Json, Summary, Unit
from ringtrue.reports.comparing.case_diff import FAILED, PASSED, CaseDiff, mcnemar_of
from ringtrue.reports.markdown import escape, fence
from ringtrue.reports.number import count, interval, number
from ringtrue.safetext import printable

SIGNIFICANT = 0.05
FEWEST = 6
"""With fewer cases that changed McNemar's test shows nothing, even if all changed alike: 2 / 2^5 is above 0.05."""
Verdict: TypeAlias = Literal["better", "worse", "open"]
_WORDS: dict[Verdict, str] = {
    "better": "a difference for the better",
    "worse": "a difference for the worse",
    "open": "no difference that these cases could show",
}

__all__ = ["FEWEST", "NUMBERS", "SIGNIFICANT", "CaseDiff", "ReportDiff", "Verdict", "mcnemar_of"]

NUMBERS = {
    "name": "suite_name",
    "pass_rate": "pass_rate",
    "avg_score": "avg_score",
    "errors": "errors",
    "flaky": "flaky_count",
}
"""What is told of either report -> where it says so."""
_TITLES = {"pass_rate": "Pass rate", "avg_score": "Mean score", "errors": "Errors", "flaky": "Flaky"}
_UNITS: dict[str, Unit] = {"pass_rate": "share", "avg_score": "score", "errors": "count", "flaky": "count"}


@dataclass
class ReportDiff:
    """What changed from a baseline to a proposal.

    `mcnemar_p` is None, and no test was made, where `identity_issues` tells why the numbers cannot be held against each
    other, or where cases share sources: then `sources_p` is the exact sign test of how many sources got better and how
    many worse. `change` is how much the pass rate of the cases of both rose; its interval counts sources.
    """

    baseline_name: str
    proposal_name: str
    baseline_pass_rate: float | None
    proposal_pass_rate: float | None
    baseline_avg_score: float | None
    proposal_avg_score: float | None
    baseline_errors: int
    proposal_errors: int
    baseline_flaky: int
    proposal_flaky: int
    paired: list[CaseDiff] = field(default_factory=list)
    added: list[Any] = field(default_factory=list)
    removed: list[Any] = field(default_factory=list)
    mcnemar_p: float | None = None
    identity_issues: list[str] = field(default_factory=list)
    change: Summary | None = None
    sources_p: float | None = None

    @property
    def pass_rate_delta(self) -> float | None:
        """How much the pass rate rose."""
        return _rise(self.baseline_pass_rate, self.proposal_pass_rate)

    @property
    def avg_score_delta(self) -> float | None:
        """How much the mean score rose."""
        return _rise(self.baseline_avg_score, self.proposal_avg_score)

    @property
    def errors_delta(self) -> int:
        """How many more cases broke."""
        return self.proposal_errors - self.baseline_errors

    @property
    def flaky_delta(self) -> int:
        """How many more cases pass only sometimes."""
        return self.proposal_flaky - self.baseline_flaky

    @property
    def regressions(self) -> list[CaseDiff]:
        """The cases that passed and fail now."""
        return self._went("regressed")

    @property
    def improvements(self) -> list[CaseDiff]:
        """The cases that failed and pass now."""
        return self._went("improved")

    @property
    def unchanged(self) -> list[CaseDiff]:
        """All other cases of both reports."""
        return self._went("unchanged")

    @property
    def unmeasured_cases(self) -> list[CaseDiff]:
        """The cases of both that lack a verdict in one report; those with nothing to measure in either do not."""
        return [case for case in self.paired if not case.has_verdicts and not case.is_skipped]

    @property
    def verdict(self) -> Verdict:
        """Whether the proposal is shown to be better or worse in the cases of both: `open` unless chance is ruled out.

        McNemar's test says so, or the sign test and the interval where cases share sources; and no outcome of cases
        without a verdict may turn it.
        """
        return "open" if self._turns else self._direction

    @property
    def whole(self) -> bool:
        """Whether every case is in both reports with a verdict, and nothing speaks against comparing them."""
        alike = self.paired and not (self.identity_issues or self.added or self.removed)
        return bool(alike) and all(case.has_verdicts for case in self.paired)

    def to_dict(self) -> dict[str, Json]:
        """The comparison as plain values."""
        sides: dict[str, Json] = {
            side: {name: getattr(self, f"{side}_{name}") for name in NUMBERS} for side in ("baseline", "proposal")
        }
        change = self.change
        return sides | {
            "deltas": {name: _rise(*values) for name, values in self._sides().items()},
            "paired_count": len(self.paired),
            "identity_verified": not self.identity_issues,
            "identity_issues": self.identity_issues,
            "regressions": [case.record() for case in self.regressions],
            "improvements": [case.record() for case in self.improvements],
            "added_count": len(self.added),
            "removed_count": len(self.removed),
            "unmeasured_count": len(self.unmeasured_cases),
            "mcnemar_p": self.mcnemar_p,
            "sources_p": self.sources_p,
            "verdict": self.verdict,
            "change": None if change is None else {"value": change.value, "n": change.n, "interval": change.interval},
        }

    def to_text(self, *, regressions_only: bool = False) -> str:
        """The comparison in lines."""
        lines = [f"baseline: {printable(self.baseline_name)}", f"proposal: {printable(self.proposal_name)}", ""]
        lines += [f"{title}: {before} -> {after} ({change})" for title, before, after, change in self._rows()]
        lines += [*self.numbers(), *self._left_out()]
        for title, mark, cases in self._groups():
            if cases and not (regressions_only and mark == "+"):
                lines += ["", f"{title} ({len(cases)}):", *(f"  {mark} {_shown_input(c)}  {_change(c)}" for c in cases)]
        return "\n".join([*lines, "", *self.notes(), *map(printable, self._verdict())])

    def to_markdown(self) -> str:
        """The comparison as Markdown; text from outside is code, and so never markup."""
        lines = ["## Eval comparison", "", "| Metric | Baseline | Proposal | Change |", "|---|---:|---:|---:|"]
        lines += [f"| {' | '.join(row)} |" for row in self._rows()]
        if further := [*self.numbers(), *self._left_out()]:
            lines += ["", *(f"- {line}" for line in further)]
        for title, _, cases in self._groups():
            if cases:
                told = [f"- {_code(_shown_input(case))}  {_change(case)}" for case in cases]
                lines += ["", f"### {title} ({len(cases)})", "", *told]
        return "\n".join([*lines, "", *self.notes(), *map(escape, self._verdict())])

    def numbers(self) -> list[str]:
        """Further numbers, a line each."""
        change = self.change
        if change is None or change.value is None:
            return []
        shown = f"95 % interval {interval(change.interval, 'share', signed=True)}" if change.interval else "no interval"
        points = number(change.value, "share", signed=True)
        return [f"Change over {count(change.n, 'case')} of both: {points} points ({shown})"]

    def notes(self) -> list[str]:
        """What else is to be known of the two reports."""
        return []

    def _went(self, direction: str) -> list[CaseDiff]:
        return [case for case in self.paired if case.direction == direction]

    def _sides(self) -> dict[str, tuple[float | None, float | None]]:
        return {name: (getattr(self, f"baseline_{name}"), getattr(self, f"proposal_{name}")) for name in _TITLES}

    def _rows(self) -> Iterator[tuple[str, str, str, str]]:
        for name, (before, after) in self._sides().items():
            change = _rise(before, after)
            unit = _UNITS[name]
            yield (
                _TITLES[name],
                number(before, unit, marked=True),
                number(after, unit, marked=True),
                number(change, unit, signed=True) + (" points" if unit == "share" and change is not None else ""),
            )

    def _groups(self) -> list[tuple[str, str, list[CaseDiff]]]:
        return [("Regressions", "-", self.regressions), ("Improvements", "+", self.improvements)]

    def _left_out(self) -> list[str]:
        groups = (
            ("added", self.added),
            ("removed", self.removed),
            ("without a verdict in one of the reports", self.unmeasured_cases),
        )
        return [f"Cases {word}: {len(cases)}" for word, cases in groups if cases]

    @property
    def _direction(self) -> Verdict:
        """What the cases with two verdicts show."""
        if self.mcnemar_p is not None:
            rise = len(self.improvements) - len(self.regressions) if self.mcnemar_p < SIGNIFICANT else 0
            return "better" if rise > 0 else "worse" if rise < 0 else "open"
        if self.sources_p is None or self.sources_p >= SIGNIFICANT:
            return "open"
        if self.change is None or self.change.interval is None:
            return "open"
        low, high = self.change.interval
        return "better" if low > 0 else "worse" if high < 0 else "open"

    @property
    def _turns(self) -> bool:
        """Whether the cases without a verdict could take back what the others show."""
        lost = len(self.unmeasured_cases)
        if not lost or self._direction == "open" or self.mcnemar_p is None:
            return bool(lost)
        if lost >= abs(len(self.improvements) - len(self.regressions)):
            return True
        turned = [
            CaseDiff("", *((FAILED, PASSED) if self._direction == "worse" else (PASSED, FAILED)), None, None)
        ] * lost
        return (mcnemar_of([*self.paired, *turned]) or 0.0) >= SIGNIFICANT

    def _verdict(self) -> list[str]:
        shown = _WORDS[self._direction]
        if self._direction != "open" and self._turns:
            shown += ", unless the cases without a verdict say otherwise"
        if self.mcnemar_p is not None:
            changed = len(self.improvements) + len(self.regressions)
            some = f"only {changed}" if changed else "no case"
            few = f"; {some} changed, and it takes {FEWEST}" if changed < FEWEST else ""
            return [f"McNemar p = {self.mcnemar_p:.4f}: {shown}{few}"]
        if self.sources_p is None:
            why = "; ".join(self.identity_issues) or "no case has a verdict in both reports"
            return [f"McNemar's test was not made: {why}"]
        if self._direction == "open" and self.sources_p < SIGNIFICANT:
            shown = "open, for the interval holds 0"
        return [
            "McNemar's test was not made: cases share sources, and it takes each for independent evidence",
            f"Sign test over sources p = {self.sources_p:.4f}: {shown}",
        ]


def _rise(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def _shown_input(case: CaseDiff) -> str:
    return printable(" ".join(case.case_input.split()))[:80]


def _change(case: CaseDiff) -> str:
    scores = [number(score) for score in (case.baseline_score, case.proposal_score)]
    return f"{case.baseline_status} -> {case.proposal_status} ({' -> '.join(scores)})"


def _code(text: str) -> str:
    marks, pad = fence(text, least=1), " " if "`" in text or not text else ""
    return f"{marks}{pad}{text}{pad}{marks}"
