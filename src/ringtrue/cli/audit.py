"""`ringtrue audit`: the runs of a suite in a log that shows what was changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ringtrue.api.audit import AuditLog
from ringtrue.api.gate import FAILED, UNDECIDED
from ringtrue.api.report import EvalReport
from ringtrue.cli import OK
from ringtrue.reports.chained_log import Link
from ringtrue.reports.controls import CATALOGS
from ringtrue.reports.table import printable


@click.command("audit", short_help="Keep runs of a suite in a log that shows what was changed.")
@click.argument("log", metavar="LOG", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--add", "report", metavar="REPORT.json", help="Add a report of a suite to the log.")
@click.option("--framework", type=click.Choice(list(CATALOGS)), default="none", show_default=True,
              help="Whose controls the checks are held against.")  # fmt: skip
@click.option("--package", metavar="OUT.zip", help="Write an archive of the log that can be checked with Python alone.")
@click.option("--period", metavar="TEXT", default="", help="What the archive is about; today by default.")
@click.option(
    "--holds", metavar="HASH", help="Exit 1 unless the log has the record with this hash, as --add printed it."
)
def command(log: Path, report: str | None, framework: str, package: str | None, period: str, holds: str | None) -> int:
    """Check LOG: exit 1 if a record was changed or taken out of it, 2 if there is none.

    Records taken off the end leave no gap: --holds with the last hash that was printed shows it.

    \b
    ringtrue suite capitals.suite.toml --json report.json
    ringtrue audit capitals.audit.ndjson --add report.json
    """
    kept = AuditLog(log, framework)
    if report is not None:
        click.echo(kept.add(EvalReport.read(report)))
    links = kept.links()
    if report is None:
        for link in links:
            told = "  ".join(str(link.record.get(name, "")) for name in ("time", "suite", "record_hash"))
            click.echo(printable(f"{link.fault or 'ok'}  {told}"))
    if package is not None:
        kept.package(package, period)
    if framework != "none" and report is None:
        click.echo("\n".join(map(printable, str(kept.coverage()).splitlines())))
    return _verdict(links, holds)


def _verdict(links: Sequence[Link], holds: str | None) -> int:
    faults = sum(bool(link.fault) for link in links)
    held = holds is None or any(link.record.get("record_hash") == holds and not link.fault for link in links)
    if faults or not held:
        missed = [] if held else ["no sound record has the hash of --holds: it was changed or taken out"]
        words = [f"records that were changed, or before which one is missing: {faults} of {len(links)}"] * bool(faults)
        click.echo(f"ringtrue: {'; '.join(words + missed)}", err=True)
        return FAILED
    if not links:
        click.echo("ringtrue: the log has no record", err=True)
    return OK if links else UNDECIDED
