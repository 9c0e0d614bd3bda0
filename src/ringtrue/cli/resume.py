"""`ringtrue resume`: go on with a run that did not finish."""

from __future__ import annotations

import sys

import click

from ringtrue.api.stored import find_run
from ringtrue.cli.stores import store_option
from ringtrue.errors import ConfigurationError
from ringtrue.store.database import Database


@click.command("resume", short_help="Go on with a run that did not finish.")
@click.argument("run", metavar="RUN")
@store_option
def command(run: str, store: str) -> int:
    """Go on with RUN: what it has answered is kept, what is missing is asked."""
    with Database(store) as database:
        found = find_run(database, run)
    if found.status == "finished":
        raise ConfigurationError(f"run {found.id} has finished; 'ringtrue show {found.id}' shows it", parameter="run")
    arguments = found.config.get("arguments")
    if not arguments:
        raise ConfigurationError(f"run {found.id} was started from Python; run the same program again", parameter="run")
    from ringtrue.cli import invoke

    sys.argv[1:] = arguments
    return invoke(list(arguments))
