"""The records everything else is a function of: Case, Output, Trial, Score, Row, Summary, Run.

They are frozen; change is `dataclasses.replace`. One scale exists here: [0, 1], seconds, tokens. Absence is None, never
a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Literal, TypeAlias

from ringtrue.errors import RecordError

Json: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, list or dict of JSON values."""

Status: TypeAlias = Literal["scored", "skipped", "error"]

_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Case:
    """What goes in, and what is expected.

    `expected` is None where nothing was given and a tuple of acceptable answers otherwise; `("",)` is an answer that
    was given and is empty. `fields` is the row as it came, for evaluators that read more than the common fields
    (`correct_letter`, `kwargs` …).
    """

    id: str | int = ""
    input: str = ""
    expected: tuple[str, ...] | None = None
    context: str = ""
    messages: Sequence[Mapping[str, Json]] = ()
    tools: Sequence[Mapping[str, Json]] = ()
    tags: tuple[str, ...] = ()
    fields: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Output:
    """What a system said for one case.

    `problem` names why there is no usable text. Alone (`the output is None`) it is the system's fault and scored as a
    failure; with an `error` (`model_error`, `system_error`, `timeout`) there was no output to judge, and its scores are
    errors. `fields` is what a system that returns its example changed in it beside the response.
    """

    text: str = ""
    problem: str = ""
    messages: Sequence[Mapping[str, Json]] = ()
    tool_calls: Sequence[Mapping[str, Json]] = ()
    latency_seconds: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    calls: int = 0
    error: str = ""
    fields: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trial:
    """A case with one output."""

    case: Case
    output: Output


@dataclass(frozen=True, slots=True)
class Score:
    """One evaluator's verdict on one trial; it cannot be built in a lying state.

    A `value` in [0, 1] needs the status `scored`; `skipped` and `error` have no value, no parts, no `passed`, and need
    a reason.
    `parts` are named sub-numbers and may lie outside [0, 1] where a user's own evaluator says so; they are finite.
    """

    value: float | None
    status: Status = "scored"
    passed: bool | None = None
    reason: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)
    metadata: Mapping[str, Json] = field(default_factory=dict)
    calls: int = 0
    tokens: int = 0

    def __post_init__(self) -> None:
        if self.status == "scored":
            value = self.value
            if value is None or not 0.0 <= value <= 1.0:
                raise RecordError(f"a score's value lies in [0, 1]; got {value!r}", field="value", value=value)
            for name, part in self.parts.items():
                if not isfinite(part):
                    raise RecordError(
                        f"the part {name!r} of a score must be finite; got {part!r}", field=name, value=part
                    )
        elif self.status in ("skipped", "error"):
            if self.value is not None or self.parts or self.passed is not None:
                raise RecordError(
                    f"a score with status {self.status!r} has no value, parts or verdict",
                    field="value",
                    value=self.value,
                )
            if not self.reason:
                raise RecordError(f"a score with status {self.status!r} needs a reason", field="reason", value="")
        else:
            raise RecordError(f"unknown score status {self.status!r}", field="status", value=self.status)

    @classmethod
    def skipped(cls, reason: str, **metadata: Json) -> Score:
        """There was nothing to measure."""
        return cls(None, "skipped", None, reason, _NOTHING, metadata)

    @classmethod
    def error(cls, reason: str, **metadata: Json) -> Score:
        """The measurement itself failed."""
        return cls(None, "error", None, reason, _NOTHING, metadata)


@dataclass(frozen=True, slots=True)
class Row:
    """One trial with its scores, keyed by evaluator name, in the order of the plan."""

    trial: Trial
    scores: Mapping[str, Score]
    position: int = 0
    system: str = ""
    repeat: int = 0
    reused: bool = False


@dataclass(slots=True)
class EvalRow:
    """A row as the documented benchmark runner hands it to metrics: all parts of all evaluators in one dict.

    A part that has no number is in `absent` with its status, never in `scores`. `latency` is in seconds; tokens are
    what was sent and what came back, None where nobody counted. `position` is the case's place in its dataset: ids may
    repeat. `main` is the key of the score that means quality on the row's own benchmark. `cost` is what the answer
    took, in dollars, `judge_cost` what its judges took; None where nobody knows the price. `token_source` says who
    counted the tokens: the endpoint (`usage`), a tokenizer, or nobody (`estimate`).
    """

    system: str
    example_id: str | int
    scores: dict[str, float]
    input_tokens: int | None = None
    output_tokens: int | None = None
    metadata: dict[str, Json] = field(default_factory=dict)
    latency: float | None = None
    dataset: str = ""
    absent: dict[str, Status] = field(default_factory=dict)
    status: str = "ok"
    response: str = ""
    repeat: int = 0
    cost: float | None = None
    position: int = 0
    main: str = ""
    judge_cost: float | None = 0.0
    token_source: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """One number about many scores, with everything needed to doubt it.

    `bounds` are what the value would be if every error were a 0 and if every error were a 1.
    """

    value: float | None
    n: int
    skipped: int = 0
    errors: int = 0
    interval: tuple[float, float] | None = None
    method: str = ""
    passed: int | None = None
    failed: int | None = None
    bounds: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the input that could not be read: where it is, and what is wrong with it."""

    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Run:
    """What was measured and how: summaries by evaluator and part, signatures, unreadable input.

    `spent` is what judges took: `calls`, `cache_hits`, `tokens`, and `cost` in dollars, None where a price is unknown.
    `first_skips` tells, for each evaluator that skipped a row, why it skipped the first.
    """

    summaries: Mapping[str, Mapping[str, Summary]]
    signatures: Mapping[str, str]
    rows: int = 0
    problems: int = 0
    first_problems: tuple[Problem, ...] = ()
    seconds: float = 0.0
    spent: Mapping[str, float | None] = field(default_factory=dict)
    first_skips: Mapping[str, str] = field(default_factory=dict)
