"""`ringtrue score`: answers in files, scored, summed up, and gated."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from ringtrue.api.score_file import Judging, score_file
from ringtrue.cli import ERRORS_ABOVE_BUDGET
from ringtrue.cli.gates import floors, gate, must_be_parts
from ringtrue.cli.progress import Bar
from ringtrue.cli.stop import Stopped, stoppable
from ringtrue.datasets.samples import SAMPLES, sample_path
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Evaluator
from ringtrue.evaluators.spec import build
from ringtrue.records import Run
from ringtrue.reports.table import run_json, summary_table
from ringtrue.safetext import printable

SAMPLE = "@sample"
REASON_CHARS = 200

_OPTIONS = [
    click.argument("paths", nargs=-1, required=True, metavar="FILE..."),
    click.option("-e", "--evaluator", "evaluators", multiple=True, metavar="SPEC",
                 help="An evaluator: a name, or name(setting=value). Repeatable."),
    click.option("-o", "--output", metavar="FILE", help="Write a line per row: .jsonl, .csv or .parquet."),
    click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON."),
    click.option("--map", "maps", multiple=True, metavar="MEANING=FIELD",
                 help="Where response, expected, input, context, id or latency is kept; meta.gold.0 leads into objects "
                      "and lists. Repeatable."),
    click.option("--format", type=click.Choice(["jsonl", "json", "csv", "tsv", "parquet", "arrow"]),
                 help="The files' format, where the name does not say it."),
    click.option("--fail-under", "gates", multiple=True, metavar="[PART=]NUMBER",
                 help="Exit 1 if the mean of a part (else of each evaluator's first) is lower. Repeatable."),
    click.option("--max-errors", type=click.IntRange(min=0), metavar="N",
                 help="Exit 3 above N broken rows and evaluator errors. With --fail-under the default is 0."),
    click.option("-q", "--quiet", is_flag=True, help="No progress bar."),
]  # fmt: skip


def file_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds what every command that scores files takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("score", short_help="Score answers stored in files.")
@file_options
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Processes to use; all cores by default.")
def command(evaluators: tuple[str, ...], workers: int | None, **given: Any) -> int:
    """Score the answers in FILE (JSONL, JSON, CSV, Parquet, Arrow, gzipped or not; - is standard input).

    \b
    ringtrue score answers.jsonl -e answer_quality -e "word_count(max_words=100)"
    ringtrue score run.csv -e exact_match --map response=model_said --fail-under 0.9
    ringtrue score nq@sample -e answer_quality
    """
    if not evaluators:
        raise click.UsageError("Missing option '-e' / '--evaluator'.", click.get_current_context())
    return scored([build(spec) for spec in evaluators], workers=workers or len(os.sched_getaffinity(0)), **given)


def scored(
    built: Sequence[Evaluator],
    *,
    paths: tuple[str, ...],
    output: str | None,
    as_json: bool,
    maps: tuple[str, ...],
    format: str | None,
    gates: tuple[str, ...],
    max_errors: int | None,
    quiet: bool,
    workers: int = 1,
    judging: Judging | None = None,
) -> int:
    """Score files, print what they come to, and return the exit code."""
    files = [_file(path) for path in paths]
    wanted = floors(gates)
    if all(hasattr(evaluator, "parts") for evaluator in built):  # else the keys are known only from the results
        must_be_parts(wanted, (key for evaluator in built for key in evaluator.keys))
    try:
        with stoppable(), Bar(files, quiet=quiet) as bar:
            run = score_file(
                files,
                built,
                mapping=mapping(maps),
                format=format,
                output=output,
                workers=workers,
                listener=bar,
                judging=judging,
            )
    except Stopped as stop:
        click.echo(f"ringtrue: {stop}; no output file was written", err=True)
        return stop.code
    if as_json:
        sys.stdout.write(run_json(run).decode() + "\n")
    else:
        _print(run, output)
    _explain_skips(run, built, maps)
    return _verdict(run, wanted, max_errors)


def _file(path: str) -> str:
    if path.endswith(SAMPLE):
        return sample_path(path)
    if path in SAMPLES and not os.path.exists(path):
        raise ConfigurationError(
            f"{path!r} is no file; '{path}{SAMPLE}' is the sample of that name, and 'ringtrue run -d {path}' asks a "
            "system its questions",
            parameter="path",
            value=path,
        )
    return path


def _print(run: Run, output: str | None) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else 200)
    console.print(summary_table(run.summaries))
    broken = f", {run.problems:,} broken and left out" if run.problems else ""
    console.print(
        f"{run.rows:,} {'row' if run.rows == 1 else 'rows'} scored{broken}"
        + (f"; rows are in {output}" if output else ""),
        style="dim",
    )
    if run.spent:
        console.print(bill(run.spent), style="dim")


def bill(spent: Mapping[str, float | None]) -> str:
    cost = "cost unknown" if spent["cost"] is None else f"${spent['cost']:.4f}"
    return "judges took {calls:,} calls and {tokens:,} tokens, {}; {cache_hits:,} replies came from the store".format(
        cost, **spent
    )


def _explain_skips(run: Run, built: Sequence[Evaluator], maps: Sequence[str]) -> None:
    given = f" (given: {printable(', '.join(maps))})" if maps else ""
    for evaluator in built:
        summary = next(iter(run.summaries[evaluator.name].values()))
        if summary.skipped and not summary.n and not summary.errors:
            why = printable(run.first_skips[evaluator.name][:REASON_CHARS])
            # A judge that was asked had all that it needs.
            asked = run.spent.get("calls") or run.spent.get("cache_hits")
            needs = "" if asked else getattr(evaluator, "needs", "").partition(";")[0]
            hint = f"; it needs {needs}; --map names another field{given}" if needs else ""
            name = printable(evaluator.name)
            click.echo(f"ringtrue: {name} found nothing to measure in any row (the first: {why}){hint}", err=True)


def mapping(maps: tuple[str, ...]) -> dict[str, str]:
    pairs = [item.partition("=") for item in maps]
    wrong = next((item for item, (_, sign, field) in zip(maps, pairs, strict=True) if not (sign and field)), None)
    if wrong is not None:
        raise ConfigurationError(f"--map {wrong!r}: write MEANING=FIELD, such as response=text", parameter="map")
    return {meaning: field for meaning, _, field in pairs}


def _verdict(run: Run, wanted: Mapping[str, float], max_errors: int | None) -> int:
    errors = run.problems + sum(next(iter(parts.values())).errors for parts in run.summaries.values())
    budget = 0 if max_errors is None and wanted else max_errors
    if run.rows == 0:
        click.echo("ringtrue: no row could be scored", err=True)
        return ERRORS_ABOVE_BUDGET
    if budget is not None and errors > budget:
        words = "1 error" if errors == 1 else f"{errors:,} errors"
        click.echo(f"ringtrue: {words}; the budget is {budget:,} (--max-errors)", err=True)
        return ERRORS_ABOVE_BUDGET
    return gate(run.summaries, wanted)
