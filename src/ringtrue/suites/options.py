"""`RunOptions`: how a suite is run, and what becomes of its report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ringtrue.atomic_file import Where, check_place
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.check import is_number
from ringtrue.store.database import DEFAULT


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """What becomes of a report; checked when it is made, before the first call."""

    verbose: bool = True
    fail_threshold: float | None = None
    max_error_rate: float | None = None
    save_json: Where | None = None
    save_junit_xml: Where | None = None
    save_csv: Where | None = None
    save_html: Where | None = None

    def __post_init__(self) -> None:
        for name in ("fail_threshold", "max_error_rate"):
            self._require(name, lambda value: is_number(value) and 0 <= value <= 1, "a number in [0, 1]")
        for name in ("save_json", "save_junit_xml", "save_csv", "save_html"):
            if (path := getattr(self, name)) is not None:
                check_place(path, name)

    def _require(self, name: str, holds: Callable[[Any], bool], words: str) -> None:
        value = getattr(self, name)
        if (value is not None or name == "runs") and not holds(value):
            raise ConfigurationError(f"{name} must be {words}; got {value!r}", parameter=name, value=value)


@dataclass(frozen=True, kw_only=True)
class RunOptions(ReportOptions):
    """How a suite is run; `timeout` is the seconds a case may take in all.

    `evaluator_workers` is how many checks of one answer wait at once, as in `ringtrue.runner.options.Options`.
    """

    workers: int | None = None
    runs: int = 1
    tags: Sequence[str] | None = None
    case_ids: Sequence[str | int] | None = None
    store: str | None = DEFAULT
    timeout: float | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    max_errors: int | None = None
    fresh: bool = False
    evaluator_workers: int | None = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("workers", "runs"):
            self._require(name, lambda value: _is_count(value) and value >= 1, "a whole number of at least 1")
        for name in ("max_tokens", "max_errors", "evaluator_workers"):
            self._require(name, lambda value: _is_count(value) and value >= 0, "a whole number of at least 0")
        self._require("max_cost", lambda value: is_number(value) and value >= 0, "a number of at least 0")
        self._require("timeout", lambda value: is_number(value) and value > 0, "a number of seconds above 0")
        for name in ("tags", "case_ids"):
            self._require(name, lambda value: isinstance(value, (list, tuple, set, frozenset)), "a list")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
