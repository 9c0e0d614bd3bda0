"""What a command does with a finished run: files, the report, and the exit code."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

import click

from ringtrue.atomic_file import check_place, write_whole
from ringtrue.cli.shared.gates import exit_code
from ringtrue.cli.shared.options import Flags
from ringtrue.records import DEFAULT_STORE, Run
from ringtrue.reports.junit import junit_xml
from ringtrue.reports.markdown import run_markdown
from ringtrue.reports.row_file import format_of, write_rows
from ringtrue.reports.run_json import run_json
from ringtrue.reports.run_page import run_page
from ringtrue.reports.run_text import print_run
from ringtrue.store.database import without_password


def check_files(flags: Flags) -> None:
    """Find out before the first call whether the files that are wanted can be written."""
    if flags.output:
        format_of(flags.output)
    for name in ("output", "html", "junit", "markdown"):
        if path := getattr(flags, name):
            check_place(path, name)


def finish(run: Run, flags: Flags, floors: Mapping[str, float], *, rows_written: bool = False) -> int:
    """Write the files, show the run, and say by the exit code what it means."""
    if flags.output and not rows_written:
        write_rows(flags.output, run.rows, run.made)
    if flags.html:
        write_whole(flags.html, run_page(run).encode())
    if flags.junit:
        write_whole(flags.junit, junit_xml(list(run.rows), run.made.name or run.made.job).encode())
    if flags.markdown:
        write_whole(flags.markdown, run_markdown(run).encode())
    if flags.as_json:
        click.echo(run_json(run))
    elif not flags.quiet:
        print_run(run, cases=run.made.job == "suite", named=run_words(run.id, flags.store))
    return exit_code(run, floors, flags.max_errors)


def run_words(run: str, store: str) -> str:
    """How a run is named on the command line."""
    return run if store == DEFAULT_STORE else f"{run} --store {shlex.quote(without_password(store))}"
