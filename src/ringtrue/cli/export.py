"""`ringtrue export`: write a run in another format."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import click

from ringtrue.api.runs import open_run
from ringtrue.atomic_file import write_whole
from ringtrue.cli.shared.command import OnceCommand
from ringtrue.cli.shared.completion import complete_file
from ringtrue.cli.shared.options import run_argument, store_option
from ringtrue.cli.shared.output import run_as
from ringtrue.errors import ConfigurationError
from ringtrue.records import Run
from ringtrue.reports.row_file import write_rows

ROWS = ("jsonl", "csv", "parquet")
_ENDINGS = {"xml": "junit", "md": "markdown", "htm": "html"}
FORMATS = ("json", *ROWS, "junit", "markdown", "html")


@click.command(
    "export", cls=OnceCommand, short_help="Write a run as JSON, JSONL, CSV, Parquet, JUnit, Markdown or HTML."
)
@run_argument
@click.option("--format", "-f", type=click.Choice(FORMATS), help="By default the one that FILE's name ends in.")
@click.option("-o", "--output", metavar="FILE", help="Where to write; standard output by default.")
@click.option("--html", metavar="FILE", shell_complete=complete_file, help="Write the run as one HTML page.")
@store_option
def command(run: str, format: str | None, output: str | None, html: str | None, store: str) -> int:
    """Write RUN (a stored id or its beginning, `last`, or a file of rows) in another format."""
    if html is not None:
        write_whole(html, run_as("html", open_run(run, store)).encode())
        if format is None and output is None:
            return 0
    wanted = format or _format_of(output)
    if wanted == "parquet" and output is None:
        raise ConfigurationError("Parquet goes to a file: add -o FILE", parameter="output")
    found = open_run(run, store)
    data = _rows(found, wanted) if wanted in ROWS else run_as(wanted, found).encode()
    if output is None:
        sys.stdout.buffer.write(data)
    else:
        write_whole(output, data)
    return 0


def _format_of(output: str | None) -> str:
    """The format that the name of a file says."""
    ending = Path(output or "").suffix.lower().removeprefix(".")
    found = _ENDINGS.get(ending, ending)
    if found not in FORMATS:
        words = f"Missing option '-f' / '--format': one of {', '.join(FORMATS)}, or -o with a name that ends like one"
        raise click.UsageError(words, click.get_current_context())
    return found


def _rows(run: Run, format: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"rows.{format}")
        write_rows(path, run.rows, run.made)
        return Path(path).read_bytes()
