"""`ringtrue store`: copy a store to another, or delete old runs from it."""

from __future__ import annotations

import time
from collections.abc import Mapping

import click

from ringtrue.cli import INTERRUPTED
from ringtrue.cli.shared.command import OnceCommand, say
from ringtrue.cli.shared.options import json_option, store_option
from ringtrue.errors import ConfigurationError
from ringtrue.jsontext import json_text
from ringtrue.reports.number import count
from ringtrue.reports.progress import ProgressLine
from ringtrue.store.address import without_password
from ringtrue.store.database import Database, existing
from ringtrue.store.pruning import Pruning
from ringtrue.store.whole_copy import copy_store

DAY = 86_400.0


@click.group("store")
def command() -> None:
    """Copy a store, or delete old runs from it."""


@command.command("copy", cls=OnceCommand)
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@json_option
def copy(source: str, target: str, quiet: bool, as_json: bool) -> int:
    """Copy all runs of the store FROM to the store TO.

    Answers, scores and judges' replies are copied too, in either direction.

    Existing runs in TO are kept. To finish an interrupted copy, run the same command again.

    \b
    ringtrue store copy .ringtrue/ringtrue.db postgresql://me@db.example/evals
    ringtrue store copy postgresql://me@db.example/evals backup.db
    """
    if source == target:
        raise ConfigurationError("FROM and TO are the same store", parameter="target", value=without_password(target))
    line = ProgressLine(shown=not quiet)

    def show(table: str, copied: int) -> None:
        if line.is_due():
            line.show(copied, None, f"{table}: {copied:,}")

    try:
        with existing(source) as one, Database(target) as other:
            new = copy_store(one, other, show)
            target_name = other.url
    finally:
        line.stop()
    if as_json:
        click.echo(json_text({"target": target_name, "copied": new}, indent=True))
        return 0
    counts = ", ".join(f"{found:,} {table}" for table, found in new.items() if found) or "nothing new"
    click.echo(f"copied to {target_name}: {counts}")
    return 0


@command.command("prune", cls=OnceCommand)
@click.option("--older-than", type=click.FloatRange(min=0), metavar="DAYS", help="Runs that are older than this.")
@click.option("--keep", type=click.IntRange(min=0), metavar="N", help="All but the newest N runs.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@store_option
def prune(older_than: float | None, keep: int | None, yes: bool, as_json: bool, store: str) -> int:
    """Delete old runs, and what no other run needs.

    That is: their answers, cases and judges' replies.

    With both options, a run is deleted only if both apply. A run that is still active is kept, and so is one that a
    kept run was rescored from. While runs are active, answers and cases are kept for the next prune.

    \b
    ringtrue store prune --older-than 90
    ringtrue store prune --keep 20 --yes --store postgresql://me@db.example/evals
    """
    if older_than is None and keep is None:
        raise click.UsageError("say which runs: --older-than DAYS, --keep N, or both", click.get_current_context())
    cutoff = None if older_than is None else time.time() - older_than * DAY
    with existing(store) as database:
        pruning = Pruning.of(database, older_than=cutoff, keep=keep)
        if pruning.kept:
            say(f"not deleted: {count(len(pruning.kept), 'old run')}, from whose answers newer runs were scored")
        if pruning.runs and not yes:
            try:
                click.confirm(f"Delete {_amounts(pruning.estimate(database))}?", abort=True, err=True)
            except click.Abort:
                say("nothing was deleted; --yes deletes without asking")
                return INTERRUPTED
        deleted = pruning.apply(database) if pruning.runs else {}
    if as_json:
        amounts = {what: {"number": number, "bytes": length} for what, (number, length) in deleted.items()}
        click.echo(json_text({"deleted": amounts}, indent=True))
    else:
        click.echo(f"deleted {_amounts(deleted)}" if deleted else "nothing to prune")
    return 0


def _amounts(found: Mapping[str, tuple[int, int]]) -> str:
    size = sum(length for _, length in found.values())
    return f"{', '.join(f'{number:,} {what}' for what, (number, _) in found.items() if number)}; {_bytes(size)} of text"


def _bytes(size: float) -> str:
    for unit in ("bytes", "KB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:,.0f} {unit}" if unit == "bytes" else f"{size:,.1f} {unit}"
        size /= 1000
    return ""
