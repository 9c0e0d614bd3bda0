"""A run's summaries for people (a table) and for programs (JSON)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ringtrue._version import __version__
from ringtrue.jsontext import json_bytes
from ringtrue.records import Json, Run, Summary
from ringtrue.safetext import printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table

_COLUMNS = ("n", "mean", "95% interval", "passed", "failed", "skipped", "errors")
_BOUNDS = "errors wrong … right"
"""The mean if all errors were wrong, and if all were right; a column only where there are errors."""
_HALF = 3
_UNBOUNDED = 10_000


@dataclass(frozen=True, slots=True)
class SummaryTable:
    """Prints itself as one table where that fits, else as two with half the columns each: no number is ever cut."""

    summaries: Mapping[str, Mapping[str, Summary]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        whole = _table(self.summaries, slice(None))
        if console.measure(whole, options=options.update(width=_UNBOUNDED)).maximum <= options.max_width:
            yield whole
        else:
            yield _table(self.summaries, slice(_HALF))
            yield ""
            yield _table(self.summaries, slice(_HALF, None))


def summary_table(summaries: Mapping[str, Mapping[str, Summary]]) -> SummaryTable:
    """One line per part: how many, the mean, how sure, and what did not count."""
    return SummaryTable(summaries)


def _table(summaries: Mapping[str, Mapping[str, Summary]], chosen: slice) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("", overflow="fold")
    doubtful = any(summary.errors for parts in summaries.values() for summary in parts.values())
    for column in (*_COLUMNS, *([_BOUNDS] if doubtful else []))[chosen]:
        table.add_column(column, justify="right", no_wrap=True)
    for name, parts in summaries.items():
        alone = list(parts) == [name]
        if not alone:
            table.add_row(Text(printable(name), style="bold"))
        for part, summary in parts.items():
            label = (
                Text(printable(part), style="bold") if alone else Text(f"  {printable(part.removeprefix(f'{name}.'))}")
            )
            cells = [*_cells(summary), *([_doubt(summary)] if doubtful else [])]
            table.add_row(label, *(Text(cell) for cell in cells[chosen]))
    return table


def metrics_table(summary: Mapping[str, Mapping[str, float | None]]) -> Table:
    """One line per metric, one column per system."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("", no_wrap=True)
    for system in summary:
        table.add_column(Text(printable(system)), justify="right")
    for metric in dict.fromkeys(key for numbers in summary.values() for key in numbers):
        values = [numbers.get(metric) for numbers in summary.values()]
        table.add_row(Text(printable(metric)), *(Text("–" if value is None else f"{value:,.4f}") for value in values))
    return table


def _cells(summary: Summary) -> list[str]:
    mean = "–" if summary.value is None else f"{summary.value:.4f}"
    interval = "–" if summary.interval is None else "[{:.3f}, {:.3f}]".format(*summary.interval)
    counts = (summary.passed, summary.failed, summary.skipped, summary.errors)
    return [f"{summary.n:,}", mean, interval, *("–" if count is None else f"{count:,}" for count in counts)]


def _doubt(summary: Summary) -> str:
    return "{:.4f} … {:.4f}".format(*summary.bounds) if summary.errors and summary.bounds else "–"


def run_json(run: Run) -> bytes:
    """The run as one JSON object: summaries, signatures, counts."""
    return json_bytes(
        {
            "ringtrue": __version__,
            "rows": run.rows,
            "broken": run.problems,
            "problems": [{"where": problem.where, "what": problem.what} for problem in run.first_problems],
            "summaries": {
                name: {part: _summary_json(summary) for part, summary in parts.items()}
                for name, parts in run.summaries.items()
            },
            "signatures": run.signatures,
            **({"spent": run.spent} if run.spent else {}),
        },
        indent=True,
    )


def _summary_json(summary: Summary) -> dict[str, Json]:
    return {
        "mean": summary.value,
        "n": summary.n,
        "interval95": summary.interval,
        "method": summary.method or None,
        "passed": summary.passed,
        "failed": summary.failed,
        "skipped": summary.skipped,
        "errors": summary.errors,
    }
