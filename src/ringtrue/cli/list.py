"""`ringtrue list`: what there is to use, and what has been run."""

from __future__ import annotations

import calendar
import shutil
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ringtrue.cli.shared.command import OnceCommand, say
from ringtrue.cli.shared.options import json_option, store_option
from ringtrue.evaluators.built_in import BUILT_IN, JUDGED
from ringtrue.evaluators.spec import find, plugins
from ringtrue.jsontext import json_text
from ringtrue.records import DEFAULT_STORE, Run
from ringtrue.reports.number import count, interval, number

if TYPE_CHECKING:
    from ringtrue.store.database import Database, StoredRun

WIDTH, NARROW = 80, 72


@click.command("list", cls=OnceCommand)
@click.argument("what", type=click.Choice(["evaluators", "datasets", "samples", "runs"]))
@json_option
@store_option
def command(what: str, as_json: bool, store: str) -> int:
    """List evaluators, benchmarks, the samples that come with the package, or the runs in a store."""
    from ringtrue.records import DEFAULT_STORE
    from ringtrue.store.database import without_password

    found = {"evaluators": _evaluators, "datasets": _datasets, "samples": _samples}
    entries: list[dict[str, Any]] = _runs(store) if what == "runs" else found[what]()
    if as_json:
        click.echo(json_text(entries, indent=True))
        return 0
    if what == "runs" and not entries:
        say(f"there are no runs in {without_password(store or DEFAULT_STORE)}; 'ringtrue run' keeps some")
        return 0
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH
    if what == "datasets":
        _print_datasets(entries, width)
        return 0
    if what == "runs":
        for line in _run_lines(entries, width) if width >= NARROW else _stacked_lines(entries, width):
            click.echo(line)
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


def _print_datasets(entries: list[dict[str, Any]], width: int) -> None:
    from ringtrue.cli.show_dataset import dataset_lines

    for line in dataset_lines(entries, width):
        click.echo(line)
    say("~: not its authors' metric; 'ringtrue show dataset NAME' says how it differs, and names every source")


def _samples() -> list[dict[str, str]]:
    from ringtrue.datasets.catalogue.loading import sampled_names
    from ringtrue.datasets.samples import SAMPLES

    asked = {name: f"{SAMPLES[name]} " if name in SAMPLES else "" for name in sampled_names()}
    questions = {name: f"{about}Questions with gold answers, for 'ringtrue run'." for name, about in asked.items()}
    return [{"name": f"{name}@sample", "about": about} for name, about in {**SAMPLES, **questions}.items()]


def _runs(store: str) -> list[dict[str, Any]]:
    """The runs, newest first; one that says it is running while nobody works on it was killed."""
    from ringtrue.store.database import existing, kept_at
    from ringtrue.store.runs import RunStore

    if store == DEFAULT_STORE and not kept_at(store):
        return []
    with existing(store) as database:
        counts = database.row_counts()
        stored = {run.id: run for run in database.runs()}
        return [
            {
                "id": run.id,
                "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(stored[run.id].created)),
                "status": "killed" if run.status == "running" and _is_free(database, stored[run.id]) else run.status,
                "name": run.made.name,
                "datasets": [one.name for one in run.made.datasets],
                "systems": [one.name for one in run.made.systems],
                "headlines": _headlines(run),
                "rows": counts.get(run.id, (0, 0))[0],
                "errors": counts.get(run.id, (0, 0))[1],
            }
            for run in RunStore(database).runs()
        ]


def _is_free(database: Database, run: StoredRun) -> bool:
    return database.lease(run.digest).free()


def _headlines(run: Run) -> list[dict[str, Any]]:
    """The share of cases that pass, of every dataset and system, best first within a dataset."""
    found = []
    for dataset, systems in run.summaries.items():
        shares = [(system, own["pass_rate"]) for system, own in systems.items() if "pass_rate" in own]
        for system, share in sorted(shares, key=lambda pair: -(pair[1].value or 0.0)):
            told = {"dataset": dataset, "system": system, "pass_rate": share.value, "interval": share.interval}
            found.append({**told, "n": share.n})
    return found


def _stacked_lines(runs: list[dict[str, Any]], width: int) -> Iterator[str]:
    """Three lines for each run, where a table has no place."""
    from ringtrue.safetext import printable, shorten

    size = _id_width([run["id"] for run in runs])
    for run in runs:
        names = printable(f"{_several(run['datasets'])}, {_several(_best_first(run))}")
        yield f"{run['id'][:size]}  {_age(run['created'])}"
        yield f"  {shorten(names, width - 2)}"
        yield f"  {_result(run)}  {count(run['rows'], 'row')}, {count(run['errors'], 'error')}"


def _run_lines(runs: list[dict[str, Any]], width: int) -> Iterator[str]:
    """A table that fits the terminal; the number is that of the best system of the first dataset."""
    from ringtrue.safetext import printable, shorten

    heads = ("run", "age", "dataset", "system", "passed, 95 %", "rows", "errors")
    size = _id_width([run["id"] for run in runs])
    lines = [
        [
            run["id"][:size],
            _age(run["created"]),
            _several(run["datasets"]),
            _several(_best_first(run)),
            _result(run),
            f"{run['rows']:,}",
            f"{run['errors']:,}",
        ]
        for run in runs
    ]
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    spare = width - sum(widths) - 2 * (len(widths) - 1)
    while spare < 0 and max(widths[2:4]) > 8:  # names are what can be cut
        wider = 2 if widths[2] >= widths[3] else 3
        widths[wider] -= 1
        spare += 1
    for line in ([*heads], *lines) if lines else ():
        cut = [shorten(printable(cell), room) for cell, room in zip(line, widths, strict=True)]
        left = [f"{cell:<{room}}" for cell, room in zip(cut[:5], widths[:5], strict=True)]
        right = [f"{cell:>{room}}" for cell, room in zip(cut[5:], widths[5:], strict=True)]
        yield "  ".join([*left, *right]).rstrip()


def _id_width(ids: list[str]) -> int:
    """How much of the ids tells them apart."""
    return next((width for width in range(6, 12) if len({one[:width] for one in ids}) == len(ids)), 12)


def _best_first(run: dict[str, Any]) -> list[str]:
    dataset = run["headlines"][0]["dataset"] if run["headlines"] else None
    ranked = [one["system"] for one in run["headlines"] if one["dataset"] == dataset]
    return list(dict.fromkeys([*ranked, *run["systems"]]))


def _several(names: list[str]) -> str:
    if not names:
        return "–"
    return names[0] or "–" if len(names) == 1 else f"{names[0]} +{len(names) - 1}"


def _result(run: dict[str, Any]) -> str:
    """The headline with its interval, or how the run ended if it did not finish."""
    if run["status"] != "finished":
        return str(run["status"])
    if not run["headlines"] or run["headlines"][0]["pass_rate"] is None:
        return "nothing measured"
    best = run["headlines"][0]
    bounds = interval(best["interval"], "share") if best["interval"] else ""
    return f"{number(best['pass_rate'], 'share')} %  {bounds}".rstrip()


def _age(created: str) -> str:
    seconds = max(0.0, time.time() - calendar.timegm(time.strptime(created, "%Y-%m-%dT%H:%M:%SZ")))
    for size, unit in ((86_400, "day"), (3_600, "hour")):
        if seconds >= size:
            return count(int(seconds // size), unit)
    return f"{int(seconds // 60)} min"


def _first_sentence(docstring: str | None) -> str:
    lines = (docstring or "").strip().split("\n\n")[0].split()
    return " ".join(lines)
