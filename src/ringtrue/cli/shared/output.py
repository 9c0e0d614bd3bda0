"""The output of a finished run: files, the report, and the exit code."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from ringtrue.atomic_file import check_place, write_pieces
from ringtrue.cli.shared.gates import exit_code
from ringtrue.cli.shared.options import Flags
from ringtrue.records import DEFAULT_STORE, Run
from ringtrue.reports.row_file import format_of, write_rows


def check_files(flags: Flags) -> None:
    """Find out before the first call whether the files that are wanted can be written."""
    if flags.output and flags.executor == "local":
        format_of(flags.output)
        check_place(flags.output, "output")
    for name in ("html", "junit", "markdown"):
        if path := getattr(flags, name):
            check_place(path, name)


def finish(run: Run, flags: Flags, floors: Mapping[str, float], *, rows_written: bool = False) -> int:
    """Write the files, show the run, and say by the exit code what it means."""
    if flags.output and not rows_written:
        write_rows(flags.output, run.rows, run.made)
    for name in ("html", "junit", "markdown"):
        if path := getattr(flags, name):
            write_pieces(path, run_pieces(name, run))
    shown = not flags.as_json and not flags.quiet
    if flags.as_json:
        click.echo(b"".join(run_pieces("json", run)))
    elif shown:
        from ringtrue.reports.run_text import print_run  # a quiet call loads nothing that draws

        named = run_words(run.id, flags.store) or _written_rows(flags.output or "")
        show = f"ringtrue show {named}" if named else "add -o rows.jsonl, then ringtrue show rows.jsonl"
        print_run(run, cases=run.made.job == "suite", show=show)
    return exit_code(run, floors, flags.max_errors, shown=shown)


def _written_rows(output: str) -> str:
    """Return the words that name a run by its file of rows; empty if the file cannot be read back as a run."""
    return shlex.quote(output) if output and Path(output).suffix.lower() != ".csv" else ""


def run_pieces(format: str, run: Run) -> Iterator[bytes]:
    """A run in a format, piece by piece: json, html, junit, markdown or otel; each is loaded when it is wanted."""
    for piece in _texts(format, run):
        yield piece.encode()


def _texts(format: str, run: Run) -> Iterable[str]:
    if format == "json":
        from ringtrue.reports.run_json import run_json

        return [run_json(run)]
    if format == "html":
        from ringtrue.reports.pages.run_report import run_page

        return [run_page(run)]
    if format == "markdown":
        from ringtrue.reports.markdown import run_markdown

        return [run_markdown(run)]
    if format == "otel":
        from ringtrue.reports.otel_events import otel_lines

        return (f"{line}\n" for line in otel_lines(run))
    from ringtrue.reports.junit import junit_pieces, junit_title

    return junit_pieces(run.rows, junit_title(run.made), run.made.evaluators, run.unasked)


def run_words(run: str, store: str) -> str:
    """Return the words that name a run on the command line; empty if the run is not kept."""
    if not run or store == DEFAULT_STORE:
        return run
    from ringtrue.store.address import without_password

    return f"{run} --store {shlex.quote(without_password(store))}"
