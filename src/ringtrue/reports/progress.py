"""Progress: a line that lives on a terminal, one line and a bar in a notebook, plain lines on stderr elsewhere."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ringtrue.records import Made, Problem, Row, Summary
from ringtrue.reports.number import count, duration, number, with_interval
from ringtrue.reports.pages.notebook_line import NotebookLine, in_notebook
from ringtrue.runner.budget import Budget
from ringtrue.safetext import printable
from ringtrue.stats.anytime_share import share_so_far
from ringtrue.stats.row_status import RowVerdicts

if TYPE_CHECKING:
    from rich.progress import Progress

LINE_SECONDS = 5.0
CELL_SECONDS = 0.5
DRAW_SECONDS = 0.1
QUIET_SECONDS = 1.0
SHOWN_PROBLEMS = 20
_NUMBER = re.compile(r"\d[\d,]*")


class ProgressLine:
    """One line of progress, drawn after a second of work and then at most ten times a second."""

    def __init__(self, *, shown: bool = True) -> None:
        self.shown = shown
        self.started = time.monotonic()
        self.spoken = self.started
        self.bar: Progress | None = None
        self.cell = NotebookLine() if shown and in_notebook() else None

    def is_due(self) -> bool:
        """Whether it is time to show something."""
        now = time.monotonic()
        if not self.shown or now - self.started < QUIET_SECONDS:
            return False
        if self.cell is not None:
            return now - self.spoken >= CELL_SECONDS
        return now - self.spoken >= (DRAW_SECONDS if sys.stderr.isatty() else LINE_SECONDS)

    def show(self, done: float, total: float | None, words: str) -> None:
        """Show how far the work is."""
        self.spoken = time.monotonic()
        if self.cell is not None:
            self.cell.show(done, total, words)
            return
        if not sys.stderr.isatty():
            sys.stderr.write(f"ringtrue: {words}\n")
            return
        if self.bar is None:
            self.bar = _bar()
            self.bar.add_task("", total=total, words="")
            self.bar.start()
        room = self.bar.console.width - len(words) - 2
        vars(self.bar.columns[0])["bar_width"] = max(4, min(30, room))
        self.bar.update(self.bar.task_ids[0], completed=done, total=total, words=words)

    def say(self, words: str) -> None:
        """Say a line above the progress."""
        if self.bar is not None:
            self.bar.console.print(words, markup=False, highlight=False)
        else:
            sys.stderr.write(words + "\n")

    def stop(self) -> None:
        """Take the line away."""
        if self.bar is not None:
            self.bar.stop()
            self.bar = None


class RunProgress:
    """Listens to the rows of a run: done, rate, time left, the share that passes so far, errors, dollars."""

    def __init__(self, *, shown: bool = True) -> None:
        self.line = ProgressLine(shown=shown)
        self.total = self.done = self.stored = self.reused = 0
        self.repeats = 1
        self.budget = Budget()
        self.verdicts: RowVerdicts | None = None
        self.shares: dict[tuple[str, str], list[int]] = {}

    def begin(self, total: int, budget: Budget, made: Made | None = None) -> None:
        """`total` rows are to come; the budget knows errors and cost so far."""
        self.total, self.budget = total, budget
        self.repeats = 1 if made is None else int(made.options.get("repeats", 1))
        self.verdicts = None if made is None or not self.line.shown else RowVerdicts(made)

    def on_row(self, row: Row) -> None:
        """A row is finished and kept."""
        self.done += 1
        self.stored += row.answered_at is not None
        self.reused += row.reused
        place = row.dataset, row.system
        if self.verdicts is not None and (status := self.verdicts.status(row)) in ("passed", "failed"):
            passed = self.shares.setdefault(place, [0, 0])
            passed[0] += status == "passed"
            passed[1] += 1
        if self.line.is_due():
            self.line.show(self.done, self.total, self._words(place))

    def end(self) -> None:
        """No more rows come; in a notebook the last line stays as the record."""
        if self.line.cell is not None and self.done:
            self.line.show(self.done, self.total, self._words(None))
        self.line.stop()

    def _words(self, place: tuple[str, str] | None) -> str:
        spent = time.monotonic() - self.line.started
        rate = (self.done - self.stored) / max(1e-9, spent)
        words = [f"{self.done:,} of {self.total:,}", f"{rate:.1f}/s"]
        if place is None:
            words.append(duration(spent))
        elif rate and self.done < self.total:
            words.append(f"{duration((self.total - self.done) / rate)} left")
        words += [] if place is None else self._share_words(place)
        if self.budget.errors:
            words.append(count(self.budget.errors, "error"))
        if self.reused:
            words.append(f"{self.reused:,} reused")
        if self.budget.cost:
            cost, judges = (number(paid, "dollars", marked=True) for paid in (self.budget.cost, self.budget.judge_cost))
            words.append(f"{cost} (judges {judges})" if self.budget.judge_cost else cost)
        return ", ".join(words)

    def _share_words(self, place: tuple[str, str]) -> list[str]:
        """The share that passes so far, with an interval that holds whenever one looks; of one system and dataset."""
        passed, n = self.shares.get(place, (0, 0))
        if not n:
            return []
        several = [len({one[side] for one in self.shares}) > 1 for side in (0, 1)]
        whose = " ".join(printable(name) for name, differs in zip(place, several, strict=True) if differs and name)
        so_far = Summary(passed / n, n, passed=passed, failed=n - passed, unit="share")
        share = with_interval(share_so_far(so_far, self.repeats))
        return [f"{whose} {share}" if whose else f"passed {share}"]


class FileProgress:
    """Listens to the reading of files: shows problems at once, and how far it is."""

    def __init__(self, paths: Sequence[str], *, shown: bool = True) -> None:
        # The packed size of gzip and the table size of Parquet say little about the work: no total then.
        sized = [path for path in paths if path != "-" and not path.endswith((".gz", ".parquet"))]
        known = len(sized) == len(paths) and all(Path(path).is_file() for path in sized)
        self.total = sum(Path(path).stat().st_size for path in sized) if known else None
        self.line = ProgressLine(shown=shown)
        self.complaints: dict[str, Problem] = {}
        self.repeated: Counter[str] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for key, times in self.repeated.items():
            first = self.complaints.get(key)
            named = f"as in {printable(first.where)}, also in" if first else "further complaints about"
            self.line.say(f"{named} {count(times, 'more row')}")
        self.line.stop()

    def __call__(self, rows: int, read_bytes: float, problems: Sequence[Problem]) -> None:
        """Show how many rows were read from how many bytes, and which could not be."""
        for problem in problems:
            self._complain(problem)
        if self.line.is_due():
            self.line.show(read_bytes, self.total, f"{rows:,} rows{self._share(read_bytes)}")

    def _complain(self, problem: Problem) -> None:
        """Say a complaint the first time; the same one, of which only numbers differ, is counted."""
        key = _NUMBER.sub("#", problem.what)
        if key in self.complaints:
            self.repeated[key] += 1
        elif len(self.complaints) < SHOWN_PROBLEMS:
            self.complaints[key] = problem
            self.line.say(f"{printable(problem.where)}: {printable(problem.what)}")
        else:
            self.repeated[""] += 1

    def _share(self, read_bytes: float) -> str:
        share = min(1.0, read_bytes / self.total) if self.total else 0.0
        if not share:
            return ""
        left = (time.monotonic() - self.line.started) * (1 / share - 1)
        return f" ({share:.0%}), {duration(left)} left"


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    return Progress(
        BarColumn(style="dim", complete_style="blue", finished_style="blue"),
        TextColumn("{task.fields[words]}", markup=False, table_column=Column(no_wrap=False)),
        console=Console(stderr=True),
        transient=True,
    )
