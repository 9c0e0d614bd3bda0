"""`ringtrue resume`: continue a run that did not finish."""

from __future__ import annotations

import click

from ringtrue.api.runs import find_run
from ringtrue.cli.run import ResumedRun
from ringtrue.cli.run import command as run_command
from ringtrue.cli.shared.command import OnceCommand
from ringtrue.cli.shared.options import json_option, run_argument, store_option
from ringtrue.errors import ConfigurationError


@click.command("resume", cls=OnceCommand)
@run_argument
@json_option
@store_option
def command(run: str, store: str, as_json: bool) -> int:
    """Resume the stored RUN: its answers are kept, and only what is missing is asked."""
    found = find_run(run, store)
    if found.status == "finished":
        raise ConfigurationError(f"run {run} has finished; 'ringtrue show {run}' shows it", parameter="run")
    arguments = found.made.options.get("arguments")
    if not arguments:
        words = (
            f"run {found.id} was not started by 'ringtrue run': start it the same way again; what is finished is kept"
        )
        raise ConfigurationError(words, parameter="run")
    given = list(arguments[arguments.index("run") + 1 :])
    context = run_command.make_context("run", given, obj=ResumedRun(found.id, arguments))
    context.params.update(store=store, cache_dir=None, as_json=as_json or context.params["as_json"])
    with context:
        return int(run_command.invoke(context))
