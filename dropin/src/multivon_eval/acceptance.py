"""`AcceptancePolicy`: ringtrue's, over trials that were kept, and what must be known of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from ringtrue.api.acceptance import (
    AcceptanceFinding,
    CheckRequirement,
    Member,
    SliceRequirement,
    require_flag,
    unshown,
)

from multivon_eval.case_result import CaseResult
from multivon_eval.gate import EvalGateFailure
from multivon_eval.trials import trial_integrity_issues
from multivon_eval.upstream import execution_issues
from ringtrue.api import acceptance

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport

__all__ = ["AcceptanceFinding", "AcceptancePolicy", "AcceptanceResult", "CheckRequirement", "SliceRequirement"]

Scope = Literal["all_attempts", "final_attempt"]
_ERRORS = ("model_error", "judge_error", "evaluator_error")


@dataclass(frozen=True)
class AcceptanceResult(acceptance.AcceptanceResult):
    """Whether a report is accepted; what is shown to be bad rejects it, what is not shown leaves it open."""

    schema: ClassVar[str] = "multivon.acceptance/v1"

    def assert_accepted(self) -> None:
        """Raise EvalGateFailure unless the report is accepted; its `acceptance` is this result."""
        if self.decision == "accept":
            return
        failure = EvalGateFailure(self.words, code=self.exit_code)
        failure.code, failure.acceptance = self.exit_code, self
        raise failure


@dataclass(frozen=True)
class AcceptancePolicy(acceptance.AcceptancePolicy):
    """What a report must show: its checks, the tags that must hold by themselves, enough cases, few errors.

    Every attempt counts, so that a lucky retry hides nothing; `final_attempt` counts the last alone.
    """

    schema: ClassVar[str] = "multivon.policy/v1"
    result: ClassVar[type[acceptance.AcceptanceResult]] = AcceptanceResult

    trial_scope: Scope = "all_attempts"
    require_trials: bool = True
    require_identity: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        require_flag("require_trials", self.require_trials)
        require_flag("require_identity", self.require_identity)
        if self.trial_scope not in get_args(Scope):
            raise ValueError(f"trial_scope is one of {', '.join(get_args(Scope))}; got {self.trial_scope!r}")

    def evaluate(self, report: EvalReport) -> acceptance.AcceptanceResult:  # type: ignore[override]
        """Hold a report against the policy."""
        members = [self._member(case) for case in report.case_results]
        return self.decide(members, self._evidence(report))

    def _member(self, case: CaseResult) -> Member:
        trials = self._counted(case)
        broken = any(trial.get(name) is not None for trial in trials for name in _ERRORS)
        sources = {trial.get("case", {}).get("source_id") for trial in trials}
        source = sources.pop() if len(sources) == 1 else None
        return Member(case.tags, [partial(_verdict, trial) for trial in trials], broken, source)

    def _counted(self, case: CaseResult) -> list[dict[str, Any]]:
        """The trials that count; without any, the result itself, where trials are not required."""
        trials = [trial.data for trial in case.trials]
        if trials and self.trial_scope == "final_attempt":
            last = max(trial["attempt"] for trial in trials)
            final = {trial["run_index"]: trial for trial in trials if trial["attempt"] == last}
            # Inspect repeats the runs that failed, and keeps the others.
            kept = {trial["run_index"]: trial for trial in trials if trial.get("origin") == "inspect"}
            return list({**kept, **final}.values())
        if trials or self.require_trials:
            return trials
        checks = [result.record() for result in case.results]
        return [{"evaluators": checks, **{name: getattr(case, name) for name in _ERRORS}}]

    def _evidence(self, report: EvalReport) -> Iterator[AcceptanceFinding]:
        cases = report.case_results
        for issue in report.evidence_issues:
            yield unshown("report_evidence", issue)
        if self.require_identity:
            if any(not case.case_id or not case.case_digest for case in cases):
                yield unshown("missing_identity", "cases have no identity")
            if max(Counter(case.case_id for case in cases if case.case_id).values(), default=1) > 1:
                yield unshown("duplicate_identity", "cases share an id, and are no cases of their own")
        if any(case.evidence_error for case in cases):
            yield unshown("incomplete_evidence", "what was seen of cases could not be kept")
        for case in cases:
            for issue in trial_integrity_issues(case):
                yield unshown("inconsistent_trial_evidence", f"{case.case_id}: {issue}")
            stopped = (execution_issues(one.data.get("upstream"), include_errors=False) for one in case.trials)
            for issue in dict.fromkeys(chain.from_iterable(stopped)):
                yield unshown("upstream_execution", f"{case.case_id}: {issue}")
        if self.require_trials and any(not case.trials for case in cases):
            yield unshown("missing_trials", "cases have no trials")


def _verdict(trial: Mapping[str, Any], evaluator: str) -> bool | None:
    """What a trial's only check of this name says; None where there is no such check, or it measured nothing."""
    found = [check for check in trial["evaluators"] if check["name"] == evaluator]
    if len(found) != 1 or trial.get("model_error") is not None or _withdrawn(trial):
        return None
    metadata = found[0].get("metadata") or {}
    if metadata.get("skipped") or metadata.get("error_kind"):
        return None
    return bool(found[0]["passed"])


def _withdrawn(trial: Mapping[str, Any]) -> bool:
    return bool(((trial.get("upstream") or {}).get("execution") or {}).get("invalidation"))
