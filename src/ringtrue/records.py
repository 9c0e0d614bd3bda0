"""The records everything else is a function of: Case, Output, Trial, Score, Row, Summary, Run.

They are frozen; change is `dataclasses.replace`. One scale exists here: [0, 1], seconds, tokens. Absence is None, never
a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from math import isfinite
from typing import Any, Literal, Protocol, TypeAlias

from ringtrue.errors import RecordError

Json: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, list or dict of JSON values."""

CaseId: TypeAlias = str | int | float
"""What a case is called: what JSON can hold of its own id, else its place."""

Status: TypeAlias = Literal["scored", "skipped", "error"]
RowStatus: TypeAlias = Literal["passed", "failed", "skipped", "error"]

DEFAULT_THRESHOLD = 0.5
"""The score from which on an evaluator that names no threshold passes."""
DEFAULT_STORE = "sqlite:///.ringtrue/ringtrue.db"
"""Where runs are kept unless a command or a call names another place."""

_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Case:
    """What goes in, and what is expected.

    `expected` is None where nothing was given and a tuple of acceptable answers otherwise; `("",)` is an answer that
    was given and is empty. `fields` is the row as it came, for evaluators that read more than the common fields
    (`correct_letter`, `kwargs` …).
    """

    id: CaseId = ""
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
    errors; `traceback` is where a user's code raised. `fields` is what a system that returns its example changed in it
    beside the response; a field that it left out is None.
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
    traceback: str = ""
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

    @property
    def caveat(self) -> str:
        """Why the value deserves less trust than others of its kind; summaries count such scores by their caveat."""
        return str(self.metadata.get("caveat") or "")

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
class StoredAnswer:
    """An answer that the store holds already: the output, its scores by evaluator signature, and when it was given.

    `is_own` says that this very run got it, before it was interrupted.
    """

    output: Output
    scores: Mapping[str, Score] = field(default_factory=dict)
    created: float | None = None
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One trial with its scores, keyed by evaluator name, in the order of the plan.

    `position` is the case's place in its run: ids may repeat. `reused` is True for an answer that an earlier run paid
    for; `answered_at` says when a stored answer was given, in seconds since 1970.
    """

    trial: Trial
    scores: Mapping[str, Score]
    position: int = 0
    system: str = ""
    repeat: int = 0
    reused: bool = False
    answered_at: float | None = None

    @property
    def dataset(self) -> str:
        """The name of the dataset that the case is from; empty if the case does not say."""
        return str(self.trial.case.fields.get("dataset") or "")


@dataclass(slots=True)
class EvalRow:
    """A row as the documented benchmark runner hands it to metrics: all parts of all evaluators in one dict.

    A part that has no number is in `absent` with its status, never in `scores`. `latency` is in seconds; tokens are
    what was sent and what came back, None where nobody counted. `position` is the case's place in its dataset: ids may
    repeat. `main` is the key of the score that means quality on the row's own benchmark. `cost` is what the answer
    took, in dollars, `judge_cost` what its judges took; None where nobody knows the price. `token_source` says who
    counted the tokens: the endpoint (`usage`), a tokenizer, or nobody (`estimate`). `case_tokens` are the tokens of the
    case itself, where `input_tokens` are those that the model received.
    """

    system: str
    example_id: CaseId
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
    reused: bool = False
    case_tokens: int | None = None


Unit: TypeAlias = Literal["share", "score", "seconds", "tokens", "dollars", "ratio", "count"]
"""What a summary's value is: a share and a score lie in [0, 1], a ratio and a count need not."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One number about many scores, with everything needed to doubt it.

    `threshold` is the score from which on a measurement passed. `bounds` are what the value would be if every error
    were a 0 and if every error were a 1. `caveats` counts the scores that carry each caveat.
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
    threshold: float | None = None
    unit: Unit = "score"
    caveats: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the input that could not be read: where it is, and what is wrong with it."""

    where: str
    what: str


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """A dataset of a run: its name, the revision it was read at, how many cases, and which score is its headline.

    `proxy` says how the headline differs from the metric of the dataset's authors; it is empty where it is theirs.
    """

    name: str
    revision: str = ""
    cases: int = 0
    headline: str = ""
    proxy: str = ""


@dataclass(frozen=True, slots=True)
class SystemInfo:
    """A system of a run; its signature covers everything that decides what it is sent."""

    name: str
    signature: str = ""


@dataclass(frozen=True, slots=True)
class EvaluatorInfo:
    """An evaluator of a run: how its numbers were made, and under which keys a row has them.

    `keys` maps each part to its key, and is empty where the parts are known from the scores alone. `main` is the part
    that `passed` is about, which passes at `threshold`; `counts` are the parts whose ones and zeros are no verdicts.
    """

    name: str
    signature: str = ""
    threshold: float = DEFAULT_THRESHOLD
    keys: Mapping[str, str] = field(default_factory=dict)
    main: str = ""
    counts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """How a run was made; `options` are further settings, such as repeats, the command's words or a suite's name."""

    job: Literal["run", "score", "suite", "rescore", "calibrate", "assess"] = "run"
    name: str = ""
    datasets: tuple[DatasetInfo, ...] = ()
    systems: tuple[SystemInfo, ...] = ()
    evaluators: tuple[EvaluatorInfo, ...] = ()
    options: Mapping[str, Json] = field(default_factory=dict)
    started: float = 0.0
    version: str = ""


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Which rows are wanted; a field that is None or empty asks for nothing.

    `status` is that of the row (see `row_status`), `text` occurs in the question or the answer, and `scores` are
    comparisons such as `("f1", "<", 0.5)` of keys with numbers.
    """

    dataset: str | None = None
    system: str | None = None
    case_id: str | None = None
    status: RowStatus | None = None
    text: str = ""
    scores: tuple[tuple[str, Literal["<", "<=", ">", ">=", "="], float], ...] = ()


RowOrder: TypeAlias = Literal["position", "worst"]
"""As asked, or errors first, then the lowest headline scores."""


class Rows(Protocol):
    """The rows of a run, wherever they are: they can be iterated again, counted, and paged."""

    def __iter__(self) -> Iterator[Row]: ...

    def __len__(self) -> int: ...

    def page(
        self, wanted: RowFilter | None = None, order: RowOrder = "position", offset: int = 0, limit: int | None = None
    ) -> list[Row]:
        """The rows that match, in an order, from one place on."""


@dataclass(frozen=True, slots=True)
class ErrorCause:
    """How often one thing went wrong with one evaluator, and what was said the first time."""

    evaluator: str
    kind: str
    status: int | None
    first_reason: str
    count: int

    def __str__(self) -> str:
        name = f"{self.kind} {self.status}" if self.status else self.kind
        return f"{self.evaluator}: {self.count:,} error{'' if self.count == 1 else 's'} ({name}): {self.first_reason}"


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the rows of a run tell beside their numbers, so that no report has to read them all again.

    `unanswered` counts the answers that never came, and `first_problem` is what was said of the first. `reused` counts
    answers of earlier runs, the oldest of which was given at `reused_since`. `unpriced` counts answers whose tokens are
    known and whose price is not. The costs are dollars; None where a price is not known. `causes` says why scores of
    answers are errors, the most frequent first.
    """

    unanswered: int = 0
    first_problem: str = ""
    reused: int = 0
    reused_since: float | None = None
    unpriced: int = 0
    system_cost: float | None = 0.0
    judge_cost: float | None = 0.0
    causes: tuple[ErrorCause, ...] = ()


Summaries: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Summary]]]
"""Dataset -> system -> score key or metric -> summary."""


RUN_VIEWS = {
    "html": "ringtrue.reports.pages.notebook:run_html",
    "line": "ringtrue.reports.terminal.run_line:run_line",
    "frame": "ringtrue.reports.data_frame:run_frame",
}
"""How a run shows itself: records know no reports, so each view is found by its path when it is wanted."""


@dataclass(frozen=True, slots=True, repr=False)
class Run:
    """How it was made, its rows, and what they come to.

    `id` is its name in the store, empty for a run that is not kept. `seconds` is what each system took. `problems`
    counts input that could not be read. `spent` is what judges took: `calls`, `cache_hits`, `tokens`, and `cost` in
    dollars, None where a price is unknown. `first_skips` tells, for each evaluator that skipped a row, why it skipped
    the first. `unasked` are the cases that a run which stopped early never came to; one of very many rows does not
    hold them. `facts` is None of a run that has not ended.
    """

    made: Made
    rows: Rows
    summaries: Summaries
    id: str = ""
    status: Literal["finished", "stopped", "interrupted", "running"] = "finished"
    stopped_by: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    problems: int = 0
    first_problems: tuple[Problem, ...] = ()
    spent: Mapping[str, float | None] = field(default_factory=dict)
    first_skips: Mapping[str, str] = field(default_factory=dict)
    unasked: tuple[Case, ...] = ()
    facts: RunFacts | None = None

    def summary(self, key: str, *, dataset: str | None = None, system: str | None = None) -> Summary:
        """The one summary of a score or metric; `dataset` and `system` choose where there are several."""
        found = {
            (one, other): own[key]
            for one, systems in self.summaries.items()
            for other, own in systems.items()
            if key in own and dataset in (None, one) and system in (None, other)
        }
        if len(found) != 1:
            places = ", ".join(f"{other} on {one}" for one, other in found) or "none has it"
            raise RecordError(f"{len(found)} summaries of {key!r}: {places}", field=key, value=key)
        return next(iter(found.values()))

    def __repr__(self) -> str:
        return str(self._view("line"))

    def _repr_html_(self) -> str:
        """The run as a notebook shows it."""
        return str(self._view("html"))

    def to_dataframe(self, library: Literal["pandas", "polars"] | None = None) -> Any:
        """One line per row: texts, status, every score, cost; pandas, or polars where only that is installed."""
        return self._view("frame", library)

    def _view(self, kind: str, *arguments: Any) -> Any:
        module, _, name = RUN_VIEWS[kind].partition(":")
        return getattr(import_module(module), name)(self, *arguments)
