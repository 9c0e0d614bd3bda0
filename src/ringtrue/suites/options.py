"""`RunOptions`: how a suite is run, and what becomes of its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.atomic_file import Where, check_place
from ringtrue.require import require_count, require_number, require_share, require_that
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
            if (share := getattr(self, name)) is not None:
                require_share(name, share)
        for name in ("save_json", "save_junit_xml", "save_csv", "save_html"):
            if (path := getattr(self, name)) is not None:
                check_place(path, name)


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
        require_count("runs", self.runs)
        if self.workers is not None:
            require_count("workers", self.workers)
        for name in ("max_tokens", "max_errors", "evaluator_workers"):
            if (number := getattr(self, name)) is not None:
                require_count(name, number, least=0)
        if self.max_cost is not None:
            require_number("max_cost", self.max_cost, least=0)
        if self.timeout is not None:
            require_number("timeout", self.timeout, above=0)
        for name in ("tags", "case_ids"):
            given = getattr(self, name)
            require_that(given is None or isinstance(given, (list, tuple, set, frozenset)), name, given, "a list")
