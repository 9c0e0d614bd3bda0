"""`ringtrue accept`: whether a report shows what a policy asks for."""

from __future__ import annotations

import click

from ringtrue.api.acceptance import AcceptancePolicy
from ringtrue.api.report import EvalReport
from ringtrue.reports.plain import plain_json
from ringtrue.reports.table import printable


@click.command("accept", short_help="Hold a report of a suite against a policy.")
@click.argument("report", metavar="REPORT.json")
@click.argument("policy", metavar="POLICY")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(report: str, policy: str, as_json: bool) -> int:
    """Exit 0 if the report shows all that POLICY (TOML, JSON or YAML) asks for, 1 if it is shown to be bad, 2 if open.

    \b
    ringtrue suite capitals.suite.toml --json report.json
    ringtrue accept report.json release.policy.toml
    """
    found = AcceptancePolicy.read(policy).evaluate(EvalReport.read(report))
    if as_json:
        click.echo(plain_json(found.to_dict()))
    else:
        click.echo(found.decision)
        for finding in found.findings:
            click.echo(printable(f"  {finding.kind}: {finding.message}"))
    return found.exit_code
