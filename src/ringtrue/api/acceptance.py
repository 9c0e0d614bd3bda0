"""`AcceptancePolicy`: what a report must show before what it is about is released, and whether it does."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeAlias, get_args

from ringtrue.api.case_result import CaseResult
from ringtrue.api.gate import GateFailure
from ringtrue.api.report import EvalReport
from ringtrue.datasets.structured import read_structured
from ringtrue.errors import AbsentFile, ConfigurationError
from ringtrue.evaluators.check import require
from ringtrue.evaluators.judged.config import require_count, require_share, require_text
from ringtrue.records import Json
from ringtrue.reports.canonical import digest

Decision: TypeAlias = Literal["accept", "reject", "indeterminate"]


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
        _require_limits(self)
        require_flag("critical", self.critical)


@dataclass(frozen=True)
class SliceRequirement:
    """What the cases of a tag must show, each check by itself."""

    tag: str
    min_cases: int = 1
    min_pass_rate: float = 1.0
    min_coverage: float = 1.0

    def __post_init__(self) -> None:
        require_text(tag=self.tag)
        _require_limits(self)


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

    schema: ClassVar[str] = "ringtrue.acceptance/v1"

    decision: Decision
    policy_digest: str
    findings: tuple[AcceptanceFinding, ...]
    measurements: tuple[dict[str, Any], ...]

    @property
    def exit_code(self) -> int:
        """0 accepted, 1 rejected, 2 open."""
        return get_args(Decision).index(self.decision)

    @property
    def words(self) -> str:
        """The decision with its reasons."""
        return f"Acceptance {self.decision}: {'; '.join(finding.message for finding in self.findings)}"

    def to_dict(self) -> dict[str, Json]:
        """The decision as plain values."""
        return {"schema": self.schema, "exit_code": self.exit_code, **asdict(self)}

    def assert_accepted(self) -> None:
        """Raise GateFailure unless the report is accepted."""
        if self.decision != "accept":
            raise GateFailure(self.words, pass_rate=None, threshold=None, code=self.exit_code)


class Member(NamedTuple):
    """A case as a policy sees it: what the checks of each trial that counts say, None where they say nothing."""

    tags: Sequence[str]
    trials: Sequence[Callable[[str], bool | None]]
    broken: bool
    source: object = None


@dataclass(frozen=True)
class AcceptancePolicy:
    """What a report must show: its checks, the tags that must hold by themselves, enough cases and sources, few errors.

    Every run of a case counts, so that a lucky one hides nothing.
    """

    schema: ClassVar[str] = "ringtrue.policy/v1"
    result: ClassVar[type[AcceptanceResult]] = AcceptanceResult

    checks: Sequence[CheckRequirement]
    slices: Sequence[SliceRequirement] = field(default=())
    min_cases: int = 1
    min_source_groups: int = 0
    max_error_rate: float = 0.0

    def __post_init__(self) -> None:
        for name, kind, key in (("checks", CheckRequirement, "evaluator"), ("slices", SliceRequirement, "tag")):
            given = tuple(getattr(self, name))
            object.__setattr__(self, name, given)
            if not all(isinstance(item, kind) for item in given):
                raise ConfigurationError(f"{name} are {kind.__name__}s; got {given!r}", parameter=name, value=given)
            if len({getattr(item, key) for item in given}) < len(given):
                raise ConfigurationError(f"{name} ask for the same {key} twice", parameter=name, value=given)
        if not self.checks:
            raise ConfigurationError("a policy needs at least one CheckRequirement", parameter="checks")
        require_count("min_cases", self.min_cases)
        require_count("min_source_groups", self.min_source_groups, least=0)
        require_share("max_error_rate", self.max_error_rate)

    @property
    def digest(self) -> str:
        """The SHA-256 of the policy."""
        return digest(self.to_dict())

    def to_dict(self) -> dict[str, Json]:
        """The policy as plain values."""
        return {"schema": self.schema, **asdict(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The policy that plain values describe."""
        given = dict(data)
        if given.pop("schema", None) != cls.schema:
            raise ConfigurationError(f"not a policy: its schema is {data.get('schema')!r}, not {cls.schema!r}")
        for name, kind in (("checks", CheckRequirement), ("slices", SliceRequirement)):
            items = given.get(name, [])
            if not isinstance(items, (list, tuple)):
                raise ConfigurationError(f"{name} are a list; got {items!r}", parameter=name, value=items)
            given[name] = [kind(**_settings(kind, item, name)) for item in items]
        return cls(**_settings(cls, given, "a policy"))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """The policy in a TOML, JSON or YAML file; it need not name its schema."""
        if not Path(path).exists():
            raise AbsentFile(f"there is no policy {os.fspath(path)!r}")
        data = read_structured(Path(path))
        try:
            if not isinstance(data, dict):
                raise ConfigurationError(f"a policy is an object with checks; got {data!r}", parameter="policy")
            return cls.from_dict({"schema": cls.schema, **data})
        except (TypeError, ValueError) as error:
            raise ConfigurationError(f"{os.fspath(path)}: {error}", parameter="policy") from error

    def evaluate(self, report: EvalReport) -> AcceptanceResult:
        """Hold a report against the policy."""
        return self.decide([_member(case) for case in report.case_results])

    def decide(self, members: Sequence[Member], found: Iterable[AcceptanceFinding] = ()) -> AcceptanceResult:
        """The decision over cases, beside what was found before."""
        measurements: list[dict[str, Any]] = []
        findings = [*found, *self._shared(members, measurements)]
        scopes: list[tuple[str, SliceRequirement | None]] = [("all", None)]
        for scope, tagged in scopes + [(f"tag:{item.tag}", item) for item in self.slices]:
            inside = [member for member in members if tagged is None or tagged.tag in member.tags]
            if tagged is not None and len(inside) < tagged.min_cases:
                words = f"{scope}: {len(inside)} cases, {tagged.min_cases} are needed"
                findings.append(unshown("insufficient_slice", words, scope))
            for required in self.checks:
                findings += _held(scope, inside, required, tagged, measurements)
        bad = any(finding.kind == "quality" for finding in findings)
        decision: Decision = "reject" if bad else "indeterminate" if findings else "accept"
        return self.result(decision, self.digest, tuple(findings), tuple(measurements))

    def _shared(self, members: Sequence[Member], measurements: list[dict[str, Any]]) -> Iterator[AcceptanceFinding]:
        """Number, errors and sources of all cases."""
        if len(members) < self.min_cases:
            yield unshown("insufficient_cases", f"{len(members)} cases, {self.min_cases} are needed")
        broken = sum(member.broken for member in members)
        rate = broken / len(members) if members else None
        counts = {"cases": len(members), "errored_cases": broken, "value": rate}
        measurements.append({"scope": "all", "metric": "case_error_rate", **counts})
        if rate is not None and rate > self.max_error_rate:
            yield unshown("error_budget", f"{rate:.1%} of cases broke, {self.max_error_rate:.1%} may")
        if not self.min_source_groups:
            return
        if any(member.source is None for member in members):
            yield unshown("missing_source_groups", "cases have no source_id")
        known = {member.source for member in members if member.source is not None}
        measurements.append({"scope": "all", "metric": "source_groups", "value": len(known)})
        if len(known) < self.min_source_groups:
            words = f"{len(known)} sources, {self.min_source_groups} are needed"
            yield unshown("insufficient_source_groups", words)


def unshown(code: str, message: str, scope: str = "all") -> AcceptanceFinding:
    """Something that a report does not show."""
    return AcceptanceFinding("evidence", code, scope, message)


def require_flag(name: str, value: object) -> None:
    """Raise a ConfigurationError unless a setting is True or False."""
    require(isinstance(value, bool), f"{name} is True or False; got {value!r}", parameter=name, value=value)


def _settings(kind: type[Any], given: object, where: str) -> dict[str, Any]:
    """What a file says of one thing; a setting that there is not, or that is missing, is refused."""
    if not isinstance(given, Mapping):
        raise ConfigurationError(f"each of {where} is an object; got {given!r}", parameter=where, value=given)
    known = {
        setting.name: setting.default is MISSING and setting.default_factory is MISSING for setting in fields(kind)
    }
    for name in given:
        if name not in known:
            raise ConfigurationError(f"{where}: no setting {name!r}; there are {', '.join(known)}", parameter=str(name))
    for name in (name for name, needed in known.items() if needed and name not in given):
        raise ConfigurationError(f"{where}: {name!r} is missing", parameter=name)
    return dict(given)


def _require_limits(requirement: CheckRequirement | SliceRequirement) -> None:
    require_share("min_pass_rate", requirement.min_pass_rate)
    require_share("min_coverage", requirement.min_coverage)
    require_count("min_cases", requirement.min_cases)


def _member(case: CaseResult) -> Member:
    trials = case.trials or (case,)
    broken = any(trial.error is not None for trial in trials)
    return Member(case.tags, [_verdicts(trial) for trial in trials], broken, case.source_id)


def _verdicts(trial: CaseResult) -> Callable[[str], bool | None]:
    said = {result.evaluator: result.passed for result in trial.measured if trial.model_error is None}
    return said.get


def _held(
    scope: str,
    members: Sequence[Member],
    required: CheckRequirement,
    tagged: SliceRequirement | None,
    measurements: list[dict[str, Any]],
) -> Iterator[AcceptanceFinding]:
    """One check in some cases."""
    verdicts = [[trial(required.evaluator) for trial in member.trials] for member in members]
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
        yield unshown("insufficient_measurements", f"{name}: measured in {len(complete)} cases of {fewest}", scope)
    if coverage < share:
        yield unshown("check_coverage", f"{name}: measured in {coverage:.1%} of cases, not {share:.1%}", scope)
    if required.critical and any(verdict is False for found in verdicts for verdict in found):
        yield AcceptanceFinding("quality", "critical_failure", scope, f"{name}: a critical check failed")
    elif rate is not None and rate < least:
        words = f"{name}: {rate:.1%} of cases passed, not {least:.1%}"
        yield AcceptanceFinding("quality", "quality_threshold", scope, words)
