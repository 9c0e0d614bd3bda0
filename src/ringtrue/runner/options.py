"""`Options`: how a run is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ringtrue.errors import ConfigurationError
from ringtrue.store.database import DEFAULT


@dataclass(frozen=True)
class Options:
    """How a run is run: everything that does not change what is measured.

    `run_id` names the unfinished run to go on with, which is otherwise found by its plan; `fresh` starts a new one.
    `begun` is told the id of the run before the first call. `judge_workers` is how many answers are judged at once;
    `evaluator_workers` how many evaluators of one answer wait at once (None: all; 0: four that ask somebody, and beside
    them one that works on this machine, so that latencies are the system's own).
    """

    epochs: int = 1
    max_workers: int | None = None
    store: str | None = DEFAULT
    case_seconds: float | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    max_errors: int | None = None
    progress: bool = True
    run_id: str | None = None
    text_fields: Sequence[str] | None = None
    fresh: bool = False
    config: Mapping[str, Any] = field(default_factory=dict)
    begun: Callable[[str], None] | None = None
    judge_workers: int | None = None
    evaluator_workers: int | None = 0

    def __post_init__(self) -> None:
        if self.store == "":
            raise ConfigurationError("store must be a URL, or None to keep nothing", parameter="store", value="")
        for name, kind, least in _NUMBERS:
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, kind) or not value >= least):
                what = "a whole number" if kind is int else "a number"
                raise ConfigurationError(
                    f"{name} must be {what} of at least {least}; got {value!r}", parameter=name, value=value
                )


_NUMBERS: tuple[tuple[str, Any, int], ...] = (
    ("epochs", int, 1),
    ("max_workers", int, 1),
    ("judge_workers", int, 1),
    ("evaluator_workers", int, 0),
    ("max_tokens", int, 0),
    ("max_errors", int, 0),
    ("case_seconds", (int, float), 0),
    ("max_cost", (int, float), 0),
)
