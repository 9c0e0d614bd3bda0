"""Results as the commands print them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence

import click

from ringtrue.models.tokens import ESTIMATE
from ringtrue.records import EvalRow
from ringtrue.reports.eval_result import EvalResult
from ringtrue.reports.table import metrics_table, summary_table
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
    if any(result.summary.values()):
        console.print()
        console.print(metrics_table(result.summary))
    notes = [_cost(result.cost), _tokens(result.rows) if any(result.summary.values()) else ""]
    if any(notes):
        console.print("\n" + "\n".join(filter(None, notes)))
    errors = sum(row.status != "ok" for row in result.rows)
    words = f"run {result.config['run']}: {len(result.rows):,} rows" + (
        f", {errors:,} of them errors" if errors else ""
    )
    console.print(f"{words}; 'ringtrue show {named(result.config['run'], store)}' shows it again", style="dim")


def _cost(cost: Mapping[str, float | None]) -> str:
    """What a run took, in words; nothing where nobody was paid."""
    if not cost["systems"] and not cost["judges"]:
        return ""
    known = {name: "not known" if value is None else f"${value:.4f}" for name, value in cost.items()}
    return f"cost: systems {known['systems']}, judges {known['judges']}, together {known['total']}"


def _tokens(rows: Sequence[EvalRow]) -> str:
    estimated = sum(row.token_source == ESTIMATE for row in rows)
    if not estimated:
        return ""
    return f"tokens: those of {estimated:,} rows are an estimate; the extra 'tokens' counts them (ringtrue[tokens])"


def named(run: str, store: str) -> str:
    """How a run is named on the command line."""
    return run if store == DEFAULT else f"{run} --store {shlex.quote(without_password(store))}"
