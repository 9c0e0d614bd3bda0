"""`ReportDiff`: two reports of a suite side by side; its numbers are the comparison's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ringtrue.records import Json, Unit
from ringtrue.reports.comparing.case_diff import CaseDiff
from ringtrue.reports.comparing.comparison import Comparison, PartDifference, SystemPair, Verdict
from ringtrue.reports.comparing.comparison_words import how_words, left_out_words, p_words, verdict_sentences
from ringtrue.reports.markdown import escape, fence
from ringtrue.reports.number import number
from ringtrue.safetext import printable
from ringtrue.stats.paired_difference import MCNEMAR, PairedDifference

NUMBERS = {
    "name": "suite_name",
    "pass_rate": "pass_rate",
    "avg_score": "avg_score",
    "errors": "errors",
    "flaky": "flaky_count",
}
"""What is shown of either report -> its attribute there."""
_TITLES = {"pass_rate": "Pass rate", "avg_score": "Mean score", "errors": "Errors", "flaky": "Flaky"}
_UNITS: dict[str, Unit] = {"pass_rate": "share", "avg_score": "score", "errors": "count", "flaky": "count"}


@dataclass(frozen=True, repr=False)
class ReportDiff:
    """The changes from a baseline report to a proposal.

    `comparison` is the same as that of `ringtrue compare`; `verdict`, `mcnemar_p` and `change` come from it. `paired`
    are the cases of both reports, as each report sees them; `added` and `removed` are those of one alone.
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
    comparison: Comparison
    paired: list[CaseDiff]
    added: list[Any]
    removed: list[Any]

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        flipped = f"{len(self.regressions)} lost, {len(self.improvements)} gained"
        return f"ReportDiff({self.proposal_name!r} against {self.baseline_name!r}: {self.verdict}, {flipped})"

    def _repr_html_(self) -> str:
        return self.comparison._repr_html_()

    @property
    def pair(self) -> SystemPair:
        """The comparison of the two."""
        return self.comparison.pairs[0]

    @property
    def identity_issues(self) -> list[str]:
        """Reasons why parts of the reports could not be compared."""
        return list(self.pair.refused)

    @property
    def change(self) -> PairedDifference | None:
        """The difference of the pass rates over the cases of both, with its interval; None if not comparable."""
        return None if self._headline is None else self._headline.difference

    @property
    def mcnemar_p(self) -> float | None:
        """McNemar's exact p-value; None where another test was made, because cases share sources or were repeated."""
        return self.change.p if self.change is not None and self.change.test == MCNEMAR else None

    @property
    def verdict(self) -> Verdict:
        """The verdict on the proposal: `better`, `worse`, `equivalent` or `cannot tell`."""
        return self.pair.verdict

    @property
    def whole(self) -> bool:
        """True if every case has a verdict in both reports, and nothing was refused."""
        return self.pair.whole

    @property
    def pass_rate_delta(self) -> float | None:
        """The change of the pass rate."""
        return _rise(self.baseline_pass_rate, self.proposal_pass_rate)

    @property
    def avg_score_delta(self) -> float | None:
        """The change of the mean score."""
        return _rise(self.baseline_avg_score, self.proposal_avg_score)

    @property
    def errors_delta(self) -> int:
        """The change of the number of errors."""
        return self.proposal_errors - self.baseline_errors

    @property
    def flaky_delta(self) -> int:
        """The change of the number of flaky cases."""
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
        """The cases of both reports that lack a verdict in one of them, unless they were skipped."""
        return [case for case in self.paired if not case.has_verdicts and not case.is_skipped]

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
            "verdict": self.verdict,
            "change": None if change is None else {
                "value": change.value, "n": change.n, "interval": change.interval, "p": change.p, "test": change.test,
            },
        }  # fmt: skip

    def to_text(self) -> str:
        """The comparison in lines."""
        lines = [*map(printable, self._conclusions()), ""]
        lines += [f"baseline: {printable(self.baseline_name)}", f"proposal: {printable(self.proposal_name)}"]
        lines += [f"{title}: {before} -> {after} ({change})" for title, before, after, change in self._rows()]
        lines += map(printable, self._notes())
        for title, mark, cases in self._groups():
            if cases:
                lines += ["", f"{title} ({len(cases)}):", *(f"  {mark} {_shown_input(c)}  {_change(c)}" for c in cases)]
        return "\n".join(lines)

    def to_markdown(self) -> str:
        """The comparison as Markdown; text from outside is code, and so never markup."""
        lines = ["## Eval comparison", "", *(f"**{escape(words)}**" for words in self._conclusions())]
        lines += ["", "| Metric | Baseline | Proposal | Change |", "|---|---:|---:|---:|"]
        lines += [f"| {' | '.join(row)} |" for row in self._rows()]
        lines += ["", *(f"- {escape(line)}" for line in self._notes())]
        for title, _, cases in self._groups():
            if cases:
                bullets = [f"- {_code(_shown_input(case))}  {_change(case)}" for case in cases]
                lines += ["", f"### {title} ({len(cases)})", "", *bullets]
        return "\n".join(lines)

    @property
    def _headline(self) -> PartDifference | None:
        return self.pair.headlines[0] if len(self.pair.headlines) == 1 else None

    def _conclusions(self) -> list[str]:
        return [f"{sentence}." for sentence in verdict_sentences(self.pair, self.comparison.tests)]

    def _notes(self) -> list[str]:
        groups = (("added", self.added), ("removed", self.removed))
        p = [f"p = {p_words(self.change.p)}"] if self.change is not None else []
        return [
            *p,
            *how_words(self.pair),
            *left_out_words(self.pair),
            *(f"cases {word}: {len(cases)}" for word, cases in groups if cases),
        ]

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
