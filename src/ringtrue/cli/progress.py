"""Progress of long input, always on stderr: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from ringtrue.api.score_file import Progress
from ringtrue.reports.live import time_left
from ringtrue.safetext import printable

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

QUIET_SECONDS = 1.0
LINE_SECONDS = 10.0
SHOWN = 20


class Bar:
    """Listens to a run: shows problems at once, and progress once the run has lasted a second."""

    def __init__(self, paths: Sequence[str], *, quiet: bool = False) -> None:
        # The packed size of gzip and the table size of Parquet say little about the work: no total then.
        sized = [path for path in paths if path != "-" and not path.endswith((".gz", ".parquet"))]
        known = len(sized) == len(paths) and all(Path(path).is_file() for path in sized)
        self.total = sum(Path(path).stat().st_size for path in sized) if known else None
        self.quiet = quiet
        self.started = self.spoken = time.monotonic()
        self.shown = 0
        self.bar: RichProgress | None = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def __call__(self, progress: Progress) -> None:
        self._problems(progress)
        now = time.monotonic()
        if self.quiet or now - self.started < QUIET_SECONDS:
            return
        if sys.stderr.isatty():
            self._draw(progress)
        elif now - self.spoken >= LINE_SECONDS:
            self.spoken = now
            sys.stderr.write(f"ringtrue: {progress.rows:,} rows{self._share(progress, now)}\n")

    def _share(self, progress: Progress, now: float) -> str:
        share = min(1.0, progress.read_bytes / self.total) if self.total else 0.0
        if not share:
            return ""
        return f" ({share:.0%}), {time_left((now - self.started) * (1 / share - 1))} left"

    def _problems(self, progress: Progress) -> None:
        for problem in progress.problems[: max(0, SHOWN + 1 - self.shown)]:
            self.shown += 1
            line = f"{printable(problem.where)}: {printable(problem.what)}"
            self._say(line if self.shown <= SHOWN else "further broken rows are counted, not shown")

    def _say(self, line: str) -> None:
        if self.bar is not None:
            self.bar.console.print(line, markup=False, highlight=False)
        else:
            sys.stderr.write(line + "\n")

    def _draw(self, progress: Progress) -> None:
        if self.bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as RichProgress

            self.bar = RichProgress(
                TextColumn("scoring"),
                BarColumn(),
                TextColumn("{task.fields[rows]} rows"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self.bar.add_task("scoring", total=self.total, rows="0")
            self.bar.start()
        self.bar.update(self.bar.task_ids[0], completed=progress.read_bytes, rows=f"{progress.rows:,}")
