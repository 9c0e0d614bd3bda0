"""`ringtrue export`: a stored run as a file of another program's liking."""

from __future__ import annotations

import sys

import click

from ringtrue.api.rescore import find_run, stored_result, stored_rows
from ringtrue.atomic_file import write_whole
from ringtrue.cli.metrics import metrics_of
from ringtrue.cli.stores import store_option
from ringtrue.errors import ConfigurationError
from ringtrue.reports.exported import FORMATS, exported
from ringtrue.store.database import existing


@click.command("export", short_help="Write a stored run as JSON, JSONL, CSV, Parquet, JUnit or Markdown.")
@click.argument("run", metavar="RUN")
@click.option("--format", "-f", type=click.Choice(FORMATS), required=True)
@click.option("-o", "--output", metavar="FILE", help="Where to write; standard output by default.")
@store_option
def command(run: str, format: str, output: str | None, store: str) -> int:
    """Write the stored RUN in another format."""
    if format == "parquet" and output is None:
        raise ConfigurationError("Parquet goes to a file: add -o FILE", parameter="output")
    with existing(store) as database:
        found = find_run(database, run)
        if format in ("json", "markdown"):
            result = stored_result(database, found, metrics_of(found))
            data = (result.to_json() if format == "json" else result.to_markdown()).encode()
        else:
            data = exported(format, stored_rows(database, found), found.id, found.config["keys"])
    if output is None:
        sys.stdout.buffer.write(data)
    else:
        write_whole(output, data)
    return 0
