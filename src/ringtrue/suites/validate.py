"""Test the checks of a suite on outputs known to be right or wrong; no system is asked."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from ringtrue.dialects.suite import AnyCase, CheckResult
from ringtrue.evaluators.by_case import Id
from ringtrue.jsontext import json_text
from ringtrue.records import Case, Json
from ringtrue.reports.case_result import CaseResult
from ringtrue.reports.gating.suite_gate import FAILED, UNDECIDED

Verdict: TypeAlias = Literal["ok", "fails_right", "passes_wrong", "unknown"]

REFERENCE, WRONG = "reference_output", "wrong_outputs"
"""The fields of a case with an output that is right, and with some that are wrong."""

_SHOWN = 60


@dataclass(frozen=True)
class KnownOutputs:
    """Outputs of one case that are known to be right or wrong; or the reason why there are none."""

    right: Sequence[str] = ()
    wrong: Sequence[str] = ()
    problem: str = ""


@dataclass(frozen=True)
class CaseValidation:
    """The results of the checks of one case on outputs known to be right or wrong."""

    case_id: Id
    case_input: str
    right: tuple[CaseResult, ...] = ()
    wrong: tuple[CaseResult, ...] = ()
    skipped_checks: tuple[str, ...] = ()
    """Checks that would have asked a judge."""
    problem: str = ""
    needs_judge: bool = False
    """True if every check of the case is one of those."""

    @property
    def verdict(self) -> Verdict:
        """`ok` if a check measured something, every right output passes, and every wrong one fails."""
        if self.failed_checks or self.problem:
            return "fails_right"
        if not self._spoke or any(result.judge_error for result in self.right):
            return "unknown"
        if any(result.passed for result in self.wrong):
            return "passes_wrong"
        return "ok" if all(result.evaluated for result in self.wrong) else "unknown"

    @property
    def failed_checks(self) -> list[CheckResult]:
        """The checks that fail a right output, or break on it; a judge that cannot be reached does not count."""
        return [check for result in self.right for check in result.results if not check.passed and _is_verdict(check)]

    @property
    def undiscriminating(self) -> list[str]:
        """The checks that pass a wrong output, even if others fail it."""
        found = (check.evaluator for result in self.wrong for check in result.measured if check.passed)
        return list(dict.fromkeys(found))

    @property
    def reason(self) -> str:
        """The verdict in words; empty if it is `ok`."""
        if self.problem:
            return self.problem
        if self.failed_checks:
            reasons = "; ".join(f"{check.evaluator}: {check.reason}" for check in self.failed_checks)
            return f"the case or a check is wrong, for the checks fail what is right: {reasons}"
        results = (*self.right, *self.wrong)
        if outage := next((result.judge_error for result in results if result.judge_error), None):
            return f"a judge could not be asked: {outage}"
        if self.verdict == "passes_wrong":
            shown = next(result.actual_output for result in self.wrong if result.passed)
            return f"every check passes what is wrong: {shown[:_SHOWN]!r}"
        if unmeasured := next((result for result in self.wrong if not result.evaluated), None):
            return f"what is wrong could not be measured: {unmeasured.error or 'no check has anything to measure'}"
        if self._spoke:
            return ""
        if self.needs_judge:
            return "every check needs a judge, and none was asked"
        if self.right:
            return "no check has anything to measure here"
        return f"no output is known to be right: add expected_output or {REFERENCE}"

    @property
    def _spoke(self) -> bool:
        return any(result.measured for result in self.right)

    def to_dict(self) -> dict[str, Json]:
        """The findings as plain values."""
        failed = [{"evaluator": one.evaluator, "score": one.score, "reason": one.reason} for one in self.failed_checks]
        return {
            "case_id": self.case_id,
            "input": self.case_input,
            "verdict": self.verdict,
            "reason": self.reason,
            "right": len(self.right),
            "wrong": len(self.wrong),
            "failed": failed,
            "undiscriminating": self.undiscriminating,
            "skipped_checks": list(self.skipped_checks),
        }


@dataclass(frozen=True)
class SuiteValidation:
    """The result of `EvalSuite.validate`, case by case."""

    suite_name: str
    cases: Sequence[CaseValidation]

    def of(self, verdict: Verdict) -> list[CaseValidation]:
        """The cases with this verdict."""
        return [case for case in self.cases if case.verdict == verdict]

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of all cases; `unknown` only if no case has known outputs."""
        order: tuple[Verdict, ...] = ("fails_right", "passes_wrong", "ok")
        return next((verdict for verdict in order if self.of(verdict)), "unknown")

    @property
    def exit_code(self) -> int:
        """0 if the checks hold, 1 if they do not, 2 if no output is known."""
        return {"ok": 0, "unknown": UNDECIDED}.get(self.verdict, FAILED)

    @property
    def undiscriminating(self) -> list[str]:
        """The checks that passed every wrong output they measured: nothing shows that they can fail."""
        said: dict[str, bool] = {}
        for check in (check for case in self.cases for result in case.wrong for check in result.measured):
            said[check.evaluator] = said.get(check.evaluator, True) and check.passed
        return [name for name, always in said.items() if always]

    def to_dict(self) -> dict[str, Json]:
        """The findings as plain values."""
        return {
            "suite": self.suite_name,
            "verdict": self.verdict,
            "counts": {verdict: len(self.of(verdict)) for verdict in get_args(Verdict)},
            "undiscriminating": self.undiscriminating,
            "cases": [case.to_dict() for case in self.cases],
        }

    def to_json(self) -> str:
        """The findings as JSON."""
        return json_text(self.to_dict(), indent=True)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        known = len(self.cases) - len(self.of("unknown"))
        yield f"{self.suite_name}: {self.verdict}: the checks hold in {len(self.of('ok'))} of {known} cases"
        for case in self.cases:
            if case.verdict != "ok":
                yield f"  {case.case_id}: {case.verdict}: {case.reason}"
        if self.undiscriminating:
            yield f"  never failed a wrong output: {', '.join(self.undiscriminating)}"
        if unasked := sorted({name for case in self.cases for name in case.skipped_checks}):
            yield f"  not asked, as they need a judge: {', '.join(unasked)}"


def known_outputs(given: AnyCase, record: Case) -> KnownOutputs:
    """The right outputs of a case (its reference output, or else each expected one) and its wrong ones."""
    fields = record.fields
    reference = getattr(given, REFERENCE, None)
    reference = fields.get(REFERENCE) if reference is None else reference
    if callable(reference):
        try:
            reference = reference(given)
        except Exception:  # a user's own function: its error is the finding
            return KnownOutputs(problem=f"{REFERENCE} raised:\n{traceback.format_exc()}")
    right = _texts(reference) or [text for text in record.expected or () if text]
    return KnownOutputs(right, _texts(fields.get(WRONG), blank=True))


def validate_checks(
    name: str,
    cases: Sequence[Case],
    known: Sequence[KnownOutputs],
    skipped_checks: Sequence[tuple[str, ...]],
    measured: Sequence[bool],
    check: Callable[[Sequence[tuple[int, str]]], Sequence[CaseResult]],
) -> SuiteValidation:
    """Run the checks of each case on its known outputs; wrong ones only if all right ones pass.

    `check` gives the results of outputs, each with the place of its case. `skipped_checks` would have asked a judge;
    `measured` says whether a case has any other.
    """

    def check_all(outputs: Sequence[Sequence[str]]) -> list[tuple[CaseResult, ...]]:
        asked = [(place, text) for place, texts in enumerate(outputs) if measured[place] for text in texts]
        found: list[list[CaseResult]] = [[] for _ in outputs]
        for (place, _), result in zip(asked, check(asked), strict=True):
            found[place].append(result)
        return [tuple(one) for one in found]

    right = check_all([one.right for one in known])
    first = [
        CaseValidation(
            case_id=case.id,
            case_input=case.input,
            right=results,
            skipped_checks=unasked,
            problem=one.problem,
            needs_judge=not was_measured,
        )
        for case, results, unasked, one, was_measured in zip(cases, right, skipped_checks, known, measured, strict=True)
    ]
    wrong = check_all([one.wrong if case.verdict == "ok" else () for case, one in zip(first, known, strict=True)])
    return SuiteValidation(name, [replace(case, wrong=found) for case, found in zip(first, wrong, strict=True)])


def _is_verdict(check: CheckResult) -> bool:
    return check.status != "skipped" and check.metadata.get("kind") != "judge_error"


def _texts(value: Any, *, blank: bool = False) -> list[str]:
    """Texts; a blank one may be known to be wrong, but is never known to be right."""
    given = value if isinstance(value, (list, tuple)) else [value]
    return [text for text in given if isinstance(text, str) and (blank or text.strip())]
