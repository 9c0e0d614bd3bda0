"""`validate_suite`: whether the checks of a suite pass what is right, and tell it from what is wrong."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.costs import CostTracker, reset_token, set_active_tracker
from multivon_eval.running import Running
from ringtrue.dialects.suite import case_of
from ringtrue.identity import name_of
from ringtrue.jsontext import plain_json
from ringtrue.suites import validate as native

if TYPE_CHECKING:
    from multivon_eval.suite import EvalSuite

__all__ = [
    "STATUS_BROKEN", "STATUS_NOTHING_VALIDATED", "STATUS_NO_DISCRIMINATION", "STATUS_OK", "STATUS_UNVALIDATABLE",
    "CaseValidation", "ValidationReport", "validate_suite",
]  # fmt: skip

STATUS_OK = "OK"
STATUS_BROKEN = "BROKEN_TASK_OR_GRADER"
STATUS_NO_DISCRIMINATION = "NO_DISCRIMINATION"
STATUS_UNVALIDATABLE = "UNVALIDATABLE"
STATUS_NOTHING_VALIDATED = "NOTHING_VALIDATED"

_SHOWN = 60


@dataclass
class CaseValidation:
    """What the checks of one case are worth."""

    case_index: int
    case_input: str
    status: str
    failed_graders: list[EvalResult] = field(default_factory=list)
    skipped_graders: list[str] = field(default_factory=list)
    reason: str = ""


@dataclass
class ValidationReport:
    """What the checks of a suite are worth, case by case; `costs` where judges were asked."""

    suite_name: str
    results: list[CaseValidation]
    costs: Any = None

    @property
    def ok(self) -> list[CaseValidation]:
        """The cases whose checks pass what is right."""
        return self._with(STATUS_OK)

    @property
    def broken(self) -> list[CaseValidation]:
        """The cases whose checks fail what is right: the case or the check is wrong."""
        return self._with(STATUS_BROKEN)

    @property
    def no_discrimination(self) -> list[CaseValidation]:
        """The cases whose checks pass what is wrong as well."""
        return self._with(STATUS_NO_DISCRIMINATION)

    @property
    def unvalidatable(self) -> list[CaseValidation]:
        """The cases of which nothing can be said."""
        return self._with(STATUS_UNVALIDATABLE)

    @property
    def nothing_validated(self) -> bool:
        """Whether no check of any case has said anything."""
        return bool(self.results) and len(self.unvalidatable) == len(self.results)

    @property
    def passed(self) -> bool:
        """Whether some checks spoke, and none fails what is right."""
        return not self.broken and not self.nothing_validated

    @property
    def status(self) -> str:
        """The verdict in a word."""
        if self.nothing_validated:
            return STATUS_NOTHING_VALIDATED
        return STATUS_OK if self.passed else STATUS_BROKEN

    @property
    def effective_informative_cases(self) -> tuple[int, int]:
        """How many cases are fine, and of how many something can be said."""
        return len(self.ok), len(self.results) - len(self.unvalidatable)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values."""
        kinds = ("ok", "broken", "no_discrimination", "unvalidatable")
        return {
            "suite": self.suite_name,
            "passed": self.passed,
            "status": self.status,
            "costs": None if self.costs is None else self.costs.to_dict(),
            "skipped_judge_graders": self._unasked(),
            "summary": {
                "cases": len(self.results),
                **{kind: len(getattr(self, kind)) for kind in kinds},
                "effective_informative_cases": list(self.effective_informative_cases),
            },
            "results": [_record(result) for result in self.results],
        }

    def to_json(self) -> str:
        """The report as JSON."""
        return plain_json(self.to_dict())

    def __str__(self) -> str:
        fine, told = self.effective_informative_cases
        word = "PASSED" if self.passed else STATUS_NOTHING_VALIDATED if self.nothing_validated else "FAILED"
        lines = [f"Validate: {self.suite_name}: {word}", f"  {fine} of {told} cases that can be validated are OK"]
        if self.nothing_validated:
            lines.append(f"  {STATUS_NOTHING_VALIDATED}: zero graders executed; nothing is known of this suite")
        for result in self.results:
            if result.status != STATUS_OK:
                who = f"{result.failed_graders[0].evaluator}: " if result.failed_graders else ""
                why = result.failed_graders[0].reason if result.failed_graders else result.reason
                lines.append(f"  {result.status}: {result.case_input[:_SHOWN]!r}: {who}{why}")
        if unasked := self._unasked():
            lines.append(f"  judges that were not asked: {', '.join(unasked)}; --judges asks them")
        return "\n".join([*lines, *([str(self.costs)] if self.costs is not None else [])])

    def _with(self, status: str) -> list[CaseValidation]:
        return [result for result in self.results if result.status == status]

    def _unasked(self) -> list[str]:
        return sorted({name for result in self.results for name in result.skipped_graders})


def validate_suite(suite: EvalSuite, *, include_judges: bool = False, contrast: bool = True) -> ValidationReport:
    """Check the reference output of every case, else its expected output; the function under test is not asked.

    With `contrast`, a case is also checked with what its twin (of the same `pair_id`) says is wrong. Judges are
    asked only if they are included.
    """
    cases, evaluators = suite.cases, suite.evaluators
    if not include_judges:
        return ValidationReport(suite.name, _validated(cases, cases, evaluators, False, contrast))
    tracker = CostTracker()
    token = set_active_tracker(tracker)
    try:
        for evaluator in evaluators:
            prepare = getattr(evaluator, "prepare", None)
            if callable(prepare):
                prepare()
        results = _validated(cases, cases, evaluators, True, contrast)
    finally:
        reset_token(token)
    return ValidationReport(suite.name, results, tracker.snapshot())


def _validated(
    cases: Sequence[EvalCase], every: Sequence[EvalCase], evaluators: Sequence[Any], judges: bool, contrast: bool
) -> list[CaseValidation]:
    asked = [ev for ev in evaluators if judges or not _is_judge(ev)]
    unasked = [name_of(ev) for ev in evaluators if not judges and _is_judge(ev)]
    known = [_known(case, every if contrast else ()) for case in cases]
    told = Running("validate", cases, asked).native.validate(known, judges=True)
    return [
        _said(CaseValidation(index, case.input, "", [], list(unasked)), found, bool(evaluators), bool(asked))
        for index, (case, found) in enumerate(zip(cases, told.cases, strict=True))
    ]


def _said(told: CaseValidation, found: native.CaseValidation, checks: bool, asked: bool) -> CaseValidation:
    """The findings in multivon-eval's words; there, one check that passes what is wrong is enough to be told."""
    told.failed_graders = [EvalResult.of(check) for check in found.failed]
    told.status, told.reason = STATUS_UNVALIDATABLE, found.reason
    if not checks:
        told.reason = "no evaluators"
    elif found.verdict == "fails_right":
        told.status = STATUS_BROKEN
    elif found.blind:
        told.status = STATUS_NO_DISCRIMINATION
        told.reason = f"{', '.join(found.blind)}: right and wrong both pass, zero information"
    elif found.verdict == "ok":
        told.status = STATUS_OK
    elif any(result.judge_error for result in found.right):
        told.reason = f"judge unavailable, which is not a grader verdict: {found.reason}"
    elif found.right and not asked:
        told.reason = "all graders are judge-backed; rerun with --judges"
    return told


def _known(case: EvalCase, every: Sequence[EvalCase]) -> native.Known:
    """What is known of a case; what its twin says is wrong, is wrong."""
    known = native.known_outputs(case, case_of(case))
    twin = _twin(case, every)
    return replace(known, wrong=(*known.wrong, *([] if twin is None else [twin])) if every else ())


def _is_judge(evaluator: Any) -> bool:
    measure = getattr(evaluator, "measure", None)
    return bool(getattr(evaluator, "uses_llm_judge", False)) or inspect.iscoroutinefunction(measure)


def _twin(case: EvalCase, cases: Sequence[EvalCase]) -> str | None:
    """What another case of the same pair says is wrong."""
    pair = case.metadata.get("pair_id")
    for other in cases if pair else ():
        wrong = other.metadata.get("unfaithful_answer")
        if other is not case and other.metadata.get("pair_id") == pair and isinstance(wrong, str) and wrong.strip():
            return wrong
    return None


def _record(result: CaseValidation) -> dict[str, Any]:
    failed = [
        {"evaluator": check.evaluator, "score": round(check.score, 4), "passed": check.passed, "reason": check.reason}
        for check in result.failed_graders
    ]
    return {**vars(result), "failed_graders": failed}


def _validate_case(
    idx: int,
    case: EvalCase,
    all_cases: Sequence[EvalCase],
    evaluators: Sequence[Any],
    *,
    include_judges: bool,
    contrast: bool,
) -> CaseValidation:
    (found,) = _validated([case], all_cases, evaluators, include_judges, contrast)
    found.case_index = idx
    return found
