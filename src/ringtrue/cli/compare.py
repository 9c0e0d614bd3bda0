"""`ringtrue compare`: what changed from one run to another, case by case."""

from __future__ import annotations

import click

from ringtrue.api.runs import open_run
from ringtrue.cli import GATE_FAILED, OK, UNDECIDED
from ringtrue.cli.shared.command import OnceCommand, say
from ringtrue.cli.shared.completion import complete_run
from ringtrue.cli.shared.options import json_option, store_option
from ringtrue.errors import ConfigurationError
from ringtrue.jsontext import json_text
from ringtrue.records import Run
from ringtrue.reports.eval_report import EvalReport


@click.command("compare", cls=OnceCommand)
@click.argument("baseline", metavar="BASELINE", shell_complete=complete_run)
@click.argument("proposal", metavar="PROPOSAL", shell_complete=complete_run)
@click.option("--system", metavar="NAME", help="The system to compare, of runs that have several.")
@json_option
@click.option("--markdown", is_flag=True, help="Print Markdown, as for a pull request.")
@click.option("--fail-on-regression", is_flag=True,
              help="Exit 1 if a case that passed fails now, 2 if not every case has a verdict in both.")  # fmt: skip
@click.option("--fail-if-worse", is_flag=True,
              help="Exit 1 if PROPOSAL is shown to be worse, 2 if not every case has a verdict in both.")  # fmt: skip
@store_option
def command(
    baseline: str,
    proposal: str,
    system: str | None,
    as_json: bool,
    markdown: bool,
    fail_on_regression: bool,
    fail_if_worse: bool,
    store: str,
) -> int:
    """Compare two runs case by case; each is a stored id or its beginning, `last`, or a file of rows.

    \b
    ringtrue suite capitals.suite.toml -o new.jsonl
    ringtrue compare old.jsonl new.jsonl --fail-on-regression
    ringtrue compare 7f3c2a last
    """
    if as_json and markdown:
        raise click.UsageError("--json and --markdown are two forms of one thing: choose one")
    before, after = (_report(open_run(name, store), system) for name in (baseline, proposal))
    found = before.compare(after)
    click.echo(
        json_text(found.to_dict(), indent=True) if as_json else found.to_markdown() if markdown else found.to_text()
    )
    if not (fail_on_regression or fail_if_worse):
        return OK
    failed = (fail_on_regression and found.regressions) or (fail_if_worse and found.verdict == "worse")
    if failed and not found.identity_issues:
        return GATE_FAILED
    if not found.whole:
        say(f"undecided: {'; '.join(found.identity_issues) or 'not every case has a verdict in both runs'}")
    return OK if found.whole else UNDECIDED


def _report(run: Run, system: str | None) -> EvalReport:
    named = [one.name for one in run.made.systems]
    if system is not None and len(named) > 1 and system not in named:
        words = f"run {run.id or run.made.name} has no system {system!r}; it has {', '.join(named)}"
        raise ConfigurationError(words, parameter="system", value=system)
    return EvalReport(run, system=system if len(named) > 1 else None)
