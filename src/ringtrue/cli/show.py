"""`ringtrue show`: a stored run again."""

from __future__ import annotations

import click

from ringtrue.api.stored import find_run, stored_result
from ringtrue.cli.run import show
from ringtrue.cli.stores import store_option
from ringtrue.store.database import Database


@click.command("show", short_help="Show a stored run.")
@click.argument("run", metavar="RUN")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@store_option
def command(run: str, as_json: bool, store: str) -> int:
    """Show the stored RUN: its id, the beginning of it, or `last`."""
    with Database(store) as database:
        show(stored_result(database, find_run(database, run)), "json" if as_json else "table")
    return 0
