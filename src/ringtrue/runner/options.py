"""`Options`: how a run is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ringtrue.errors import ConfigurationError
from ringtrue.require import require_count, require_number
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
        for name, least in _COUNTS.items():
            if (value := getattr(self, name)) is not None:
                require_count(name, value, least=least)
        for name in ("case_seconds", "max_cost"):
            if (value := getattr(self, name)) is not None:
                require_number(name, value, least=0)


_COUNTS = {"epochs": 1, "max_workers": 1, "judge_workers": 1, "evaluator_workers": 0, "max_tokens": 0, "max_errors": 0}
