"""`ringtrue suite`: run a suite that a file describes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from ringtrue.api.gate import GateFailure
from ringtrue.api.suite_file import load_suite
from ringtrue.cli import INTERRUPTED, OK
from ringtrue.cli.judges import judge_options

_STDOUT = "-"


@click.command("suite", short_help="Run a suite of cases and checks that a file describes.")
@click.argument("path", metavar="FILE")
@click.option("--tag", "tags", multiple=True, help="Only cases with this tag. Repeatable.")
@click.option("--case", "case_ids", multiple=True, metavar="ID", help="Only this case. Repeatable.")
@click.option("--runs", type=click.IntRange(min=1), help="Ask every case so often.")
@click.option("--workers", type=click.IntRange(min=1), help="Cases in flight at once.")
@click.option("--fail-under", "fail_threshold", type=click.FloatRange(0, 1), help="Exit 1 below this pass rate.")
@judge_options
@click.option("--json", "save_json", is_flag=False, flag_value=_STDOUT, metavar="[FILE]",
              help="Print the report as JSON, and nothing else; or write it to FILE.")  # fmt: skip
@click.option("--junit", "save_junit_xml", metavar="FILE", help="Write JUnit XML, a testcase per check.")
@click.option("--csv", "save_csv", metavar="FILE", help="Write CSV, a line per check.")
@click.option("--html", "save_html", metavar="FILE", help="Write the report as one HTML file.")
@click.option("--store", metavar="URL", help="Where everything is kept.")
@click.option("-q", "--quiet", is_flag=True, help="No progress and no report.")
def command(
    path: str,
    quiet: bool,
    tags: tuple[str, ...],
    case_ids: tuple[str, ...],
    judge_urls: tuple[str, ...],
    judge_models: tuple[str, ...],
    **given: Any,
) -> int:
    """Run the suite in FILE (YAML, TOML or JSON); exit 1 if its gate fails, 2 if errors leave it open.

    \b
    ringtrue init && ringtrue suite evals/capital.suite.toml
    """
    options = {name: value for name, value in given.items() if value is not None}
    if tags:
        options["tags"] = list(tags)
    if case_ids:
        options["case_ids"] = list(case_ids)
    with _printed(options) as printing:
        try:
            load_suite(path).run(
                verbose=not quiet and not printing, judge=judge_urls or None, judge_model=judge_models, **options
            )
        except GateFailure as failure:  # which has been told on stderr
            return int(failure.code if isinstance(failure.code, int) else 1)
        except KeyboardInterrupt:
            click.echo(
                "ringtrue: interrupted; what is finished is kept, and the same command goes on with it", err=True
            )
            return INTERRUPTED
    return OK


@contextmanager
def _printed(options: dict[str, Any]) -> Iterator[bool]:
    """Whether the JSON of a report is to be printed; it is, at the end, whatever the gate says."""
    if options.get("save_json") != _STDOUT:
        yield False
        return
    with TemporaryDirectory() as folder:
        options["save_json"] = report = Path(folder) / "report.json"
        try:
            yield True
        finally:
            if report.exists():
                click.echo(report.read_text("utf-8"))
