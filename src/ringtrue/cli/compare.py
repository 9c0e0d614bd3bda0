"""`ringtrue compare`: what changed between two reports of a suite."""

from __future__ import annotations

import click

from ringtrue.cli import OK
from ringtrue.jsontext import json_text
from ringtrue.reports.eval_report import EvalReport
from ringtrue.reports.gate import FAILED, UNDECIDED
from ringtrue.safetext import printable


@click.command("compare", short_help="Say what changed between two reports of a suite.")
@click.argument("baseline", metavar="BASELINE.json")
@click.argument("proposal", metavar="PROPOSAL.json")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--markdown", is_flag=True, help="Print Markdown, as for a pull request.")
@click.option("--fail-on-regression", is_flag=True,
              help="Exit 1 if a case that passed fails now, 2 if not every case has a verdict in both.")  # fmt: skip
@click.option("--fail-if-worse", is_flag=True,
              help="Exit 1 if PROPOSAL is shown to be worse, 2 if not every case has a verdict in both.")  # fmt: skip
def command(
    baseline: str, proposal: str, as_json: bool, markdown: bool, fail_on_regression: bool, fail_if_worse: bool
) -> int:
    """Compare two reports that `ringtrue suite --json FILE` wrote, case by case.

    Runs of `ringtrue run` have scores and no verdicts: `ringtrue show RUN` tells those, with their intervals.

    \b
    ringtrue suite capitals.suite.toml --json new.json
    ringtrue compare old.json new.json --fail-on-regression
    """
    if as_json and markdown:
        raise click.UsageError("--json and --markdown are two forms of one thing: choose one")
    found = EvalReport.read(baseline).compare(EvalReport.read(proposal))
    click.echo(
        json_text(found.to_dict(), indent=True) if as_json else found.to_markdown() if markdown else found.to_text()
    )
    if not (fail_on_regression or fail_if_worse):
        return OK
    failed = (fail_on_regression and found.regressions) or (fail_if_worse and found.verdict == "worse")
    if failed and not found.identity_issues:
        return FAILED
    if not found.whole:
        why = "; ".join(found.identity_issues) or "not every case has a verdict in both reports"
        click.echo(printable(f"ringtrue: undecided: {why}"), err=True)
    return OK if found.whole else UNDECIDED
