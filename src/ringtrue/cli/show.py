"""`ringtrue show`: a run again, or what a dataset asks."""

from __future__ import annotations

import click

from ringtrue.api.runs import open_run
from ringtrue.cli.shared.command import OnceCommand
from ringtrue.cli.shared.completion import complete_run_or_dataset
from ringtrue.cli.shared.options import encoding_option, json_option, store_option
from ringtrue.cli.shared.output import run_words
from ringtrue.cli.show_dataset import show_dataset
from ringtrue.records import RowFilter, RowStatus
from ringtrue.reports.run_json import run_json
from ringtrue.reports.run_text import print_rows, print_run


@click.command("show", cls=OnceCommand)
@click.argument("words", nargs=-1, required=True, metavar="RUN | dataset NAME|FILE",
                shell_complete=complete_run_or_dataset)  # fmt: skip
@click.option("--failed", is_flag=True, help="Show the rows that failed, worst first.")
@click.option("--errors", is_flag=True, help="Show the rows that ended in errors.")
@json_option
@encoding_option
@click.option("--data-dir", metavar="DIR", help="Folder with datasets in the hub's layout, read instead of the hub.")
@store_option
def command(
    words: tuple[str, ...],
    failed: bool,
    errors: bool,
    as_json: bool,
    encoding: str | None,
    data_dir: str | None,
    store: str,
) -> int:
    """Show RUN (a stored id or its beginning, `last`, or a file of rows), or what `dataset NAME` asks and expects.

    NAME is a benchmark's name or a file.
    """
    if words[0] == "dataset" and len(words) == 2:
        return show_dataset(words[1], data_dir, as_json=as_json, encoding=encoding)
    if len(words) != 1:
        raise click.UsageError("show takes a run, or: dataset NAME")
    run = open_run(words[0], store)
    if failed or errors:
        wanted: list[RowStatus] = [*(["error"] if errors else []), *(["failed"] if failed else [])]  # type: ignore[list-item]
        print_rows(run, [row for status in wanted for row in run.rows.page(RowFilter(status=status), "worst")])
        return 0
    if as_json:
        click.echo(run_json(run))
    else:
        print_run(run, cases=run.made.job == "suite", named=run_words(run.id, store))
    return 0
