"""`ringtrue compare`: who is better on the same cases, by how much, and which cases flipped."""

from __future__ import annotations

import click

from ringtrue.api.compare import compare
from ringtrue.atomic_file import check_place, write_whole
from ringtrue.cli import GATE_FAILED, OK, UNDECIDED
from ringtrue.cli.shared.command import OnceCommand, say, terminal_width
from ringtrue.cli.shared.completion import complete_run
from ringtrue.cli.shared.options import json_option, store_option
from ringtrue.jsontext import json_text
from ringtrue.reports.comparing.comparison import DEFAULT_MARGIN, Comparison
from ringtrue.reports.comparing.comparison_record import comparison_record
from ringtrue.reports.comparing.comparison_text import comparison_markdown, comparison_text
from ringtrue.reports.pages.comparison_page import comparison_page


@click.command("compare", cls=OnceCommand)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, shell_complete=complete_run)
@click.option("--system", metavar="NAME", help="The system to compare, of runs that have several.")
@click.option("--margin", type=click.FloatRange(0, 1), default=DEFAULT_MARGIN, show_default=True, metavar="NUMBER",
              help="Differences below this do not matter: systems within it are equivalent.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed of the bootstrap.")
@json_option
@click.option("--markdown", is_flag=True, help="Print Markdown, as for a pull request.")
@click.option("--html", metavar="FILE", help="Write the comparison as one HTML file.")
@click.option("--fail-on-regression", is_flag=True,
              help="Exit 1 if a case that passed fails now, 2 if not every case has a verdict in both.")  # fmt: skip
@click.option("--fail-if-worse", is_flag=True,
              help="Exit 1 if a later RUN is shown to be worse, 2 if not every case has both verdicts.")  # fmt: skip
@store_option
def command(
    runs: tuple[str, ...],
    system: str | None,
    margin: float,
    seed: int,
    as_json: bool,
    markdown: bool,
    html: str | None,
    fail_on_regression: bool,
    fail_if_worse: bool,
    store: str,
) -> int:
    """Compare the first RUN with each of the others, case by case, or the systems inside one RUN.

    RUN is a stored id or its beginning, `last`, or a file of rows; RUN:system names one system of several.

    \b
    ringtrue compare 7f3c2a last
    ringtrue compare last
    ringtrue compare last:small last:large --margin 0.01
    ringtrue compare old.jsonl new.jsonl --fail-on-regression
    """
    if as_json and markdown:
        raise click.UsageError("--json and --markdown are two forms of one thing: choose one")
    if html:
        check_place(html, "html")
    found = compare(*runs, system=system, margin=margin, seed=seed, store=store)
    if html:
        write_whole(html, comparison_page(found).encode("utf-8", "backslashreplace"))
    if as_json:
        click.echo(json_text(comparison_record(found), indent=True))
    elif markdown:
        click.echo(comparison_markdown(found), nl=False)
    else:
        click.echo(comparison_text(found, width=terminal_width()), nl=False)
    return _exit_code(found, fail_on_regression, fail_if_worse)


def _exit_code(found: Comparison, fail_on_regression: bool, fail_if_worse: bool) -> int:
    """1 if a gate that was asked for fails, 2 if it stays open or nothing could be compared at all."""
    if not any(part.difference for pair in found.pairs for part in pair.parts):
        say("undecided: nothing could be compared")
        return UNDECIDED
    if not (fail_on_regression or fail_if_worse):
        return OK
    lost = any(pair.lost for pair in found.pairs)
    worse = any(part.verdict == "worse" for pair in found.pairs for part in pair.headlines)
    if (fail_on_regression and lost) or (fail_if_worse and worse):
        return GATE_FAILED
    if all(pair.whole for pair in found.pairs):
        return OK
    refused = [why for pair in found.pairs for why in pair.refused]
    say(f"undecided: {'; '.join(refused) or 'not every case has a verdict in both runs'}")
    return UNDECIDED
