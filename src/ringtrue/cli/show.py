"""`ringtrue show`: a stored run again."""

from __future__ import annotations

import click

from ringtrue.api.rescore import find_run, stored_result
from ringtrue.cli.metrics import metrics_of
from ringtrue.cli.results import show
from ringtrue.cli.show_dataset import show_dataset
from ringtrue.cli.stores import json_option, store_option
from ringtrue.store.database import existing


@click.command("show", short_help="Show a stored run, or a dataset.")
@click.argument("words", nargs=-1, required=True, metavar="RUN | dataset NAME")
@json_option
@click.option("--data-dir", metavar="DIR", help="A local mirror of datasets, in the hub's layout.")
@store_option
def command(words: tuple[str, ...], as_json: bool, data_dir: str | None, store: str) -> int:
    """Show the stored RUN (its id, the beginning of it, or `last`), or what `dataset NAME` asks and expects."""
    if words[0] == "dataset" and len(words) == 2:
        return show_dataset(words[1], data_dir, as_json=as_json)
    if len(words) != 1:
        raise click.UsageError("show takes a run, or: dataset NAME")
    run = words[0]
    with existing(store) as database:
        found = find_run(database, run)
        result = stored_result(database, found, metrics_of(found))
    show(result, "json" if as_json else "table", store)
    return 0
