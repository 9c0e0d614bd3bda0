"""`ringtrue list`: what there is to use, and what has been run."""

from __future__ import annotations

import time
from typing import Any

import click

from ringtrue.cli.shared.command import OnceCommand, say
from ringtrue.cli.shared.options import json_option, store_option
from ringtrue.evaluators.built_in import BUILT_IN, JUDGED
from ringtrue.evaluators.spec import find, plugins
from ringtrue.jsontext import json_text
from ringtrue.records import DEFAULT_STORE, Run
from ringtrue.reports.cost import run_cost
from ringtrue.reports.terminal.canvas import print_lines
from ringtrue.reports.terminal.run_list import run_list_lines


@click.command("list", cls=OnceCommand)
@click.argument("what", type=click.Choice(["evaluators", "datasets", "samples", "runs"]))
@json_option
@store_option
def command(what: str, as_json: bool, store: str) -> int:
    """List evaluators, benchmarks, the samples that come with the package, or the runs in a store."""
    from ringtrue.store.address import without_password

    found = {"evaluators": _evaluators, "datasets": _datasets, "samples": _samples}
    entries: list[dict[str, Any]] = _runs(store) if what == "runs" else found[what]()
    if as_json:
        click.echo(json_text(entries, indent=True))
        return 0
    if what == "runs" and not entries:
        say(f"there are no runs in {without_password(store)}; 'ringtrue run' stores one")
        return 0
    if what == "datasets":
        _print_datasets(entries)
        return 0
    if what == "runs":
        print_lines(lambda canvas: run_list_lines(canvas, entries))
        return 0
    table = [list(entry.values()) for entry in entries]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for cells in table:
        click.echo("  ".join(f"{cell:<{room}}" for cell, room in zip(cells, widths, strict=True)).rstrip())
    return 0


def _evaluators() -> list[dict[str, str]]:
    names = sorted([*BUILT_IN, *JUDGED, *(plugin.name for plugin in plugins())])
    return [{"name": name, "about": _first_sentence(find(name).__doc__)} for name in names]


def _datasets() -> list[dict[str, Any]]:
    from ringtrue.cli.show_dataset import entries

    return entries()


def _print_datasets(entries: list[dict[str, Any]]) -> None:
    from ringtrue.cli.show_dataset import dataset_lines

    print_lines(lambda canvas: map(canvas.text, dataset_lines(entries, canvas.width)))
    say("~: not its authors' metric; 'ringtrue show dataset NAME' says how it differs, and names every source")


def _samples() -> list[dict[str, str]]:
    from ringtrue.datasets.catalogue.loading import load, sampled_names
    from ringtrue.datasets.catalogue.table import find
    from ringtrue.datasets.samples import SAMPLE, SAMPLES

    questions = {}
    for name in sampled_names():
        asked = f"{sum(1 for _ in load(name + SAMPLE))} questions for 'ringtrue run'"
        questions[name] = f"{SAMPLES[name]} {asked}." if name in SAMPLES else f"{asked} ({find(name).licence})."
    return [{"name": f"{name}@sample", "about": about} for name, about in {**SAMPLES, **questions}.items()]


def _runs(store: str) -> list[dict[str, Any]]:
    """The runs, newest first."""
    from ringtrue.store.address import kept_at
    from ringtrue.store.database import existing
    from ringtrue.store.runs import RunStore

    if store == DEFAULT_STORE and not kept_at(store):
        return []
    with existing(store) as database:
        stored = {run.id: run for run in database.runs()}
        return [
            {
                "id": run.id,
                "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(stored[run.id].created)),
                "status": run.status,
                "name": run.made.name,
                "datasets": [one.name for one in run.made.datasets],
                "systems": [one.name for one in run.made.systems],
                "headlines": _headlines(run),
                "rows": len(run.rows),
                "errors": _errors(run) if run.facts else database.row_counts(run.id).get(run.id, (0, 0))[1],
                "cost": run_cost(run)["total"] if run.facts else None,
            }
            for run in RunStore(database).runs()
        ]


def _errors(run: Run) -> int:
    """Count the rows of a run that have no verdict because the system or the headline's evaluator failed."""
    shares = (own.get("pass_rate") for systems in run.summaries.values() for own in systems.values())
    return sum(share.errors for share in shares if share is not None)


def _headlines(run: Run) -> list[dict[str, Any]]:
    """The share of cases that pass, of every dataset and system, best first within a dataset; what passes, and when."""
    found = []
    scores = {one.name: one.headline for one in run.made.datasets} if run.made.job != "suite" else {}
    for dataset, systems in run.summaries.items():
        shares = [(system, own["pass_rate"]) for system, own in systems.items() if "pass_rate" in own]
        for system, share in sorted(shares, key=lambda pair: -(pair[1].value or 0.0)):
            found.append(
                {
                    "dataset": dataset,
                    "system": system,
                    "score": scores.get(dataset) or None,
                    "threshold": share.threshold,
                    "pass_rate": share.value,
                    "interval": share.interval,
                    "n": share.n,
                }
            )
    return found


def _first_sentence(docstring: str | None) -> str:
    lines = (docstring or "").strip().split("\n\n")[0].split()
    return " ".join(lines)
