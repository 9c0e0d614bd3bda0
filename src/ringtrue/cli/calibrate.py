"""`ringtrue calibrate`: how far an evaluator agrees with human labels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click
import orjson

from ringtrue._version import __version__
from ringtrue.api.calibrate import Calibrated, calibrate
from ringtrue.api.score_file import Judging
from ringtrue.cli import ERRORS_ABOVE_BUDGET
from ringtrue.cli.gates import floors, gate, must_be_parts
from ringtrue.cli.judges import judge_options
from ringtrue.cli.score import bill, mapping
from ringtrue.cli.stores import store_option
from ringtrue.records import Summary
from ringtrue.reports.table import printable
from ringtrue.stats.calibration import LABEL_THRESHOLD, METRICS, Calibration
from ringtrue.stats.corrected import Corrected

if TYPE_CHECKING:
    from rich.table import Table

CRITERIA = {"youden": "Youden's J (recall + specificity - 1)", "f1": "F1", "kappa": "kappa", "agreement": "agreement"}


@click.command("calibrate", short_help="Compare an evaluator with human labels.")
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.option("-e", "--evaluator", "evaluators", multiple=True, metavar="SPEC",
              help="An evaluator: a name, or name(setting=value). Repeatable.")  # fmt: skip
@click.option("--label", metavar="FIELD", help="Where the human's label is; dots lead into objects.")
@click.option("--positive", multiple=True, metavar="VALUE",
              help="A label that means yes; all others mean no. Repeatable.")  # fmt: skip
@click.option("--label-range", nargs=2, type=float, metavar="LOW HIGH",
              help="The ends of the labels' scale, as in 1 5.")  # fmt: skip
@click.option("--score-field", metavar="FIELD", help="Where a judge's scores are already; nobody is asked for them.")
@click.option("--score-range", nargs=2, type=float, metavar="LOW HIGH", help="The ends of those scores' scale.")
@click.option("--part", metavar="PART", help="Which part of the evaluators to compare; the main one by default.")
@click.option("--threshold", type=click.FloatRange(0, 1), help="Where a score passes; the evaluator's own by default.")
@click.option("--criterion", type=click.Choice(list(CRITERIA)), default="youden", show_default=True,
              help="What the recommended threshold makes as large as it can be.")  # fmt: skip
@click.option("--source", metavar="FIELD", help="What a row comes from: rows of one source are judged together.")
@click.option("--costs", nargs=2, type=float, metavar="PASS FAIL",
              help="What it costs if a wrong answer passes, and if a right one fails.")  # fmt: skip
@click.option("--held-out", nargs=2, metavar="FIELD VALUE",
              help="Rows that no threshold is found on: the cheapest one is tried on them.")  # fmt: skip
@click.option("--map", "maps", multiple=True, metavar="MEANING=FIELD",
              help="Where response, expected, input, context, id or latency is kept. Repeatable.")  # fmt: skip
@click.option("--format", type=click.Choice(["jsonl", "json", "csv", "tsv", "parquet"]),
              help="The files' format, where the name does not say it.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--fail-under", "gates", multiple=True, metavar="[METRIC=]NUMBER",
              help="Exit 1 if a metric (agreement where none is named) is lower. Repeatable.")  # fmt: skip
@click.option("--max-errors", type=click.IntRange(min=0), metavar="N",
              help="Exit 3 above N broken rows and evaluator errors. With --fail-under the default is 0.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of the folds and of kappa's interval.")
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
    """Compare what evaluators say of the answers in FILE with the human labels beside them.

    \b
    ringtrue calibrate nq@sample -e answer_quality
    ringtrue calibrate labels.jsonl -e "check_criteria(criteria=['It is polite'])" --judge-url http://localhost:9090
    ringtrue calibrate labels.csv --score-field judge_score --label human_rating --label-range 1 5
    """
    wanted = floors(gates, "agreement")
    must_be_parts(wanted, METRICS[:-1])  # an error has a ceiling, not a floor
    judging = Judging(judge_urls, judge_models, store=store)
    found = calibrate(paths, evaluators, mapping=mapping(maps), judging=judging, **settings)
    if as_json:
        told = orjson.dumps({"ringtrue": __version__, **asdict(found)}, option=orjson.OPT_INDENT_2)
        sys.stdout.write(told.decode() + "\n")
    else:
        _print(found)
    return _verdict(found, wanted, max_errors)


def _print(found: Calibrated) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else 110)
    for name, one in found.evaluators.items():
        for item in _told(printable(name), printable(found.label), one):
            console.print(item, soft_wrap=True)
    if found.problems:
        console.print(f"broken and left out: {found.problems:,}", style="dim")
    if found.spent:
        console.print(bill(found.spent), style="dim")


def _told(name: str, label: str, one: Calibration) -> Iterator[Any]:
    yes = one.counts.true_positives + one.counts.false_negatives
    graded = f" ({LABEL_THRESHOLD:g} or more)" if one.graded else ""
    absent = one.metrics["agreement"]
    left_out = "".join(
        f", {count:,} {what}" for count, what in ((absent.skipped, "skipped"), (absent.errors, "errors")) if count
    )
    rows = "row" if one.counts.n == 1 else "rows"
    counts = f"{one.counts.n:,} labelled {rows}, {yes:,} yes{graded}, {one.counts.n - yes:,} no"
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
    yield from _price(one)
    for doubt in one.doubts:
        yield f"Doubt: {doubt}."
    yield ""


def _price(one: Calibration) -> Iterator[str]:
    cut = one.priced
    if cut is None:
        return
    where = "nothing passes" if cut.threshold is None else f"a threshold of {cut.threshold:g}"
    paid = f"{cut.false_pass:g} for a wrong answer that passes, {cut.false_fail:g} for a right one that fails"
    found_on = f"the {_sources(len(cut.sources))} it was found on"
    yield f"Cheapest: {where}, which costs {cut.cost:.4g} a source over {found_on} ({paid})."
    if one.tried is not None:
        yield (
            f"Held out: a wrong answer passes in {_of(one.tried.false_passes)}; a right one fails in "
            f"{_of(one.tried.false_fails)}; {one.tried.complete_sources} of {_sources(one.tried.sources)} have every "
            "score and label."
        )


def _of(found: Summary) -> str:
    return f"{found.failed or 0} of {_sources(found.n)} {_cells(found)[1]}"


def _sources(count: int) -> str:
    return f"{count:,} source{'' if count == 1 else 's'}"


def _table(one: Calibration) -> Table:
    columns = [(f"at {one.threshold:g}", one.metrics)]
    if one.cutoff:
        columns.append((f"at {one.cutoff.threshold:g}, held out", one.cutoff.held_out.summaries()))
    table = _empty(*(head for title, _ in columns for head in (title, "95% interval")))
    for metric in METRICS:
        if metric in one.metrics:
            cells = [cell for _, found in columns for cell in _cells(found.get(metric))]
            table.add_row(metric.replace("_", " "), *cells)
    return table


def _means(corrected: Corrected) -> Table:
    table = _empty("rows", "mean", "95% interval")
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
    value = "–" if summary.value is None else f"{summary.value:.4f}"
    return value, "–" if summary.interval is None else "[{:.3f}, {:.3f}]".format(*summary.interval)


def _verdict(found: Calibrated, wanted: dict[str, float], max_errors: int | None) -> int:
    summaries = {name: one.metrics for name, one in found.evaluators.items()}
    errors = found.problems + sum(one["agreement"].errors for one in summaries.values())
    budget = 0 if max_errors is None and wanted else max_errors
    if not any(one["agreement"].n for one in summaries.values()):
        click.echo("ringtrue: no labelled row could be scored", err=True)
        return ERRORS_ABOVE_BUDGET
    if budget is not None and errors > budget:
        click.echo(f"ringtrue: errors: {errors:,}; the budget is {budget:,} (--max-errors)", err=True)
        return ERRORS_ABOVE_BUDGET
    return gate(summaries, wanted)
