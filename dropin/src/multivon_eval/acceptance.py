"""`AcceptancePolicy`: what a report must show before it is released, and whether it does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, get_args

from multivon_eval.canonical import digest
from multivon_eval.case_result import CaseResult
from multivon_eval.gate import EvalGateFailure
from multivon_eval.sealed_record import require_text
from multivon_eval.trials import trial_integrity_issues
from multivon_eval.upstream import execution_issues
from ringtrue.evaluators.judged.config import require_count, require_share

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport

__all__ = ["AcceptanceFinding", "AcceptancePolicy", "AcceptanceResult", "CheckRequirement", "SliceRequirement"]

SCHEMA = "multivon.policy/v1"
RESULT_SCHEMA = "multivon.acceptance/v1"

Decision = Literal["accept", "reject", "indeterminate"]
Scope = Literal["all_attempts", "final_attempt"]
_ERRORS = ("model_error", "judge_error", "evaluator_error")


@dataclass(frozen=True)
class CheckRequirement:
    """How many cases must pass a check, and how many it must have measured.

    A case passes where every trial that counts does. Any failure of a `critical` check rejects.
    """

    evaluator: str
    min_pass_rate: float = 1.0
    min_cases: int = 1
    min_coverage: float = 1.0
    critical: bool = False

    def __post_init__(self) -> None:
        require_text(evaluator=self.evaluator)
        require_share("min_pass_rate", self.min_pass_rate)
        require_share("min_coverage", self.min_coverage)
        require_count("min_cases", self.min_cases)
        _require_flag("critical", self.critical)


@dataclass(frozen=True)
class SliceRequirement:
    """What the cases of a tag must show, each check by itself."""

    tag: str
    min_cases: int = 1
    min_pass_rate: float = 1.0
    min_coverage: float = 1.0

    def __post_init__(self) -> None:
        require_text(tag=self.tag)
        require_share("min_pass_rate", self.min_pass_rate)
        require_share("min_coverage", self.min_coverage)
        require_count("min_cases", self.min_cases)


@dataclass(frozen=True)
class AcceptanceFinding:
    """One reason against a report: something it shows (`quality`) or something it does not (`evidence`)."""

    kind: Literal["quality", "evidence"]
    code: str
    scope: str
    message: str


@dataclass(frozen=True)
class AcceptanceResult:
    """Whether a report is accepted; what is shown to be bad rejects it, what is not shown leaves it open."""

    decision: Decision
    policy_digest: str
    findings: tuple[AcceptanceFinding, ...]
    measurements: tuple[dict[str, Any], ...]

    @property
    def exit_code(self) -> int:
        """0 accepted, 1 rejected, 2 open."""
        return get_args(Decision).index(self.decision)

    def to_dict(self) -> dict[str, Any]:
        """The decision as plain values."""
        return {"schema": RESULT_SCHEMA, "exit_code": self.exit_code, **asdict(self)}

    def assert_accepted(self) -> None:
        """Raise EvalGateFailure unless the report is accepted; its `acceptance` is this result."""
        if self.decision == "accept":
            return
        reasons = "; ".join(finding.message for finding in self.findings)
        failure = EvalGateFailure(f"Acceptance {self.decision}: {reasons}", code=self.exit_code)
        failure.code, failure.acceptance = self.exit_code, self
        raise failure


@dataclass(frozen=True)
class AcceptancePolicy:
    """What a report must show: its checks, the tags that must hold by themselves, enough cases, few errors.

    Every attempt counts, so that a lucky retry hides nothing; `final_attempt` counts the last alone.
    """

    checks: Sequence[CheckRequirement]
    slices: Sequence[SliceRequirement] = ()
    min_cases: int = 1
    min_source_groups: int = 0
    max_error_rate: float = 0.0
    trial_scope: Scope = "all_attempts"
    require_trials: bool = True
    require_identity: bool = True

    def __post_init__(self) -> None:
        for name, kind, key in (("checks", CheckRequirement, "evaluator"), ("slices", SliceRequirement, "tag")):
            given = tuple(getattr(self, name))
            object.__setattr__(self, name, given)
            if not all(isinstance(item, kind) for item in given):
                raise ValueError(f"{name} are {kind.__name__}s; got {given!r}")
            if len({getattr(item, key) for item in given}) < len(given):
                raise ValueError(f"{name} ask for the same {key} twice")
        if not self.checks:
            raise ValueError("a policy needs at least one CheckRequirement")
        require_count("min_cases", self.min_cases)
        require_count("min_source_groups", self.min_source_groups, least=0)
        require_share("max_error_rate", self.max_error_rate)
        _require_flag("require_trials", self.require_trials)
        _require_flag("require_identity", self.require_identity)
        if self.trial_scope not in get_args(Scope):
            raise ValueError(f"trial_scope is one of {', '.join(get_args(Scope))}; got {self.trial_scope!r}")

    @property
    def digest(self) -> str:
        """The SHA-256 of the policy."""
        return digest(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """The policy as plain values."""
        return {"schema": SCHEMA, **asdict(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> AcceptancePolicy:
        """The policy that plain values describe."""
        given = dict(data)
        if given.pop("schema", None) != SCHEMA:
            raise ValueError(f"not a policy: its schema is {data.get('schema')!r}, not {SCHEMA!r}")
        checks = [CheckRequirement(**item) for item in given.pop("checks", ())]
        return cls(checks, [SliceRequirement(**item) for item in given.pop("slices", ())], **given)

    def evaluate(self, report: EvalReport) -> AcceptanceResult:
        """Whether a report shows what it must."""
        members = [(case, self._counted(case)) for case in report.case_results]
        measurements: list[dict[str, Any]] = []
        findings = [*self._identity(report), *self._shared(members, measurements)]
        scopes: list[tuple[str, SliceRequirement | None]] = [("all", None)]
        for scope, tagged in scopes + [(f"tag:{item.tag}", item) for item in self.slices]:
            inside = [trials for case, trials in members if tagged is None or tagged.tag in case.tags]
            if tagged is not None and len(inside) < tagged.min_cases:
                words = f"{scope}: {len(inside)} cases, {tagged.min_cases} are needed"
                findings.append(_missing("insufficient_slice", words, scope))
            for required in self.checks:
                findings += _held(scope, inside, required, tagged, measurements)
        bad = any(finding.kind == "quality" for finding in findings)
        decision: Decision = "reject" if bad else "indeterminate" if findings else "accept"
        return AcceptanceResult(decision, self.digest, tuple(findings), tuple(measurements))

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

    def _identity(self, report: EvalReport) -> Iterator[AcceptanceFinding]:
        cases = report.case_results
        if len(cases) < self.min_cases:
            yield _missing("insufficient_cases", f"{len(cases)} cases, {self.min_cases} are needed")
        for issue in report.evidence_issues:
            yield _missing("report_evidence", issue)
        if self.require_identity:
            if any(not case.case_id or not case.case_digest for case in cases):
                yield _missing("missing_identity", "cases have no identity")
            if max(Counter(case.case_id for case in cases if case.case_id).values(), default=1) > 1:
                yield _missing("duplicate_identity", "cases share an id, and are no cases of their own")
        if any(case.evidence_error for case in cases):
            yield _missing("incomplete_evidence", "what was seen of cases could not be kept")
        for case in cases:
            for issue in trial_integrity_issues(case):
                yield _missing("inconsistent_trial_evidence", f"{case.case_id}: {issue}")
            stopped = (execution_issues(one.data.get("upstream"), include_errors=False) for one in case.trials)
            for issue in dict.fromkeys(chain.from_iterable(stopped)):
                yield _missing("upstream_execution", f"{case.case_id}: {issue}")
        if self.require_trials and any(not case.trials for case in cases):
            yield _missing("missing_trials", "cases have no trials")

    def _shared(self, members: Sequence[_Member], measurements: list[dict[str, Any]]) -> Iterator[AcceptanceFinding]:
        """Errors and sources of all cases."""
        broken = sum(any(trial.get(name) is not None for trial in trials for name in _ERRORS) for _, trials in members)
        rate = broken / len(members) if members else None
        counts = {"cases": len(members), "errored_cases": broken, "value": rate}
        measurements.append({"scope": "all", "metric": "case_error_rate", **counts})
        if rate is not None and rate > self.max_error_rate:
            yield _missing("error_budget", f"{rate:.1%} of cases broke, {self.max_error_rate:.1%} may")
        if not self.min_source_groups:
            return
        groups = [{trial.get("case", {}).get("source_id") for trial in trials} for _, trials in members]
        if any(len(group) != 1 or None in group for group in groups):
            yield _missing("missing_source_groups", "cases have no source_id")
        known = {source for group in groups for source in group if source is not None}
        measurements.append({"scope": "all", "metric": "source_groups", "value": len(known)})
        if len(known) < self.min_source_groups:
            words = f"{len(known)} sources, {self.min_source_groups} are needed"
            yield _missing("insufficient_source_groups", words)


_Member = tuple[CaseResult, list[dict[str, Any]]]


def _held(
    scope: str,
    members: Sequence[list[dict[str, Any]]],
    required: CheckRequirement,
    tagged: SliceRequirement | None,
    measurements: list[dict[str, Any]],
) -> Iterator[AcceptanceFinding]:
    """One check in some cases."""
    verdicts = [[_verdict(trial, required.evaluator) for trial in trials] for trials in members]
    complete = [found for found in verdicts if found and None not in found]
    passed = sum(all(found) for found in complete)
    coverage = len(complete) / len(members) if members else 0.0
    rate = passed / len(complete) if complete else None
    counts = {"cases": len(members), "measured_cases": len(complete), "passed_cases": passed}
    about = {"scope": scope, "metric": required.evaluator}
    measurements.append({**about, **counts, "coverage": coverage, "pass_rate": rate})
    limits: list[CheckRequirement | SliceRequirement] = [required, *([tagged] if tagged else [])]
    fewest, share, least = (
        max(getattr(limit, name) for limit in limits) for name in ("min_cases", "min_coverage", "min_pass_rate")
    )
    name = f"{scope}/{required.evaluator}"
    if len(complete) < fewest:
        yield _missing("insufficient_measurements", f"{name}: measured in {len(complete)} cases of {fewest}", scope)
    if coverage < share:
        yield _missing("check_coverage", f"{name}: measured in {coverage:.1%} of cases, not {share:.1%}", scope)
    if required.critical and any(verdict is False for found in verdicts for verdict in found):
        yield AcceptanceFinding("quality", "critical_failure", scope, f"{name}: a critical check failed")
    elif rate is not None and rate < least:
        words = f"{name}: {rate:.1%} of cases passed, not {least:.1%}"
        yield AcceptanceFinding("quality", "quality_threshold", scope, words)


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


def _missing(code: str, message: str, scope: str = "all") -> AcceptanceFinding:
    return AcceptanceFinding("evidence", code, scope, message)


def _require_flag(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise ValueError(f"{name} is True or False; got {value!r}")
