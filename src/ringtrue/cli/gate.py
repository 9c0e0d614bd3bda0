"""`ringtrue gate`: whether a run shows what a file of rules asks for."""

from __future__ import annotations

import os
import sys
from functools import partial

import click

from ringtrue.api.runs import open_run
from ringtrue.atomic_file import check_place, write_whole
from ringtrue.cli import GATE_FAILED, NOTHING_MEASURED, OK, UNDECIDED
from ringtrue.cli.shared.command import OnceCommand, say
from ringtrue.cli.shared.completion import complete_file, complete_run
from ringtrue.cli.shared.options import json_option, run_argument, store_option
from ringtrue.jsontext import json_text
from ringtrue.reports.caveats import stop_words
from ringtrue.reports.gating.gate_output import (
    gate_junit,
    gate_lines,
    gate_markdown,
    gate_record,
    github_annotations,
    verdict_of,
)
from ringtrue.reports.gating.rule_checks import check_rules, require_baseline
from ringtrue.reports.gating.rules import read_rules
from ringtrue.reports.terminal.canvas import print_lines

SUMMARY = "GITHUB_STEP_SUMMARY"
_CODES = {"passed": OK, "failed": GATE_FAILED, "undecided": UNDECIDED, "nothing measured": NOTHING_MEASURED}


@click.command("gate", cls=OnceCommand)
@run_argument
@click.option("--rules", required=True, metavar="FILE", shell_complete=complete_file,
              help="File of rules: TOML, YAML or JSON.")  # fmt: skip
@click.option("--baseline", metavar="RUN", shell_complete=complete_run,
              help="The run that rules with no_worse_by compare with.")  # fmt: skip
@click.option("--junit", metavar="FILE", help="Write a JUnit file, a testcase for each check.")
@click.option("--markdown", metavar="FILE", help="Write a Markdown summary, as for a pull request.")
@click.option("--github", is_flag=True,
              help=f"Write GitHub's annotations, and the summary to ${SUMMARY}.")  # fmt: skip
@json_option
@store_option
def command(
    run: str,
    rules: str,
    baseline: str | None,
    junit: str | None,
    markdown: str | None,
    github: bool,
    as_json: bool,
    store: str,
) -> int:
    """Check RUN against the rules of a file. RUN is a stored id or its beginning, `last`, or a file of rows.

    Exits with 0 if every check passes, 1 if one fails, 2 if errors or differences between the runs make one
    undecidable, 3 if nothing was measured or the run stopped early.

    \b
    ringtrue gate last --rules gate.toml
    ringtrue gate new.jsonl --baseline old.jsonl --rules gate.toml --junit gate.xml --github
    """
    wanted = read_rules(rules)
    require_baseline(wanted, baseline)
    for place in filter(None, (junit, markdown)):
        check_place(place, "gate")
    found = open_run(run, store)
    findings = check_rules(wanted, found, open_run(baseline, store) if baseline else None)
    for path, text in ((junit, gate_junit(findings, found.made.name or "gate")), (markdown, gate_markdown(findings))):
        if path:
            write_whole(path, text.encode())
    if github:
        _report_to_github(github_annotations(findings), gate_markdown(findings))
    if as_json:
        click.echo(json_text(gate_record(findings), indent=True))
    else:
        print_lines(partial(gate_lines, findings))
    if stopped := stop_words(found) or (found.status if found.status != "finished" else ""):
        say("the run has not ended" if found.status == "running" else f"the run stopped early: {stopped}")
        return NOTHING_MEASURED
    return _CODES[verdict_of(findings)]


def _report_to_github(lines: list[str], summary: str) -> None:
    """Annotations on standard error, which the runner reads too; the summary at the end of the step's own file."""
    for line in lines:
        sys.stderr.write(f"{line}\n")
    path = os.environ.get(SUMMARY)
    if not path:
        say(f"--github: {SUMMARY} is not set, so no summary was written")
        return
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{summary}\n")
