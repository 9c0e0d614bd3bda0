"""`ringtrue suite`: run a suite that a file describes."""

from __future__ import annotations

import sys
from typing import Any

import click

from ringtrue.api.gate import GateFailure
from ringtrue.api.suite_file import load_suite
from ringtrue.cli import OK


@click.command("suite", short_help="Run a suite of cases and checks that a file describes.")
@click.argument("path", metavar="FILE")
@click.option("--tag", "tags", multiple=True, help="Only cases with this tag. Repeatable.")
@click.option("--case", "case_ids", multiple=True, metavar="ID", help="Only this case. Repeatable.")
@click.option("--runs", type=click.IntRange(min=1), help="Ask every case so often.")
@click.option("--workers", type=click.IntRange(min=1), help="Cases in flight at once.")
@click.option("--fail-under", "fail_threshold", type=click.FloatRange(0, 1), help="Exit 1 below this pass rate.")
@click.option("--json", "save_json", metavar="FILE", help="Write the report as JSON.")
@click.option("--junit", "save_junit_xml", metavar="FILE", help="Write JUnit XML, a testcase per check.")
@click.option("--csv", "save_csv", metavar="FILE", help="Write CSV, a line per check.")
@click.option("--html", "save_html", metavar="FILE", help="Write the report as one HTML file.")
@click.option("--store", metavar="URL", help="Where everything is kept.")
@click.option("-q", "--quiet", is_flag=True, help="No progress and no report.")
def command(path: str, quiet: bool, tags: tuple[str, ...], case_ids: tuple[str, ...], **given: Any) -> int:
    """Run the suite in FILE (YAML, TOML or JSON); exit 1 if its gate fails, 2 if errors leave it open.

    \b
    ringtrue init && ringtrue suite evals/capital.suite.toml
    """
    options = {name: value for name, value in given.items() if value is not None}
    if tags:
        options["tags"] = list(tags)
    if case_ids:
        options["case_ids"] = list(case_ids)
    try:
        load_suite(path).run(verbose=not quiet, **options)
    except GateFailure as failure:
        sys.stdout.flush()
        click.echo(f"ringtrue: {failure}", err=True)
        return int(failure.code if isinstance(failure.code, int) else 1)
    return OK
