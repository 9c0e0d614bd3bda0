"""`EpisodeEvidence`: what happened in an environment, under a digest; `evaluate_episode`: checks of how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jsonschema_rs
from ringtrue.reports.canonical import canonical_json
from ringtrue.reports.sealed_record import SealedRecord

from multivon_eval.case import EvalCase
from multivon_eval.case_manifest import case_from_dict
from multivon_eval.case_result import EvalResult
from multivon_eval.dependencies import declare_dependencies
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.trials import attach_trial, capture_case
from ringtrue.evaluators.judged.config import require_text

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport

__all__ = ["EpisodeEvidence", "OutcomeCheck", "OutcomeVerdict", "evaluate_episode"]

_CONTRACT = ("environment_id", "observer_id", "gymnasium_version", "spaces", "seed", "options", "max_steps")
_LIMITS = (
    "the environment and whoever observed it are taken at their word",
    "what the agent asked of models is not in the episode",
)
_FLAGS = {"type": "object", "required": ["terminated", "truncated"], "additionalProperties": {"type": "boolean"}}
_SEEN = {"type": ["object", "null"]}
_CLEANED = {
    "type": "object",
    "required": ["attempted", "completed"],
    "properties": {"attempted": {"type": "boolean"}, "completed": {"type": "boolean"}},
}
_EPISODE = jsonschema_rs.Draft202012Validator(
    {
        "type": "object",
        "required": ["initial", "output", "duration_ms", *_CONTRACT],
        "properties": {
            "case": {"type": "object"},
            "steps": {"type": "array", "items": {"type": "object", "required": ["index", "action", "transition"]}},
            "errors": {"type": "array", "items": {"type": "object", "required": ["phase", "type", "message"]}},
            "issues": {"type": "array", "items": {"type": "string"}},
            "termination": _FLAGS,
            "cleanup": _CLEANED,
            "initial_state": _SEEN,
            "final_state": _SEEN,
        },
    }
)


class EpisodeEvidence(SealedRecord):
    """One episode, which does not change: the steps, what was observed, how it ended, and what broke."""

    schema = "multivon.episode/v1"

    def require(self, data: dict[str, Any]) -> None:
        """Raise ValueError unless these values are of one episode."""
        wrong = next(_EPISODE.iter_errors(data), None)
        if wrong is not None:
            raise ValueError(f"not an episode: {'/'.join(map(str, wrong.instance_path))}: {wrong.message[:200]}")
        if case_from_dict(data["case"]).identity() != (data["case_id"], data["case_digest"]):
            raise ValueError("the identity of an episode's case is not that of the case")
        if data["issues"] != sorted(set(_issues(data))):
            raise ValueError("the issues of an episode are not those of what happened")

    @classmethod
    def recorded(cls, data: Mapping[str, Any]) -> EpisodeEvidence:
        """The episode of what just happened, its issues added."""
        return cls.of({**data, "issues": sorted(set(_issues(data)))})

    @property
    def coverage_issues(self) -> list[str]:
        """Why the episode is not one that was seen from its start to its own end."""
        return list(self.data["issues"])


def _issues(data: Mapping[str, Any]) -> Iterator[str]:
    for error in data["errors"]:
        yield f"{error['phase']}: {error['type']}: {error['message']}"
    ended = data["termination"]
    if ended["truncated"]:
        yield "the environment cut the episode off"
    elif not ended["terminated"]:
        yield "the episode was left before its end"
    if data["final_state"] is None:
        yield "nobody saw the state at the end"
    if not data["cleanup"]["completed"]:
        yield "the environment was not closed"


@dataclass(frozen=True)
class OutcomeVerdict:
    """Whether an episode reached what it should, why, and what shows it; None where that cannot be said."""

    passed: bool | None
    reason: str
    evidence: dict[str, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.passed, bool | None) or not isinstance(self.reason, str):
            raise ValueError(f"passed is True, False or None, reason is text; got {self.passed!r}, {self.reason!r}")
        if not isinstance(self.evidence, dict):
            raise ValueError(f"evidence is an object; got {type(self.evidence).__name__}")
        canonical_json(self.evidence)


@dataclass(frozen=True)
class OutcomeCheck:
    """A check of episodes: its name, its version, which changes with what it asks for, and the function that checks."""

    name: str
    version: str
    evaluate: Callable[[EpisodeEvidence], OutcomeVerdict]

    def __post_init__(self) -> None:
        require_text(name=self.name, version=self.version)
        if not callable(self.evaluate):
            raise TypeError(f"evaluate is a function of an episode; got {type(self.evaluate).__name__}")


class Outcome(Evaluator):
    """A check of one episode, as a suite runs it; how the environment was set counts as a setting of it."""

    def __init__(self, check: OutcomeCheck, episode: EpisodeEvidence) -> None:
        super().__init__(1.0)
        data = episode.data
        self.name, self.version = check.name, check.version
        self.environment = {name: data[name] for name in _CONTRACT}
        self._check, self._episode = check, episode
        declare_dependencies(self, version=check.version, dependencies={})

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """What the check says of the episode; the output is in there already."""
        verdict = self._check.evaluate(self._episode)
        if not isinstance(verdict, OutcomeVerdict):
            raise TypeError(f"a check of episodes returns an OutcomeVerdict; got {type(verdict).__name__}")
        seen = {"outcome_evidence": verdict.evidence, "episode_digest": self._episode.digest}
        if verdict.passed is None:
            result = self._skipped(verdict.reason)
            result.metadata |= seen
            return result
        return self._result(float(verdict.passed), verdict.reason, **seen)


def evaluate_episode(
    episode: EpisodeEvidence, checks: Iterable[OutcomeCheck], *, name: str = "environment outcomes"
) -> EvalReport:
    """The checks of how an episode ended, without another step; what was not seen of it is an issue of the report."""
    from multivon_eval.suite import EvalSuite  # which knows every part of a report

    given = list(checks)
    if not given or len({check.name for check in given}) < len(given):
        raise ValueError("there is at least one check, and each has a name of its own")
    data = episode.data
    case, said = case_from_dict(data["case"]), data["output"]
    output = said if isinstance(said, str) else "" if said is None else canonical_json(said)
    suite = EvalSuite(name).add_evaluators(*(Outcome(check, episode) for check in given))
    report = suite.run_on_cases([(case, output)], latencies_ms=[data["duration_ms"]], verbose=False)
    (result,) = report.case_results
    execution = result.trials[0].data["execution"] if result.trials else None
    upstream = {"format": "gymnasium", "evidence": data}
    gaps = [*episode.coverage_issues, *_LIMITS]
    attach_trial(result, capture_case(case), origin="episode", execution=execution, upstream=upstream, gaps=gaps)
    report.evidence_issues = sorted({*report.evidence_issues, *episode.coverage_issues})
    return report
