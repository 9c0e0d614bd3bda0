"""Results as the commands print them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping

import click

from ringtrue.api.result import EvalResult
from ringtrue.records import Summary
from ringtrue.reports.table import metrics_table, printable, summary_table
from ringtrue.store.database import DEFAULT, without_password


def show(result: EvalResult, output: str = "table", store: str = DEFAULT) -> None:
    """Print a result."""
    if output != "table":
        click.echo(result.to_json() if output == "json" else result.to_markdown())
        return
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else 110)
    scores = {
        system: {key: summary for key, summary in found.items() if key not in result.summary.get(system, {})}
        for system, found in result.details.items()
    }
    console.print(summary_table(scores))
    for line in _doubts(scores):
        console.print(line)
    if any(result.summary.values()):
        console.print()
        console.print(metrics_table(result.summary))
    errors = sum(row.status != "ok" for row in result.rows)
    words = f"run {result.config['run']}: {len(result.rows):,} rows" + (
        f", {errors:,} of them errors" if errors else ""
    )
    console.print(f"{words}; 'ringtrue show {named(result.config['run'], store)}' shows it again", style="dim")


def named(run: str, store: str) -> str:
    """How a run is named on the command line."""
    return run if store == DEFAULT else f"{run} --store {shlex.quote(without_password(store))}"


def _doubts(scores: Mapping[str, Mapping[str, Summary]]) -> Iterator[str]:
    """One line per system with errors: what its scores would be if all of them were wrong, and if all were right."""
    for system, found in scores.items():
        open_ = {key: summary.bounds for key, summary in found.items() if summary.errors and summary.bounds}
        if open_:
            ranges = ", ".join(f"{key} {low:.4f} … {high:.4f}" for key, (low, high) in open_.items())
            yield printable(f"{system}, if all errors were wrong … right: {ranges}")
