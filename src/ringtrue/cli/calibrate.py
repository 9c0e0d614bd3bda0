"""`ringtrue calibrate`: how far an evaluator agrees with human labels."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ringtrue._version import __version__
from ringtrue.api.calibrate import calibrate
from ringtrue.api.calibrated import Calibrated
from ringtrue.api.runs import open_run
from ringtrue.cli import NOTHING_MEASURED
from ringtrue.cli.shared.command import OnceCommand, say
from ringtrue.cli.shared.completion import complete_evaluator, complete_run_or_answers
from ringtrue.cli.shared.gates import AGREEMENT, floors, gate_code
from ringtrue.cli.shared.options import field_mapping, json_option, judge_options, map_option, store_option
from ringtrue.datasets.files.reader import FORMATS
from ringtrue.jsontext import json_text
from ringtrue.records import Json, Summary
from ringtrue.reports.number import absence_words, count, interval, number
from ringtrue.reports.run_file import holds_run
from ringtrue.reports.terminal.run_notes import bill
from ringtrue.safetext import printable
from ringtrue.stats.calibration import LABEL_THRESHOLD, METRICS, Calibration
from ringtrue.stats.corrected import CorrectedMean

if TYPE_CHECKING:
    from rich.table import Table

CRITERIA = {"youden": "Youden's J (recall + specificity - 1)", "f1": "F1", "kappa": "kappa", "agreement": "agreement"}


@click.command("calibrate", cls=OnceCommand)
@click.argument("paths", nargs=-1, required=True, metavar="FILE... | RUN",
                shell_complete=complete_run_or_answers)  # fmt: skip
@click.option("-e", "--evaluator", "evaluators", multiple=True, metavar="SPEC", shell_complete=complete_evaluator,
              help="A name, or name(setting=value). Repeatable.")  # fmt: skip
@click.option("--label", metavar="FIELD", help="Field with the human label; dots reach into objects.")
@click.option("--stored-labels", is_flag=True,
              help="Use the labels given in 'ringtrue view'; needs a RUN.")  # fmt: skip
@click.option("--positive", multiple=True, metavar="VALUE",
              help="A label that means yes; all others mean no. Repeatable.")  # fmt: skip
@click.option("--label-range", nargs=2, type=float, metavar="LOW HIGH",
              help="Lowest and highest label, as in 1 5.")  # fmt: skip
@click.option("--score-field", metavar="FIELD", help="Field with scores that exist already; no judge is asked.")
@click.option("--score-range", nargs=2, type=float, metavar="LOW HIGH", help="Lowest and highest of those scores.")
@click.option("--part", metavar="PART", help="Part of the evaluators to compare; by default the main one.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="NUMBER",
    help="Score at which a row passes; by default the evaluator's own threshold.",
)
@click.option("--criterion", type=click.Choice(list(CRITERIA)), default="youden", show_default=True,
              help="What the recommended threshold maximizes.")  # fmt: skip
@click.option(
    "--source", metavar="FIELD", help="Field that names where a row comes from; rows of one source stay together."
)
@map_option
@click.option("--format", type=click.Choice(FORMATS), metavar="NAME",
              help=f"{', '.join(FORMATS)}; if the file's name does not show it.")  # fmt: skip
@json_option
@click.option("--fail-under", "gates", multiple=True, metavar="[METRIC=]NUMBER",
              help="Exit 1 if a metric (by default agreement) is below this. Repeatable.")  # fmt: skip
@click.option("--max-errors", type=click.IntRange(min=0), metavar="N",
              help="Exit 3 after more than N unreadable rows and errors; 0 with --fail-under.")  # fmt: skip
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    metavar="N",
    help="Random seed for the folds and for kappa's interval.",
)
@judge_options
@store_option
def command(
    paths: tuple[str, ...],
    evaluators: tuple[str, ...],
    maps: tuple[str, ...],
    as_json: bool,
    gates: tuple[str, ...],
    max_errors: int | None,
    judge_urls: tuple[str, ...],
    judge_models: tuple[str, ...],
    store: str,
    **settings: Any,
) -> int:
    """Compare evaluators with human labels on the answers in FILE or RUN, and find the best threshold.

    \b
    ringtrue calibrate nq@sample -e answer_quality
    ringtrue calibrate labels.jsonl -e "check_criteria(criteria=['It is polite'])" --judge-url http://localhost:9090
    ringtrue calibrate labels.csv --score-field judge_score --label human_rating --label-range 1 5
    ringtrue calibrate last --stored-labels
    """
    wanted = floors(gates, METRICS[:-1], unnamed=AGREEMENT)  # an error has a ceiling, not a floor
    rows: Any = open_run(paths[0], store) if len(paths) == 1 and _is_run(paths[0]) else paths
    judge: dict[str, Any] = {"judge": judge_urls or None, "judge_model": judge_models}
    found = calibrate(rows, evaluators, mapping=field_mapping(maps), store=store, **judge, **settings)
    if as_json:
        click.echo(json_text(_record(found), indent=True))
    else:
        _print(found)
    return _verdict(found, wanted, max_errors)


def _is_run(name: str) -> bool:
    """Whether a word names a run: a file of rows that a command wrote, or what is neither a file nor a sample."""
    return holds_run(name) or (not os.path.exists(name) and "." not in name and "@" not in name and name != "-")


def _record(found: Calibrated) -> dict[str, Json]:
    return {
        "ringtrue": __version__,
        "label": found.label,
        "rows": found.rows,
        "labelled": found.labelled,
        "evaluators": {name: asdict(one) for name, one in found.evaluators.items()},
        "signatures": found.signatures,
        "problems": found.problems,
        "first_problems": [asdict(one) for one in found.first_problems],
        "spent": dict(found.spent),
        "run": found.run.id or None,
    }


def _print(found: Calibrated) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else 110)
    for name, one in found.evaluators.items():
        for item in _report_lines(printable(name), printable(found.label), one):
            console.print(item, soft_wrap=True)
    if found.problems:
        console.print(f"broken and left out: {found.problems:,}", style="dim")
    if found.spent:
        console.print(bill(found.spent), style="dim")


def _report_lines(name: str, label: str, one: Calibration) -> Iterator[Any]:
    yes = one.counts.true_positives + one.counts.false_negatives
    graded = f" ({LABEL_THRESHOLD:g} or more)" if one.graded else ""
    absent = one.metrics["agreement"]
    left_out = "".join(f", {words}" for words in absence_words(absent.skipped, absent.errors))
    counts = f"{count(one.counts.n, 'labelled row')}, {yes:,} yes{graded}, {one.counts.n - yes:,} no"
    yield f"{name} against {label}: {counts}{left_out}"
    yield ""
    yield _table(one)
    yield one.recommendation
    if one.cutoff:
        yield (
            f"Chosen by {CRITERIA[one.cutoff.criterion]}. Held out: each of {one.cutoff.folds} parts is judged by the "
            "threshold that the others recommend."
        )
    if one.corrected:
        yield ""
        yield _means(one.corrected)
        yield (
            f"The corrected mean is as sure as {one.corrected.worth:,.0f} labels alone; it holds if the labelled rows "
            "are a random sample."
        )
    for doubt in one.doubts:
        yield f"Doubt: {doubt}."
    yield ""


def _table(one: Calibration) -> Table:
    columns = [(f"at {one.threshold:g}", one.metrics)]
    if one.cutoff:
        columns.append((f"at {one.cutoff.threshold:g}, held out", one.cutoff.held_out.summaries()))
    table = _empty(*(head for title, _ in columns for head in (title, "95 % interval")))
    for metric in METRICS:
        if metric in one.metrics:
            cells = [cell for _, found in columns for cell in _cells(found.get(metric))]
            table.add_row(metric.replace("_", " "), *cells)
    return table


def _means(corrected: CorrectedMean) -> Table:
    table = _empty("rows", "mean", "95 % interval")
    for title, summary in (
        ("judge", corrected.raw),
        ("labels alone", corrected.labelled),
        ("judge, corrected by labels", corrected.estimate),
    ):
        table.add_row(title, f"{summary.n:,}", *_cells(summary))
    return table


def _empty(*heads: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("", no_wrap=True)
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def _cells(summary: Summary | None) -> tuple[str, str]:
    if summary is None:
        return "", ""
    return number(summary.value), interval(summary.interval)


def _verdict(found: Calibrated, wanted: dict[str, float], max_errors: int | None) -> int:
    summaries = {name: one.metrics for name, one in found.evaluators.items()}
    errors = found.problems + sum(one["agreement"].errors for one in summaries.values())
    budget = 0 if max_errors is None and wanted else max_errors
    if not any(one["agreement"].n for one in summaries.values()):
        say("no labelled row could be scored")
        return NOTHING_MEASURED
    if budget is not None and errors > budget:
        say(f"{count(errors, 'error')}; the budget is {budget:,} (--max-errors)")
        return NOTHING_MEASURED
    measured = [(part, f" of {name}", one[part]) for name, one in summaries.items() for part in wanted if part in one]
    return gate_code(measured, wanted)
