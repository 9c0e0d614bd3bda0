"""The records everything else is a function of: Case, Output, Trial, Score, Row, Summary, Run.

They are frozen; change is `dataclasses.replace`. One scale exists here: [0, 1], seconds, tokens. Absence is None, never
a number.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from math import isfinite
from typing import Any, Literal, Protocol, TypeAlias

from ringtrue.errors import RecordError

Json: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, list or dict of JSON values."""

CaseId: TypeAlias = Hashable
"""The id of a case: its own, unchanged (text, a number, a UUID, a tuple), else its position."""

Status: TypeAlias = Literal["scored", "skipped", "error"]
RowStatus: TypeAlias = Literal["passed", "failed", "skipped", "error"]

DEFAULT_THRESHOLD = 0.5
"""The score from which on an evaluator that names no threshold passes."""
DEFAULT_STORE = "sqlite:///.ringtrue/ringtrue.db"
"""Where runs are kept unless a command or a call names another place."""

_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Case:
    """The input of a system, and the answers that are expected.

    `expected` is a tuple of acceptable answers, or None if there is no expected answer; `("",)` means that the empty
    text is right. `fields` is the whole row, for evaluators that read more than the common fields (`correct_letter`,
    `kwargs` …).
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
    """The answer of a system to one case.

    `problem` says why there is no usable text. A problem without an `error` (`the output is None`) is the system's
    fault and is scored as a failure. With an `error` (`model_error`, `system_error`, `timeout`) there is no output to
    score, and the scores are errors. `traceback` shows where user code raised. `fields` holds the fields that the
    system changed in the example, apart from the response; a field that the system removed is None.
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
    """The result of one evaluator on one trial; contradictory values are refused.

    A `value` in [0, 1] needs the status `scored`; `skipped` and `error` have no value, no parts, no `passed`, and need
    a reason.
    `parts` are named, finite numbers; those of your own evaluator may lie outside [0, 1].
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
        """The reason to trust the value less than others of its kind; summaries count scores by their caveat."""
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
        """A score without a value because there was nothing to measure."""
        return cls(None, "skipped", None, reason, _NOTHING, metadata)

    @classmethod
    def error(cls, reason: str, **metadata: Json) -> Score:
        """A score without a value because the measurement failed."""
        return cls(None, "error", None, reason, _NOTHING, metadata)


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer that the store holds already: the output, its scores by evaluator signature, when and in which run.

    `is_own` says that this very run got it, before it was interrupted.
    """

    output: Output
    scores: Mapping[str, Score] = field(default_factory=dict)
    created: float | None = None
    run: str = ""
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One trial with its scores, keyed by evaluator name, in the order of the plan.

    `position` is the position of the case in its run, because ids may repeat. `reused` is True if the answer comes
    from an earlier run; `answered_at` is the time of a stored answer, in seconds since 1970, and `answered_in` the id
    of its run.
    """

    trial: Trial
    scores: Mapping[str, Score]
    position: int = 0
    system: str = ""
    repeat: int = 0
    reused: bool = False
    answered_at: float | None = None
    answered_in: str = ""

    @property
    def dataset(self) -> str:
        """The name of the dataset that the case is from; empty if the case does not say."""
        return str(self.trial.case.fields.get("dataset") or "")


@dataclass(slots=True)
class EvalRow:
    """A row as metrics read it: the parts of all evaluators in one dict.

    A part without a number is in `absent` with its status, never in `scores`. `latency` is in seconds. `input_tokens`
    and `output_tokens` are what the model received and returned, None if unknown; `case_tokens` are the tokens of the
    case itself. `token_source` says where token counts come from: the endpoint (`usage`), a tokenizer, or an
    `estimate`. `cost` is the price of the answer in dollars, `judge_cost` that of its judges; None if a price is
    unknown. `position` is the position of the case in its dataset, because ids may repeat. `main` is the key of the
    headline score of the row's benchmark.
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
    """A number over many scores, with n, skipped, errors and interval.

    `threshold` is the score at which a row passes; `passed` and `failed` count such verdicts. `bounds` are the value if
    every error were a 0, and if every error were a 1. `caveats` counts the scores that carry each caveat.
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
    """A dataset of a run: its name, revision, number of cases, and headline score.

    `proxy` says how the headline differs from the metric of the dataset's authors; it is empty if it is theirs.
    """

    name: str
    revision: str = ""
    cases: int = 0
    headline: str = ""
    proxy: str = ""


@dataclass(frozen=True, slots=True)
class SystemInfo:
    """A system of a run; its signature covers all settings that change a request."""

    name: str
    signature: str = ""


@dataclass(frozen=True, slots=True)
class EvaluatorInfo:
    """An evaluator of a run: its signature, and the keys of its parts in a row.

    `keys` maps each part to its key; it is empty if the parts are only known from the scores. `main` is the part that
    decides `passed`, at `threshold`; `counts` are the parts whose ones and zeros are not verdicts.
    """

    name: str
    signature: str = ""
    threshold: float = DEFAULT_THRESHOLD
    keys: Mapping[str, str] = field(default_factory=dict)
    main: str = ""
    counts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """The origin of a run; `options` are further settings, such as repeats, the command line or the suite's name.

    `trials` is the planned number of answers; 0 if it was unknown before the first.
    """

    job: Literal["run", "score", "suite", "rescore", "calibrate", "assess"] = "run"
    name: str = ""
    datasets: tuple[DatasetInfo, ...] = ()
    systems: tuple[SystemInfo, ...] = ()
    evaluators: tuple[EvaluatorInfo, ...] = ()
    options: Mapping[str, Json] = field(default_factory=dict)
    trials: int = 0
    started: float = 0.0
    version: str = ""

    def unasked_count(self, rows: int) -> int:
        """The number of trials that a run with this many rows lacks."""
        return max(0, self.trials - rows)


@dataclass(frozen=True, slots=True)
class RowFilter:
    """A choice of rows; a field that is None or empty chooses all.

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
        """Return the rows that match, in this order, from `offset` on."""


@dataclass(frozen=True, slots=True)
class ErrorCause:
    """One cause of errors of an evaluator: its count, and the first message."""

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
    """Facts about the rows of a run apart from their scores, so that a report need not read all rows again.

    `unanswered` counts missing answers, and `first_problem` is the message of the first. `reused` counts answers of
    earlier runs (`reused_from`); the oldest is from `reused_since`. `unpriced` counts answers with known tokens and an
    unknown price. Costs are in dollars; None if a price is unknown. `causes` are the causes of errors of evaluators,
    the most frequent first.
    """

    unanswered: int = 0
    first_problem: str = ""
    reused: int = 0
    reused_since: float | None = None
    reused_from: tuple[str, ...] = ()
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
"""The views of a run by dotted path: records do not import reports."""


@dataclass(frozen=True, slots=True, repr=False)
class Run:
    """One evaluation: how it was made, its rows and its summaries.

    `id` is its name in the store, empty if it is not stored. `seconds` is the time of each system. `problems` counts
    unreadable input. `spent` is what the judges used: `calls`, `cache_hits`, `tokens`, and `cost` in dollars (None if
    a price is unknown). `first_skips` maps each evaluator that skipped rows to the reason for the first.
    `unasked_count` counts the trials that a stopped run did not ask, and `unasked` are cases with no trial at all; a
    very large run, and one read from a file, does not keep these cases. `facts` is None while a run has not ended.
    """

    made: Made
    rows: Rows
    summaries: Summaries
    id: str = ""
    status: Literal["finished", "stopped", "interrupted", "running", "killed"] = "finished"
    stopped_by: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    problems: int = 0
    first_problems: tuple[Problem, ...] = ()
    spent: Mapping[str, float | None] = field(default_factory=dict)
    first_skips: Mapping[str, str] = field(default_factory=dict)
    unasked: tuple[Case, ...] = ()
    facts: RunFacts | None = None
    unasked_count: int = 0

    def summary(self, key: str, *, dataset: str | None = None, system: str | None = None) -> Summary:
        """Return the summary of a score or metric; `dataset` and `system` choose one of several."""
        found = {
            (one, other): own[key]
            for one, systems in self.summaries.items()
            for other, own in systems.items()
            if key in own and dataset in (None, one) and system in (None, other)
        }
        if not found:
            known = dict.fromkeys(
                name for systems in self.summaries.values() for own in systems.values() for name in own
            )
            raise RecordError(f"no summary {key!r} for these; there are {', '.join(known)}", field=key, value=key)
        if len(found) > 1:
            places = ", ".join(f"{other} on {one}" if one else other for one, other in found)
            words = f"{len(found)} summaries of {key!r}, of {places}; choose one by system= or dataset="
            raise RecordError(words, field=key, value=key)
        return next(iter(found.values()))

    def __repr__(self) -> str:
        return str(self._view("line"))

    def _repr_html_(self) -> str:
        """The run as a notebook shows it."""
        return str(self._view("html"))

    def to_dataframe(self, library: Literal["pandas", "polars"] | None = None) -> Any:
        """A data frame with one line per row: texts, status, scores, cost; pandas, or else polars."""
        return self._view("frame", library)

    def _view(self, kind: str, *arguments: Any) -> Any:
        module, _, name = RUN_VIEWS[kind].partition(":")
        return getattr(import_module(module), name)(self, *arguments)
