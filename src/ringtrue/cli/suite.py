"""`ringtrue suite`: run a suite that a file describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from ringtrue.atomic_file import write_whole
from ringtrue.cli import INTERRUPTED, OK
from ringtrue.cli.judges import judge_options
from ringtrue.reports.eval_report import EvalReport
from ringtrue.reports.gate import GateFailure
from ringtrue.safetext import printable
from ringtrue.suites.load import load_suite
from ringtrue.suites.suite import EvalSuite

_STDOUT = "-"


@click.command("suite", short_help="Run a suite of cases and checks that a file describes.")
@click.argument("path", metavar="FILE")
@click.option("--tag", "tags", multiple=True, help="Only cases with this tag. Repeatable.")
@click.option("--case", "case_ids", multiple=True, metavar="ID", help="Only this case. Repeatable.")
@click.option("--runs", type=click.IntRange(min=1), help="Ask every case so often.")
@click.option("--workers", type=click.IntRange(min=1), help="Cases in flight at once.")
@click.option("--fail-under", "fail_threshold", type=click.FloatRange(0, 1), help="Exit 1 below this pass rate.")
@click.option("--validate", is_flag=True,
              help="Ask no system: hold the checks against outputs known to be right or wrong.")  # fmt: skip
@click.option("--judges", is_flag=True, help="With --validate, also the checks that ask a judge.")
@click.option("--regrade", metavar="REPORT", help="Ask no system: check the outputs in a report of this suite again.")
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
    validate: bool,
    judges: bool,
    regrade: str | None,
    judge_urls: tuple[str, ...],
    judge_models: tuple[str, ...],
    **given: Any,
) -> int:
    """Run the suite in FILE (YAML, TOML or JSON); exit 1 if its gate fails, 2 if errors leave it open.

    With --validate, exit 1 if a check fails what is right or all pass what is wrong, 2 if nothing is known.

    \b
    ringtrue init && ringtrue suite evals/capital.suite.toml
    """
    special = {"--validate": validate, "--regrade": regrade is not None}
    _require_sense([name for name, wanted in special.items() if wanted], {"tag": tags, "case": case_ids, **given})
    if judges and not validate:
        raise click.UsageError("--judges goes with --validate")
    loaded = load_suite(path)
    if validate:
        return _validated(loaded.suite, given["save_json"], judges, judge=judge_urls or None, judge_model=judge_models)
    options = {name: value for name, value in given.items() if value is not None}
    if tags:
        options["tags"] = list(tags)
    if case_ids:
        options["case_ids"] = list(case_ids)
    with _printed(options) as printing:
        try:
            asked = {"verbose": not quiet and not printing, "judge": judge_urls or None, "judge_model": judge_models}
            if regrade is not None:
                loaded.regrade(EvalReport.read(regrade), **asked, **options)
            else:
                loaded.run(**asked, **options)
        except GateFailure as failure:  # which has been told on stderr
            return int(failure.code if isinstance(failure.code, int) else 1)
        except KeyboardInterrupt:
            click.echo(
                "ringtrue: interrupted; what is finished is kept, and the same command goes on with it", err=True
            )
            return INTERRUPTED
    return OK


_UNFIT = {
    "--validate": ("runs", "workers", "store", "fail_threshold", "save_junit_xml", "save_csv", "save_html"),
    "--regrade": ("runs", "workers", "store"),
}
"""What asks nobody, and the options that would do nothing beside it."""
_OPTIONS = {"fail_threshold": "fail-under", "save_junit_xml": "junit"}


def _require_sense(special: Sequence[str], given: Mapping[str, Any]) -> None:
    """Raise a UsageError where an option would be passed over."""
    if len(special) > 1:
        raise click.UsageError(f"{' and '.join(special)} are different things: choose one")
    for name in special:
        if given["tag"] or given["case"]:
            raise click.UsageError(f"{name} is about all cases: leave out --tag and --case")
        unfit = [option for option in _UNFIT[name] if given[option] is not None]
        if unfit:
            told = ", ".join("--" + _OPTIONS.get(option, option.removeprefix("save_")) for option in unfit)
            raise click.UsageError(f"{name} asks no system and reports no run: leave out {told}")


def _validated(suite: EvalSuite, save_json: str | None, judges: bool, **judge: Any) -> int:
    found = suite.validate(judges=judges, **judge)
    if save_json == _STDOUT:
        click.echo(found.to_json())
        return found.exit_code
    if save_json is not None:
        write_whole(save_json, found.to_json().encode())
    click.echo("\n".join(printable(line) for line in str(found).splitlines()))
    return found.exit_code


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
