"""`CaseResult`: the result of one case of a suite, asked once or several times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from math import fsum, sqrt
from typing import TypeVar

from ringtrue.dialects.suite import CheckResult, result_of
from ringtrue.records import Case, CaseId, Row


class EvalStatus(StrEnum):
    """The outcome of a case."""

    PASSED = "passed"
    FAILED_QUALITY = "failed_quality"
    MODEL_ERROR = "model_error"
    JUDGE_ERROR = "judge_error"
    EVALUATOR_ERROR = "evaluator_error"
    TIMEOUT = "timeout"
    SKIPPED = "skipped"


EVALUATED = frozenset({EvalStatus.PASSED, EvalStatus.FAILED_QUALITY})
ERRORS = (EvalStatus.MODEL_ERROR, EvalStatus.TIMEOUT, EvalStatus.JUDGE_ERROR, EvalStatus.EVALUATOR_ERROR)


@dataclass(frozen=True)
class CaseResult:
    """One case with its output and the results of its checks.

    A case that ran several times has one result per run in `trials`; its own `results` combine all runs: the mean
    score, and passed if every measured run passed. `weights` are the weights of the checks in `score`, 1 by default.
    """

    case_input: str
    actual_output: str
    results: Sequence[CheckResult] = ()
    latency_ms: float | None = None
    tags: tuple[str, ...] = ()
    model_error: str | None = None
    timed_out: bool = False
    skipped: bool = False
    case_id: CaseId = ""
    source_id: str | None = None
    expected: tuple[str, ...] | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    traceback: str = ""
    trials: tuple[CaseResult, ...] = ()

    @cached_property
    def status(self) -> EvalStatus:
        """The outcome: an error if any run has one; passed only if every run passed."""
        if self.trials:
            found = {trial.status for trial in self.trials}
            order = (*ERRORS, EvalStatus.SKIPPED, EvalStatus.FAILED_QUALITY)
            return next((status for status in order if status in found), EvalStatus.PASSED)
        if self.skipped:
            return EvalStatus.SKIPPED
        if self.model_error is not None:
            return EvalStatus.TIMEOUT if self.timed_out else EvalStatus.MODEL_ERROR
        if self.judge_error is not None:
            return EvalStatus.JUDGE_ERROR
        if self.evaluator_error is not None:
            return EvalStatus.EVALUATOR_ERROR
        if self.results and not self.measured:
            return EvalStatus.SKIPPED
        passed = bool(self.results) and all(result.passed for result in self.measured)
        return EvalStatus.PASSED if passed else EvalStatus.FAILED_QUALITY

    @property
    def measured(self) -> list[CheckResult]:
        """The checks that have a score."""
        return [result for result in self.results if result.score is not None]

    @property
    def passed(self) -> bool:
        """True if the status is `passed`."""
        return self.status is EvalStatus.PASSED

    @property
    def evaluated(self) -> bool:
        """True if the case has a verdict: passed or failed."""
        return self.status in EVALUATED

    @property
    def judge_error(self) -> str | None:
        """The message of the first check whose judge could not be reached or read."""
        return self._check_error(lambda kind: kind == "judge_error")

    @property
    def evaluator_error(self) -> str | None:
        """The message of the first check that broke."""
        return self._check_error(lambda kind: kind != "judge_error")

    def _check_error(self, wanted: Callable[[object], bool]) -> str | None:
        if self.model_error is not None:
            return None  # the checks' errors only repeat it
        broken = [result for result in self.results if result.status == "error"]
        return next((result.reason for result in broken if wanted(result.metadata.get("kind"))), None)

    @property
    def error(self) -> str | None:
        """The message of the first error, if there is one."""
        return next((text for text in (self.model_error, self.judge_error, self.evaluator_error) if text), None)

    @property
    def score(self) -> float | None:
        """The weighted mean of the measured checks, averaged over runs; None if nothing was measured."""
        if self.trials:
            return fsum(self.all_scores) / len(self.all_scores) if self.all_scores else None
        pairs = [(self.weights.get(result.evaluator, 1.0), result.score) for result in self.results]
        known = [(weight, score) for weight, score in pairs if score is not None]
        whole = fsum(weight for weight, _ in known)
        return fsum(weight * score for weight, score in known) / whole if whole else None

    @property
    def runs(self) -> int:
        """The number of times that the case was asked."""
        return len(self.trials) or 1

    @property
    def all_scores(self) -> tuple[float, ...]:
        """The score of each run that has one."""
        scores = [trial.score for trial in self.trials] if self.trials else [self.score]
        return tuple(score for score in scores if score is not None)

    @property
    def score_std(self) -> float | None:
        """The population standard deviation of the scores of the runs; None with fewer than two."""
        scores = self.all_scores
        if len(scores) < 2:
            return None
        mean = fsum(scores) / len(scores)
        return sqrt(fsum((score - mean) ** 2 for score in scores) / len(scores))

    @property
    def pass_count(self) -> int:
        """The number of runs that passed."""
        return sum(trial.passed for trial in self.trials or (self,))

    @property
    def run_pass_rate(self) -> float | None:
        """The share of runs that passed, of those with a verdict; None if none has one."""
        judged = sum(trial.evaluated for trial in self.trials or (self,))
        return self.pass_count / judged if judged else None

    @property
    def is_flaky(self) -> bool:
        """True if some runs passed and some failed."""
        return 0 < self.pass_count < sum(trial.evaluated for trial in self.trials)


def source_of(case: CaseResult, place: int) -> object:
    """The source of a case: its `source_id`, or else its own position."""
    return place if case.source_id is None else ("source", case.source_id)


def result_of_rows(rows: Sequence[Row], weights: Mapping[str, float], repeats: int, only: str = "") -> CaseResult:
    """Combine the rows of one case; a missing repeat counts as skipped.

    `only` is the one check that decides, if the others are only further numbers.
    """
    trials = [_of_row(row, weights, only) for row in rows]
    first = rows[0].trial.case
    return merge_trials([*trials, *[not_asked(first, weights)] * (repeats - len(trials))])


def not_asked(case: Case, weights: Mapping[str, float]) -> CaseResult:
    """The result of a case that no system was asked."""
    return CaseResult(
        case_input=case.input, actual_output="", tags=case.tags, skipped=True, case_id=case.id, weights=weights
    )


def _of_row(row: Row, weights: Mapping[str, float], only: str) -> CaseResult:
    case, output = row.trial.case, row.trial.output
    source = case.fields.get("source_id")
    checks = {name: score for name, score in row.scores.items() if only in ("", name)}
    return CaseResult(
        case_input=case.input,
        actual_output=output.text,
        results=tuple(result_of(name, score) for name, score in checks.items()),
        latency_ms=None if output.latency_seconds is None else output.latency_seconds * 1_000,
        tags=case.tags,
        model_error=output.problem if output.error else None,
        timed_out=output.error == "timeout",
        case_id=case.id,
        source_id=None if source is None else str(source),
        expected=case.expected,
        weights=weights,
        input_tokens=output.input_tokens,
        output_tokens=output.output_tokens,
        cost=output.cost,
        traceback=output.traceback,
    )


def merge_trials(trials: Sequence[CaseResult]) -> CaseResult:
    """The result of a case asked several times; one trial alone is its own result."""
    last = trials[-1]
    if len(trials) == 1:
        return last
    latencies = [trial.latency_ms for trial in trials if trial.latency_ms is not None]
    names = dict.fromkeys(result.evaluator for trial in trials for result in trial.results)
    by_name = {name: [r for trial in trials for r in trial.results if r.evaluator == name] for name in names}
    return replace(
        last,
        results=tuple(_together(name, results) for name, results in by_name.items()),
        latency_ms=fsum(latencies) / len(latencies) if latencies else None,
        model_error=next((trial.model_error for trial in trials if trial.model_error is not None), None),
        timed_out=any(trial.timed_out for trial in trials),
        skipped=any(trial.skipped for trial in trials),
        input_tokens=_sum([trial.input_tokens for trial in trials]),
        output_tokens=_sum([trial.output_tokens for trial in trials]),
        cost=_sum([trial.cost for trial in trials]),
        traceback=next((trial.traceback for trial in trials if trial.traceback), ""),
        trials=tuple(trials),
    )


def _together(name: str, results: Sequence[CheckResult]) -> CheckResult:
    broken = next((result for result in results if result.status == "error"), None)
    scores = [result.score for result in results if result.score is not None]
    if broken is not None or not scores:
        return broken or results[0]
    measured = [result for result in results if result.score is not None]
    failed = next((result for result in measured if not result.passed), None)
    good = sum(result.passed for result in measured)
    reason = measured[0].reason if failed is None else f"passed {good} of {len(measured)} runs; {failed.reason}"
    return CheckResult(
        evaluator=name,
        score=fsum(scores) / len(scores),
        passed=failed is None,
        reason=reason,
        metadata={"scores": scores},
    )


Number = TypeVar("Number", int, float)


def _sum(values: Sequence[Number | None]) -> Number | None:
    known = [value for value in values if value is not None]
    return sum(known, start=type(known[0])()) if known and len(known) == len(values) else None
