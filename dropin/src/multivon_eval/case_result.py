"""`EvalResult` and `CaseResult`: what the checks of one case said, in multivon-eval's shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, pstdev
from typing import Annotated, Any

from pydantic import Field

from multivon_eval.case import AgentStep
from ringtrue import CheckResult
from ringtrue import EvalStatus as EvalStatus
from ringtrue.records import Score, Status

EVALUATION_STATUSES = frozenset({EvalStatus.PASSED, EvalStatus.FAILED_QUALITY})
ERROR_STATUSES = frozenset(EvalStatus) - EVALUATION_STATUSES - {EvalStatus.SKIPPED}

Share = Annotated[float, Field(ge=0, le=1)]
_ERROR_WORDS = {"judge_error": "judge unavailable", "evaluator_error": "evaluator error"}


@dataclass
class EvalResult:
    """One check's result; where nothing was measured the score is 0.0, and `metadata` says so."""

    evaluator: str
    score: Share
    passed: bool
    reason: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def status(self) -> Status:
        """Whether the score is a measurement: `scored`, `skipped` or `error`."""
        if self.metadata.get("skipped"):
            return "skipped"
        return "error" if self.metadata.get("error_kind") else "scored"

    @classmethod
    def of(cls, check: CheckResult) -> EvalResult:
        """A result of ringtrue in multivon-eval's shape."""
        if check.status != "error":
            return cls(check.evaluator, check.score or 0.0, check.passed, check.reason, dict(check.metadata))
        kind = "judge_error" if check.metadata.get("kind") == "judge_error" else "evaluator_error"
        detail = check.reason.removeprefix("[error] ")
        metadata = {"error_kind": kind, "error_detail": detail}
        return cls(check.evaluator, 0.0, False, f"[{_ERROR_WORDS[kind]}: {detail}]", metadata)

    def as_score(self) -> Score:
        """The result as ringtrue's score; a number outside [0, 1] raises."""
        if self.status == "scored":
            return Score(self.score, "scored", self.passed, self.reason, metadata=self.metadata)
        known = {name: value for name, value in self.metadata.items() if name != "skipped"}
        kind = {"kind": known["error_kind"]} if self.status == "error" else {}
        reason = self.reason.removeprefix("[skipped] ") or self.status
        return Score(None, self.status, None, reason, metadata={**known, **kind})


@dataclass
class CaseResult:
    """The result of one case; of several runs of it, if `runs` says so."""

    case_input: str
    actual_output: str
    results: list[EvalResult]
    latency_ms: Annotated[float, Field(ge=0)] = 0.0
    tags: list[str] = field(default_factory=list)
    model_error: str | None = None
    judge_error: str | None = None
    evaluator_error: str | None = None
    skipped: bool = False
    agent_trace: list[AgentStep] | None = None
    runs: Annotated[int, Field(ge=1)] = 1
    all_scores: list[Share] = field(default_factory=list)
    pass_count: Annotated[int, Field(ge=-1)] = -1
    retry_attempts: int = 0
    retry_errors: list[str] = field(default_factory=list)
    case_id: str | None = None
    case_digest: str | None = None
    trials: tuple[Any, ...] = ()
    evidence_error: str | None = None

    source_id = None  # ringtrue's intervals ask which cases share a source

    @property
    def measured(self) -> list[EvalResult]:
        """The results that are measurements."""
        return [result for result in self.results if result.status == "scored"]

    @property
    def status(self) -> EvalStatus:
        """The status of the case: errors first; then it passes if every run, or every measured check, does."""
        if self.skipped:
            return EvalStatus.SKIPPED
        for error, status in (
            (self.model_error, EvalStatus.MODEL_ERROR),
            (self.judge_error, EvalStatus.JUDGE_ERROR),
            (self.evaluator_error, EvalStatus.EVALUATOR_ERROR),
        ):
            if error is not None:
                return status
        measured = self.measured
        if self.results and not measured:
            return EvalStatus.SKIPPED
        passed = bool(measured) and all(result.passed for result in measured)
        if self.pass_count >= 0:
            passed = self.pass_count == self.runs
        return EvalStatus.PASSED if passed else EvalStatus.FAILED_QUALITY

    @property
    def passed(self) -> bool:
        """Whether the status is passed."""
        return self.status is EvalStatus.PASSED

    @property
    def evaluated(self) -> bool:
        """Whether the case has a verdict."""
        return self.status in EVALUATION_STATUSES

    @property
    def error(self) -> str | None:
        """The message of the error that left the case without a verdict."""
        return next((text for text in (self.model_error, self.judge_error, self.evaluator_error) if text), None)

    @property
    def score(self) -> float:
        """The mean of the measured checks, or of the runs; 0.0 where there is none."""
        numbers = self.all_scores or [result.score for result in self.measured]
        return fmean(numbers) if numbers else 0.0

    @property
    def score_std(self) -> float:
        """The standard deviation of the runs' scores."""
        return pstdev(self.all_scores) if len(self.all_scores) > 1 else 0.0

    @property
    def run_pass_rate(self) -> float:
        """The share of runs that passed."""
        return self.pass_count / self.runs if self.pass_count >= 0 else float(self.passed)

    @property
    def is_flaky(self) -> bool:
        """Whether some runs passed and some did not."""
        return self.runs > 1 and 0 < self.pass_count < self.runs


def aggregated(runs: Sequence[CaseResult]) -> CaseResult:
    """Several runs of a case as one result: mean scores, a check passed where most of its runs did."""
    if len(runs) == 1:
        return runs[0]
    last = runs[-1]
    names = dict.fromkeys(result.evaluator for run in runs for result in run.results)
    by_name = [[r for run in runs for r in run.results if r.evaluator == name] for name in names]

    def first(error: str) -> str | None:
        return next((text for run in runs if (text := getattr(run, error)) is not None), None)

    errors = ("model_error", "judge_error", "evaluator_error", "evidence_error")
    return replace(
        last,
        results=[_mean_result(results, len(runs)) for results in by_name],
        latency_ms=fmean(run.latency_ms for run in runs),
        skipped=any(run.status is EvalStatus.SKIPPED for run in runs) and not any(run.error for run in runs),
        runs=len(runs),
        all_scores=[run.score for run in runs if run.measured],
        pass_count=sum(run.passed for run in runs),
        **{error: first(error) for error in errors},  # type: ignore[arg-type]
    )


def _mean_result(results: Sequence[EvalResult], runs: int) -> EvalResult:
    measured = [result for result in results if result.status == "scored"]
    if not measured:
        return results[0]
    good = sum(result.passed for result in measured)
    reason = f"avg over {runs} runs (passed {good}/{len(measured)})"
    scores = [result.score for result in measured]
    metadata = {"runs": runs, "all_scores": scores}
    return EvalResult(results[0].evaluator, fmean(scores), 2 * good > len(measured), reason, metadata)
