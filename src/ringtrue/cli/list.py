"""`ringtrue list`: what there is to use, and what has been run."""

from __future__ import annotations

import time
from typing import Any

import click

from ringtrue.cli.shared.options import json_option
from ringtrue.evaluators.built_in import BUILT_IN, JUDGED
from ringtrue.evaluators.spec import find, plugins
from ringtrue.jsontext import json_text


@click.command("list", short_help="List what there is to use, or the runs in a store.")
@click.argument("what", type=click.Choice(["evaluators", "datasets", "samples", "runs"]))
@json_option
@click.option("--store", metavar="URL", help="Where runs are kept.")
def command(what: str, as_json: bool, store: str | None) -> int:
    """List evaluators, benchmarks, the samples that come with the package, or the runs in a store."""
    from ringtrue.records import DEFAULT_STORE
    from ringtrue.store.database import without_password

    found = {"evaluators": _evaluators, "datasets": _datasets, "samples": _samples}
    entries: list[dict[str, Any]] = _runs(store) if what == "runs" else found[what]()
    if as_json:
        click.echo(json_text(entries, indent=True))
        return 0
    if what == "runs" and not entries:
        place = store or DEFAULT_STORE
        click.echo(f"ringtrue: there are no runs in {without_password(place)}; 'ringtrue run' keeps some", err=True)
        return 0
    cells = {"runs": _run_cells, "datasets": _dataset_cells}.get(what, _cells)
    lines = [*_HEADS.get(what, ()), *(cells(entry) for entry in entries)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        click.echo("  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip())
    return 0


_HEADS = {"datasets": [["name", "size", "task", "licence", "revision", "evaluators"]]}


def _cells(entry: dict[str, Any]) -> list[str]:
    return list(entry.values())


def _evaluators() -> list[dict[str, str]]:
    names = sorted([*BUILT_IN, *JUDGED, *(plugin.name for plugin in plugins())])
    return [{"name": name, "about": _first_sentence(find(name).__doc__)} for name in names]


def _datasets() -> list[dict[str, Any]]:
    from ringtrue.cli.show_dataset import entries

    return entries()


def _dataset_cells(entry: dict[str, Any]) -> list[str]:
    from ringtrue.cli.show_dataset import cells

    return cells(entry)


def _samples() -> list[dict[str, str]]:
    from ringtrue.datasets.catalogue.loading import sampled
    from ringtrue.datasets.samples import SAMPLES

    asked = {name: f"{SAMPLES[name]} " if name in SAMPLES else "" for name in sampled()}
    questions = {name: f"{about}Questions with gold answers, for 'ringtrue run'." for name, about in asked.items()}
    return [{"name": f"{name}@sample", "about": about} for name, about in {**SAMPLES, **questions}.items()]


def _runs(store: str | None) -> list[dict[str, Any]]:
    """The runs, newest first; one that says it is running while nobody works on it was killed."""
    from ringtrue.records import DEFAULT_STORE
    from ringtrue.store.database import existing, kept_at

    if store is None and not kept_at(DEFAULT_STORE):
        return []
    with existing(store or DEFAULT_STORE) as database:
        counts = database.row_counts()
        return [
            {
                "id": run.id,
                "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(run.created)),
                "status": "killed" if run.status == "running" and database.lease(run.digest).free() else run.status,
                "name": run.name or "",
                "systems": [one["name"] for one in run.config.get("systems", ())],
                "rows": counts.get(run.id, (0, 0))[0],
                "errors": counts.get(run.id, (0, 0))[1],
            }
            for run in database.runs()
        ]


def _run_cells(run: dict[str, Any]) -> list[str]:
    from ringtrue.safetext import printable

    when = time.strftime("%Y-%m-%d %H:%M", time.strptime(run["created"], "%Y-%m-%dT%H:%M:%SZ"))
    rows = f"{run['rows']:,} rows" + (f", {run['errors']:,} errors" if run["errors"] else "")
    return [run["id"], f"{when} UTC", run["status"], rows, printable(", ".join(run["systems"]))]


def _first_sentence(docstring: str | None) -> str:
    lines = (docstring or "").strip().split("\n\n")[0].split()
    return " ".join(lines)
