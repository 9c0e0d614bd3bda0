"""Progress of a run, on stderr: a line that lives on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from ringtrue.records import Row
from ringtrue.runner.budget import Budget

if TYPE_CHECKING:
    from rich.progress import Progress

LINE_SECONDS = 5.0
DRAW_SECONDS = 0.1


class Live:
    """Listens to finished rows: done, rate, time left; the budget knows errors and cost, those of judges included."""

    def __init__(self, total: int, budget: Budget, *, shown: bool = True) -> None:
        self.total, self.budget, self.shown = total, budget, shown
        self.done = self.reused = 0
        self.started = self.spoken = time.monotonic()
        self.bar: Progress | None = None

    def __enter__(self) -> Live:
        if self.shown and sys.stderr.isatty():
            self.bar = _bar()
            self.bar.add_task("", total=self.total, words="")
            self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()
        elif self.shown and self.spoken > self.started:
            self._say()

    def finished(self, row: Row) -> None:
        """Count a row and show where the run is."""
        self.done += 1
        self.reused += row.reused
        now = time.monotonic()
        if not self.shown or now - self.spoken < (DRAW_SECONDS if self.bar else LINE_SECONDS):
            return
        self.spoken = now
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], completed=self.done, words=self._words(now))
        else:
            self._say()

    def _say(self) -> None:
        sys.stderr.write(f"ringtrue: {self.done:,}/{self.total:,} {self._words(time.monotonic())}\n")

    def _words(self, now: float) -> str:
        rate = (self.done - self.reused) / max(1e-9, now - self.started)
        words = [f"{rate:.1f}/s"]
        if self.bar is None and rate and self.done < self.total:  # a bar has a column of its own
            words.append(f"{time_left((self.total - self.done) / rate)} left")
        if self.budget.errors:
            words.append(f"{self.budget.errors:,} errors")
        if self.reused:
            words.append(f"{self.reused:,} reused")
        if self.budget.cost:
            judges = f" (judges ${self.budget.judge_cost:.4f})" if self.budget.judge_cost else ""
            words.append(f"${self.budget.cost:.4f}{judges}")
        return ", ".join(words)


def time_left(seconds: float) -> str:
    """A span of time for people: h:mm:ss, or m:ss below an hour."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[words]}", markup=False),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
