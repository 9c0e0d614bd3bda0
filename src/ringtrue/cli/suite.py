"""`ringtrue suite`: run a suite that a file describes."""

from __future__ import annotations

from typing import Any

import click

from ringtrue.api.runs import open_run
from ringtrue.cli import INTERRUPTED
from ringtrue.cli.shared.command import OnceCommand, say
from ringtrue.cli.shared.completion import complete_file, complete_run
from ringtrue.cli.shared.gates import floors
from ringtrue.cli.shared.options import Flags, measure_options
from ringtrue.cli.shared.output import check_files, finish
from ringtrue.safetext import printable
from ringtrue.suites.load import LoadedSuite, load_suite


@click.command("suite", cls=OnceCommand)
@click.argument("path", metavar="FILE", shell_complete=complete_file)
@click.option("--tag", "tags", multiple=True, help="Only cases with this tag. Repeatable.")
@click.option("--case", "case_ids", multiple=True, metavar="ID", help="Only this case. Repeatable.")
@click.option("--repeats", type=click.IntRange(min=1), metavar="N", help="How many times to ask each case.")
@click.option("--validate", is_flag=True,
              help="Do not ask the system: test the checks on outputs known to be right or wrong.")  # fmt: skip
@click.option("--judges", is_flag=True, help="With --validate, include checks that ask a judge.")
@click.option(
    "--regrade",
    metavar="RUN",
    shell_complete=complete_run,
    help="Do not ask the system: check the outputs of an earlier run again.",
)
@measure_options
def command(
    path: str,
    tags: tuple[str, ...],
    case_ids: tuple[str, ...],
    repeats: int | None,
    validate: bool,
    judges: bool,
    regrade: str | None,
    **given: Any,
) -> int:
    """Run the suite in FILE (YAML, TOML or JSON); exit 1 if a case fails, 2 if errors make that undecidable.

    With --validate, exit 1 if a check fails a right output or all checks pass a wrong one, 2 if no output is known.

    \b
    ringtrue init && ringtrue suite evals/capital.suite.toml
    """
    flags = Flags(**given)
    flags.require_local("a suite runs on this machine")
    _require_sense(validate, judges, regrade, flags)
    _require_all_cases(validate, regrade, bool(tags or case_ids or repeats or flags.limit))
    check_files(flags)
    loaded = load_suite(path, flags.mapping)
    loaded.suite.add_evaluators(*flags.evaluators)
    if validate:
        return _validate(loaded, flags, judges)
    in_file = loaded.file.options.get("fail_threshold")
    set_here = {name: value for name, value in flags.option_fields().items() if value not in (None, "")}
    options: dict[str, Any] = {**set_here, "verbose": False, "fail_threshold": None, "max_error_rate": None}
    if flags.max_workers is not None:
        options["workers"] = options.pop("max_workers")
    known = loaded.suite.planned_scores(**flags.judge, **options) if flags.floors else ()
    wanted = floors(flags.floors or (() if in_file is None else (str(in_file),)), known)
    chosen: dict[str, Any] = {"tags": list(tags) or None, "case_ids": list(case_ids) or None, "limit": flags.limit}
    try:
        if regrade is not None:
            report = loaded.suite.regrade(open_run(regrade, flags.store), **flags.judge, **options)
        else:
            asked = chosen | ({"runs": repeats} if repeats else {})
            report = loaded.run(**asked, **flags.judge, **options)
    except KeyboardInterrupt:
        say("interrupted; what is finished is kept, and the same command continues with it")
        return INTERRUPTED
    code = finish(report.run, flags, wanted)
    if report.run.stopped_by:
        say("what is finished is kept, and the same command continues with it")
    return code


def _require_sense(validate: bool, judges: bool, regrade: str | None, flags: Flags) -> None:
    if validate and regrade is not None:
        raise click.UsageError("--validate and --regrade are different things: choose one")
    if judges and not validate:
        raise click.UsageError("--judges goes with --validate")
    if validate and (flags.floors or flags.output or flags.html or flags.junit or flags.markdown):
        raise click.UsageError("--validate writes no files and has no floor: leave out -o, --html, --junit, --markdown "
                               "and --fail-under")  # fmt: skip


def _require_all_cases(validate: bool, regrade: str | None, chosen: bool) -> None:
    if chosen and (validate or regrade is not None):
        what = "--validate is about all cases" if validate else "--regrade checks what the run holds"
        raise click.UsageError(f"{what}: leave out --tag, --case, --limit and --repeats")


def _validate(loaded: LoadedSuite, flags: Flags, judges: bool) -> int:
    found = loaded.suite.validate(judges=judges, **flags.judge)
    if flags.as_json:
        click.echo(found.to_json())
    elif not flags.quiet:
        click.echo("\n".join(printable(line) for line in str(found).splitlines()))
    return found.exit_code
