"""`ringtrue prompts`: the prompts in Python source, what became of them, and the cases made for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import click

from ringtrue.cli import GATE_FAILED, OK
from ringtrue.cli.stores import json_option
from ringtrue.errors import AbsentFile, ConfigurationError
from ringtrue.prompts.baseline import DEFAULT_BASELINE_NAME, write_baseline
from ringtrue.prompts.diff import diff_dicts, diff_markdown, diff_records, diff_text
from ringtrue.prompts.pages import render_json, render_markdown, render_text
from ringtrue.prompts.places import resolve_site_spec, target_from_record
from ringtrue.prompts.recordings import (
    DEFAULT_RECORDINGS_NAME,
    apply_bindings,
    load_recordings,
    merge_recordings_into_baseline,
    propose_bindings,
)
from ringtrue.prompts.source import scan_with_skips
from ringtrue.prompts.staleness import FAILURES, check_prompts
from ringtrue.prompts.stamped_file import stamp_jsonl
from ringtrue.prompts.stamps import evidence_of
from ringtrue.reports.plain import plain_json
from ringtrue.reports.table import printable

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_folder = click.argument("folder", type=_FOLDER, default=Path())
_dry = click.option("--dry-run", is_flag=True, help="Write nothing.")
_markdown = click.option("--markdown", is_flag=True, help="Print Markdown.")
_recorded = partial(click.option, "--recorded", is_flag=False, flag_value="", metavar="[FILE]")


def _passed_over(function: Callable[..., Any]) -> Callable[..., Any]:
    tests = click.option("--include-tests", is_flag=True, help="Also tests, examples, vendor and third_party.")
    return click.option("--ignore", multiple=True, metavar="NAME", help="Pass over folders of this name. Repeatable.")(
        tests(function)
    )


@click.group("prompts", short_help="Find the prompts in Python source, and tell which changed.")
def command() -> None:
    """Find the prompts in Python source, tell which changed since they were approved, and for which cases.

    No file is run to find them. `anthropic`, `openai` (chat completions) and `litellm` calls are known.
    """


@command.command("scan")
@_folder
@json_option
def scan(folder: Path, as_json: bool) -> int:
    """List the prompts in the Python files of FOLDER."""
    records = _scanned(folder)
    if as_json:
        click.echo(plain_json([record.preview() for record in records]))
    else:
        _say([record.told() for record in records] or [f"no call that sends a prompt in {folder}"])
    return OK


@command.command("diff")
@click.argument("base", type=_FOLDER)
@click.argument("head", type=_FOLDER)
@json_option
@_markdown
def diff(base: Path, head: Path, as_json: bool, markdown: bool) -> int:
    """List the prompts that differ between two folders."""
    before, after = _scanned(base), _scanned(head)
    found = diff_records(before, after)
    if as_json:
        click.echo(plain_json(diff_dicts(found)))
    elif markdown:
        click.echo(diff_markdown(found, dynamic_unscanned_count=sum(one.is_dynamic for one in after)), nl=False)
    else:
        _say(diff_text(found).split("\n"))
    return OK


@command.command("approve")
@_folder
@click.option("--baseline", metavar="FILE", help=f"Where to; {DEFAULT_BASELINE_NAME} in FOLDER unless said otherwise.")
@_recorded(help=f"Also what was recorded; {DEFAULT_RECORDINGS_NAME} in FOLDER unless said otherwise.")
@_passed_over
@_dry
@json_option
def approve(
    folder: Path,
    baseline: str | None,
    recorded: str | None,
    ignore: tuple[str, ...],
    include_tests: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Keep the prompts of FOLDER as they are now as the baseline, and tell what that changes."""
    seen = None if recorded is None else _recordings(folder, recorded)
    place = Path(baseline) if baseline else folder / DEFAULT_BASELINE_NAME
    made, changes = write_baseline(folder, place, ignore_dirs=ignore, include_tests=include_tests, dry_run=dry_run)
    merged = merge_recordings_into_baseline(place, seen) if seen is not None and not dry_run else None
    if as_json:
        recorded_counts = merged and dict(zip(("places", "texts"), merged, strict=True))
        counts = {"prompts": len(made.records), "recorded": recorded_counts}
        click.echo(plain_json({"baseline": str(place), "written": not dry_run, **counts, "changes": changes}))
        return OK
    _say([*changes, f"{'would write' if dry_run else 'wrote'} {place}: {len(made.records)} prompts"])
    if merged is not None:
        _say(["recorded: {} places, {} texts".format(*merged)])
    return OK


@command.command("check")
@_folder
@click.option("--baseline", type=_FILE, help=f"What was approved; {DEFAULT_BASELINE_NAME} in FOLDER by default.")
@click.option("--cases", type=_FILE, multiple=True,
              help="A JSONL file of cases; by default those of FOLDER named *cases.jsonl. Repeatable.")  # fmt: skip
@click.option("--suite", metavar="FILE|MODULE:NAME", help="Also the cases of this suite; its module is imported.")
@click.option("--recorded", type=_FILE, help=f"What was recorded; {DEFAULT_RECORDINGS_NAME} in FOLDER by default.")
@click.option("--fail-on", default="", metavar="KINDS", help=f"Exit 1 on any of these: {','.join(FAILURES)}.")
@_passed_over
@json_option
@_markdown
def check(folder: Path, fail_on: str, as_json: bool, markdown: bool, **given: Any) -> int:
    """Tell which prompts of FOLDER changed since they were approved, and which cases were made for them.

    Exits with 1 where --fail-on says so, and with 2 where there is nothing to compare with.
    """
    wanted = [kind.strip() for kind in fail_on.split(",") if kind.strip()]
    report = check_prompts(
        folder,
        baseline_path=given["baseline"],
        case_files=given["cases"] or None,
        suite=given["suite"],
        ignore_dirs=given["ignore"],
        include_tests=given["include_tests"],
        fail_on=wanted,
        recordings_path=given["recorded"],
    )
    page = render_json if as_json else render_markdown if markdown else render_text
    click.echo(page(report).removesuffix("\n"))
    if report.exit_code == GATE_FAILED:
        counts = report.counts()
        found = ", ".join(f"{counts[kind]} {kind}" for kind in dict.fromkeys(wanted) if counts[kind])
        click.echo(f"ringtrue: gate failed: {found}; --fail-on asks for none", err=True)
    return report.exit_code


@command.command("bind")
@click.argument("cases", type=_FILE, metavar="CASES.jsonl")
@click.option("--site", "sites", multiple=True, metavar="FILE[::FUNCTION][.ROLE[#N]]",
              help="The prompt these cases are for. Repeatable; without one, cases get an id.")  # fmt: skip
@click.option("--index", multiple=True, type=click.IntRange(min=0), metavar="N", help="Case N, from 0. Repeatable.")
@click.option("--tag", help="Cases with this tag.")
@click.option("--all", "select_all", is_flag=True, help="All cases.")
@_recorded(help="Bind the cases to the prompts that were recorded while they were asked.")
@click.option("--evidence", metavar="REPORT", help="A report that speaks for the cases and these prompts.")
@click.option("--repo", type=_FOLDER, default=Path(), help="Where the prompts are; this folder by default.")
@click.option("--force", is_flag=True, help="Replace stamps that cannot be read.")
@_dry
@json_option
def bind(
    cases: Path,
    sites: tuple[str, ...],
    repo: Path,
    recorded: str | None,
    dry_run: bool,
    as_json: bool,
    **given: Any,
) -> int:
    """Say in CASES.jsonl which prompts its cases are for; all other lines keep every byte."""
    verb = "would bind" if dry_run else "bound"
    said = {"cases": str(cases), "written": not dry_run}
    if recorded is not None:
        proposals = propose_bindings(load_recordings(_recordings(repo, recorded)))
        bound = apply_bindings(cases, proposals, repo=repo, dry_run=dry_run)
        told = [proposal.told() for proposal in proposals]
        if as_json:
            click.echo(plain_json({**said, "bound": bound, "proposals": told}))
        else:
            _say([*told, f"{verb} {bound} cases of {cases}"])
        return OK
    if not (given["index"] or given["tag"] or given["select_all"]):
        raise ConfigurationError("say which cases: --index N, --tag TAG or --all", parameter="index")
    records = _scanned(repo) if sites else []
    result = stamp_jsonl(
        cases,
        [target_from_record(resolve_site_spec(records, site)) for site in sites],
        evidence=evidence_of(given["evidence"]) if given["evidence"] else None,
        indices=given["index"],
        tag=given["tag"],
        select_all=given["select_all"],
        repo=repo,
        force=given["force"],
        dry_run=dry_run,
    )
    if not result.selected:
        raise ConfigurationError(f"no case of {cases} is selected; nothing was bound", parameter="cases", value=cases)
    if as_json:
        click.echo(plain_json({**said, "bound": result.updated, "unchanged": result.unchanged}))
    else:
        _say([f"{verb} {result.updated} cases of {cases}; {result.unchanged} were already"])
    return OK


def _scanned(folder: Path) -> list[Any]:
    records, skipped = scan_with_skips(folder)
    for path, reason in skipped:
        click.echo(printable(f"ringtrue: not scanned: {path}: {reason}"), err=True)
    return records


def _recordings(folder: Path, named: str) -> Path:
    place = Path(named) if named else folder / DEFAULT_RECORDINGS_NAME
    if not place.is_file():
        raise AbsentFile(f"there are no recordings {str(place)!r}; PromptRecorder makes them")
    return place


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(printable(line))
