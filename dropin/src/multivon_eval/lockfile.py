"""`SuiteLock`: what a suite is made of, in a file; a suite that has changed since is told apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from _ringtrue_dropin import __version__
from ringtrue.reports.canonical import canonical_json, digest

from multivon_eval.case import EvalCase
from multivon_eval.dependencies import FINGERPRINT, engine_dependencies, evaluator_dependencies, lock_issues, seal_lock
from multivon_eval.exceptions import MultivonError
from ringtrue.identity import name_of

if TYPE_CHECKING:
    from multivon_eval.suite import EvalSuite

__all__ = [
    "EvaluatorFingerprint",
    "LockMismatch",
    "SuiteLock",
    "build_suite_lock",
    "fingerprint_evaluator",
    "verify_suite_against_lock",
]

_COMPARED = ("threshold", "prompt_hash", "judge", "calibration", "version")
_JUDGE = ("provider", "model", "base_url", "temperature", "max_tokens", "timeout", "cache", "reliability_check",
          "reliability_sample")  # fmt: skip
_JUDGES = ("_judge_cfg", "judge", "_judge")
_CALIBRATION = ("dataset", "dataset_hash", "n", "f1", "measured_at", "threshold")
_DOCUMENTED = ("deterministic", "llm_judge", "agent", "conversation", "consistency", "multimodal", "compliance")
_PROMPTS = ("_PROMPT", "_CLAIM_PROMPT", "_VERIFICATION_PROMPT", "PROMPT", "_TEMPLATE", "TEMPLATE", "prompt_hash",
            "criterion", "criteria")  # fmt: skip
"""Where a check keeps the words it asks with."""


class LockMismatch(MultivonError):
    """A suite is not the one that was locked; `differences` tells in what."""

    def __init__(self, differences: Sequence[str]) -> None:
        self.differences = list(differences)
        lines = "".join(f"\n  - {difference}" for difference in self.differences)
        super().__init__(f"the suite is not the one that was locked:{lines}")


@dataclass
class EvaluatorFingerprint:
    """How one check of a locked suite is set."""

    name: str
    class_path: str
    threshold: float
    prompt_hash: str | None = None
    judge: dict[str, Any] | None = None
    calibration: dict[str, Any] | None = None
    version: str = "1"
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass
class SuiteLock:
    """A suite's checks, cases and engine; `suite_hash` is the SHA-256 of all the rest."""

    library_version: str
    suite_name: str
    suite_hash: str
    evaluators: list[EvaluatorFingerprint] = field(default_factory=list)
    case_count: int = 0
    cases_hash: str | None = None
    run_config: dict[str, Any] | None = None
    calibration_version: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The lock as plain values."""
        return asdict(self)

    def to_json(self, indent: int = 2) -> str:
        """The lock as JSON."""
        return json.dumps(self.to_dict(), indent=indent)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SuiteLock:
        """The lock that plain values describe."""
        rows = [EvaluatorFingerprint(**row) for row in data.get("evaluators", ())]
        return cls(**{**data, "evaluators": rows})

    @classmethod
    def from_json(cls, raw: str) -> SuiteLock:
        """The lock that `to_json` wrote."""
        return cls.from_dict(json.loads(raw))

    def diff(self, other: SuiteLock) -> list[str]:
        """In what this lock, of the suite as it is, differs from one that was saved."""
        names = ("suite_hash", "library_version", "suite_name", "case_count", "cases_hash", "calibration_version")
        found = [f"{name}: {_short(new)} vs {_short(old)}" for name, new, old in _differing(self, other, names)]
        now, then = ({(row.class_path, row.name): row for row in lock.evaluators} for lock in (self, other))
        found += [f"evaluator added: {'::'.join(key)}" for key in now if key not in then]
        found += [f"evaluator removed: {'::'.join(key)}" for key in then if key not in now]
        for key, row in now.items():
            if key in then:
                found += [f"evaluator {row.name}.{difference}" for difference in _changes(row, then[key])]
        if self.extra.get("engine") != other.extra.get("engine"):
            found.append("the engine's source or environment changed")
        return found


def fingerprint_evaluator(evaluator: Any) -> EvaluatorFingerprint:
    """How a check is set: its settings, its words, its judge and where its threshold comes from."""
    judge = _judge(evaluator)
    kind = type(evaluator)
    return EvaluatorFingerprint(
        name_of(evaluator),
        f"{_home(kind)}.{kind.__name__}",
        float(getattr(evaluator, "threshold", 0.5)),
        _prompt_hash(evaluator),
        _judge_record(judge),
        _calibration(evaluator, judge),
        FINGERPRINT,
        evaluator_dependencies(evaluator),
    )


def build_suite_lock(suite: EvalSuite) -> SuiteLock:
    """The lock of a suite as it is now."""
    from multivon_eval.calibration import effective_calibration_version  # which knows judges

    cases = suite.cases
    return seal_lock(
        SuiteLock(
            __version__,
            suite.name,
            "",
            [fingerprint_evaluator(evaluator) for evaluator in suite.evaluators],
            len(cases),
            _cases_hash(cases),
            calibration_version=effective_calibration_version(),
            extra={"engine": engine_dependencies(), "issues": []},
        )
    )


def verify_suite_against_lock(suite: EvalSuite, saved: SuiteLock) -> None:
    """Raise LockMismatch unless the suite is the one that was locked, and both say all there is to say."""
    current = build_suite_lock(suite)
    differences = [*lock_issues(current), *lock_issues(saved)] or current.diff(saved)
    if differences:
        raise LockMismatch(differences)


def _cases_hash(cases: Sequence[EvalCase]) -> str | None:
    if not cases:
        return None
    told = [{name: getattr(case, name) for name in ("input", "expected_output", "context")} for case in cases]
    return hashlib.sha256("\n".join(map(canonical_json, told)).encode()).hexdigest()


def _differing(new: Any, old: Any, names: Sequence[str]) -> Iterator[tuple[str, Any, Any]]:
    for name in names:
        if getattr(new, name) != getattr(old, name):
            yield name, getattr(new, name), getattr(old, name)


def _changes(new: EvaluatorFingerprint, old: EvaluatorFingerprint) -> Iterator[str]:
    for name, now, then in _differing(new, old, _COMPARED):
        yield f"{name}: {now!r} vs {then!r}"
    configs = new.extra.get("config", {}), old.extra.get("config", {})
    for name in sorted(configs[0].keys() | configs[1].keys()):
        if configs[0].get(name) != configs[1].get(name):
            yield f"config.{name}: {configs[0].get(name)!r} vs {configs[1].get(name)!r}"
    for name in ("dependencies", "config_types"):
        if new.extra.get(name) != old.extra.get(name):
            yield f"{name} changed"


def _short(value: Any) -> Any:
    return value[:12] if isinstance(value, str) and len(value) == 64 else value


def _home(kind: type) -> str:
    """The documented module of a class, where it is one of this package's; else its own."""
    if not kind.__module__.startswith("multivon_eval.evaluators."):
        return kind.__module__
    documented = (f"multivon_eval.evaluators.{name}" for name in _DOCUMENTED)
    return next(
        (name for name in documented if getattr(import_module(name), kind.__name__, None) is kind), kind.__module__
    )


def _prompt_hash(evaluator: Any) -> str | None:
    words = {name: text for name in _PROMPTS if isinstance(text := getattr(evaluator, name, None), str)}
    return digest(words) if words else None


def _judge(evaluator: Any) -> Any:
    given = next((found for name in _JUDGES if (found := getattr(evaluator, name, None)) is not None), None)
    if given is None and not getattr(evaluator, "uses_llm_judge", False):
        return None
    from multivon_eval.judge import resolve_judge  # which reads the environment

    return resolve_judge(given)


def _judge_record(judge: Any) -> dict[str, Any] | None:
    if judge is None:
        return None
    told = {name: getattr(judge, name, None) for name in _JUDGE}
    return told | {"extra_digest": digest(getattr(judge, "extra", None))}


def _calibration(evaluator: Any, judge: Any) -> dict[str, Any] | None:
    if judge is None:
        return None
    from multivon_eval.calibration import calibration_provenance, effective_calibration_version

    entry = calibration_provenance(name_of(evaluator), judge)
    if entry is None:
        return None
    return {name: getattr(entry, name) for name in _CALIBRATION} | {"version": effective_calibration_version()}
