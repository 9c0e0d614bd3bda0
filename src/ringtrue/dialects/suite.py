"""The suite dialect: `evaluate(case, output, latency_ms=None) -> CheckResult` over an `EvalCase` (seed 004)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ringtrue.dialects.coercion import answers, context_text, is_absent, output_text, plain_text, plain_value, seconds
from ringtrue.dialects.fields import DEFAULT
from ringtrue.errors import ConfigurationError
from ringtrue.records import Case, Json, Output, Score, Status, Trial


@dataclass
class EvalCase:
    """One case of a suite; put further facts that an evaluator needs into `metadata`."""

    input: str
    expected_output: str | list[str] | None = None
    context: str | list[str] | None = None
    conversation: list[dict[str, str]] | None = None
    agent_trace: list[Any] | None = None
    expected_tool_calls: list[str] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    reference_output: Any = None
    case_id: str | None = None
    revision: str | None = None
    source_id: str | None = None


@dataclass(frozen=True)
class CheckResult:
    """The result of one check; if nothing was measured, `score` is None and `passed` is False."""

    evaluator: str
    score: float | None
    passed: bool
    reason: str = ""
    metadata: Mapping[str, Json] = field(default_factory=dict)
    status: Status = "scored"


AnyCase: TypeAlias = EvalCase | Case | Mapping[str, Json]


def is_case(value: object) -> bool:
    """Whether something is a case of its own kind: a Case, or any object with `input` and `expected_output`."""
    return isinstance(value, Case) or (hasattr(value, "input") and hasattr(value, "expected_output"))


_KEPT = ("agent_trace", "expected_tool_calls", "revision", "source_id")
"""Fields of a suite's case that a record keeps among its other fields."""


def case_of(case: AnyCase) -> Case:
    """The record of a suite's case; a plain dict is read by the field names of every dialect."""
    if isinstance(case, Case):
        return case
    if isinstance(case, Mapping):
        return DEFAULT.case(case, 0)
    if not is_case(case):
        raise ConfigurationError(
            "a case is a dict, a Case or an object with input and expected_output; "
            f"got {type(case).__name__}: write EvalCase('the question')",
            parameter="case",
            value=case,
        )
    own = {name: value for name in _KEPT if (value := getattr(case, name, None)) is not None}
    name = getattr(case, "case_id", None)
    return Case(
        "" if is_absent(name) else DEFAULT.identity({"id": name}, 0),
        input="" if is_absent(case.input) else plain_text(case.input),
        expected=answers(plain_value(case.expected_output)),
        context=context_text(plain_value(getattr(case, "context", None))),
        messages=tuple(getattr(case, "conversation", None) or ()),
        tags=tuple(getattr(case, "tags", None) or ()),
        fields={**(getattr(case, "metadata", None) or {}), **own},
    )


def answers_of(case: AnyCase) -> tuple[str, ...] | None:
    """The expected answers that `case_of` finds."""
    return DEFAULT.answers(case) if isinstance(case, dict) else case_of(case).expected


def suite_case(case: Case) -> EvalCase:
    """A case as the suite dialect says it."""
    expected = list(case.expected or ())
    fields = dict(case.fields)
    kept = {name: fields.pop(name) for name in _KEPT if name in fields}
    return EvalCase(
        case.input,
        expected[0] if len(expected) == 1 else expected or None,
        case.context or None,
        [dict(message) for message in case.messages] or None,
        metadata=fields,
        tags=list(case.tags),
        case_id=str(case.id) if case.id != "" else None,
        **kept,
    )


def result_of(evaluator: str, score: Score) -> CheckResult:
    """A score as the suite dialect says it."""
    if score.status == "scored":
        metadata = {**score.metadata, "parts": dict(score.parts)} if score.parts else dict(score.metadata)
        return CheckResult(evaluator, score.value, bool(score.passed), score.reason, metadata)
    metadata = {**score.metadata, score.status: True}
    return CheckResult(evaluator, None, False, f"[{score.status}] {score.reason}", metadata, score.status)


class SuiteDialect(ABC):
    """Adds `evaluate()` to an evaluator that measures trials."""

    name: str
    threshold: float

    @abstractmethod
    def measure(self, trial: Trial) -> Score:
        """The score of one trial."""

    def evaluate(
        self, case: EvalCase | Case | Mapping[str, Json], output: Any, latency_ms: float | None = None
    ) -> CheckResult:
        """Check one output of one case."""
        return result_of(self.name, self.measure_output(case, *output_text(output), latency_ms))

    def measure_output(self, case: AnyCase, text: str, problem: str, latency_ms: float | None) -> Score:
        """The score of an output of a case; overridden where less than a trial is enough."""
        latency = seconds(latency_ms, per_second=1_000.0)
        return self.measure(Trial(case_of(case), Output(text, problem, latency_seconds=latency)))
