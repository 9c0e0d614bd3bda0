"""`ringtrue export`: write a run in another format."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import click

from ringtrue.api.runs import open_run
from ringtrue.atomic_file import check_place, write_pieces
from ringtrue.cli.shared.command import OnceCommand
from ringtrue.cli.shared.completion import complete_file
from ringtrue.cli.shared.options import run_argument, store_option
from ringtrue.cli.shared.output import run_pieces
from ringtrue.errors import ConfigurationError
from ringtrue.records import Run
from ringtrue.reports.row_file import write_rows

ROWS = ("jsonl", "csv", "parquet")
_ENDINGS = {"xml": "junit", "md": "markdown", "htm": "html"}
FORMATS = ("json", *ROWS, "junit", "markdown", "html", "otel")


@click.command("export", cls=OnceCommand)
@run_argument
@click.option("--format", "-f", type=click.Choice(FORMATS), help="Format; by default taken from the name of FILE.")
@click.option("-o", "--output", metavar="FILE", help="File to write; standard output by default.")
@click.option("--html", metavar="FILE", shell_complete=complete_file, help="Write the run as one HTML page.")
@store_option
def command(run: str, format: str | None, output: str | None, html: str | None, store: str) -> int:
    """Write RUN (a stored id or its beginning, `last`, or a file of rows) in another format."""
    for place, parameter in ((output, "output"), (html, "html")):
        if place is not None:
            check_place(place, parameter)
    if html is not None:
        write_pieces(html, run_pieces("html", open_run(run, store)))
        if format is None and output is None:
            return 0
    wanted = format or _format_of(output)
    if wanted == "parquet" and output is None:
        raise ConfigurationError("Parquet goes to a file: add -o FILE", parameter="output")
    found = open_run(run, store)
    if wanted in ROWS:
        _write_rows(found, wanted, output)
    elif output is None:
        sys.stdout.buffer.writelines(run_pieces(wanted, found))
    else:
        write_pieces(output, run_pieces(wanted, found))
    return 0


def _format_of(output: str | None) -> str:
    """The format that the name of a file says."""
    ending = Path(output or "").suffix.lower().removeprefix(".")
    found = _ENDINGS.get(ending, ending)
    if found not in FORMATS:
        words = f"Missing option '-f' / '--format': one of {', '.join(FORMATS)}, or -o with a name that ends like one"
        raise click.UsageError(words, click.get_current_context())
    return found


def _write_rows(run: Run, format: str, output: str | None) -> None:
    """Write rows as they are read; standard output gets them when they are whole."""
    if output is not None:
        Path(output).absolute().parent.mkdir(parents=True, exist_ok=True)
        write_rows(output, run.rows, run.made, format=f".{format}")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"rows.{format}"
        write_rows(path, run.rows, run.made)
        with path.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
