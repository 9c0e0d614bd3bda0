"""`ringtrue run`: ask systems every question of datasets, score every answer, keep everything, show it."""

from __future__ import annotations

import sys
from typing import Any

import click

from ringtrue.api.evaluation import evaluate, read_cases
from ringtrue.api.result import EvalResult
from ringtrue.cli import ERRORS_ABOVE_BUDGET
from ringtrue.cli.gates import floors, judged
from ringtrue.cli.systems import KINDS, named_system
from ringtrue.datasets.samples import sample_path
from ringtrue.errors import ConfigurationError
from ringtrue.metrics import CompressionRatio, CostOfPass, Latency, MeanScore, ParetoRank, PassAtK, PassRate
from ringtrue.metrics import PerDatasetBreakdown as PerDataset
from ringtrue.metrics.metric import Metric
from ringtrue.records import Case
from ringtrue.reports.table import metrics_table, summary_table
from ringtrue.store.database import DEFAULT


@click.command("run", short_help="Ask systems every question of a dataset and score every answer.")
@click.option("--dataset", "-d", "datasets", multiple=True, required=True, metavar="FILE",
              help="JSONL, JSON, CSV or Parquet, or NAME@sample. Repeatable.")  # fmt: skip
@click.option("--system", "-s", "systems", multiple=True, metavar="SPEC", help=f"Who answers: {KINDS}. Repeatable.")
@click.option("--proxy", "proxies", multiple=True, metavar="URL", help="An OpenAI-compatible endpoint. Repeatable.")
@click.option("--name", "names", multiple=True, help="A system's name, in the order of the systems. Repeatable.")
@click.option("--model", "-m", default="gpt-4", show_default=True, help="The model to ask an endpoint for.")
@click.option("-e", "--evaluator", "evaluators", multiple=True, metavar="SPEC",
              help="An evaluator; without any they follow from the rows' dataset. Repeatable.")  # fmt: skip
@click.option("-n", "--max-examples", type=click.IntRange(min=1), help="At most N examples of each dataset.")
@click.option("--epochs", type=click.IntRange(min=1), default=1, show_default=True, help="Ask every case so often.")
@click.option("--output", type=click.Choice(["table", "json", "markdown"]), default="table", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --output json.")
@click.option("--score-field", metavar="PART", help="The score that means quality; the first one by default.")
@click.option("--threshold", type=click.FloatRange(0, 1), default=0.7, show_default=True, help="What passes.")
@click.option("--max-workers", type=click.IntRange(min=1), help="How many cases are in flight at once.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), default=60.0, show_default=True,
              help="Seconds a call may take.")  # fmt: skip
@click.option("--case-timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds a case may take in all.")
@click.option("--temperature", type=float, help="Sent to the endpoint.")
@click.option("--max-output-tokens", type=click.IntRange(min=1), help="Sent to the endpoint.")
@click.option("--store", default=DEFAULT, show_default=True, metavar="URL", help="Where everything is kept.")
@click.option("--cache-dir", metavar="DIR", help="Keep everything in a file in this folder instead.")
@click.option("--fresh", is_flag=True, help="Start a new run even if one with this plan is unfinished.")
@click.option("--max-cost", type=click.FloatRange(min=0), metavar="USD", help="Stop when this much is spent.")
@click.option("--max-tokens", type=click.IntRange(min=0), help="Stop when so many tokens are used.")
@click.option("--max-errors", type=click.IntRange(min=0), help="Stop, with exit code 3, above so many errors.")
@click.option("--fail-under", "gates", multiple=True, metavar="[PART=]NUMBER",
              help="Exit 1 if the mean of a part (else the first) is lower, 2 if errors leave it open.")  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def command(
    datasets: tuple[str, ...],
    systems: tuple[str, ...],
    proxies: tuple[str, ...],
    names: tuple[str, ...],
    model: str,
    evaluators: tuple[str, ...],
    gates: tuple[str, ...],
    **flags: Any,
) -> int:
    """Ask systems every question of the datasets, score every answer, keep everything, show it.

    \b
    ringtrue run -d questions.jsonl -s local
    ringtrue run -d questions.jsonl --proxy http://localhost:8000 --model my-model -e answer_quality
    ringtrue run -d questions.jsonl -s mymodule:answer --fail-under 0.8
    """
    specs = [*systems, *proxies] or ["local"]
    if len(names) > len(specs):
        raise ConfigurationError(f"{len(names)} names for {len(specs)} systems", parameter="name", value=names)
    settings = {"temperature": flags["temperature"], "max_tokens": flags["max_output_tokens"]}
    asked = [
        named_system(
            spec,
            name=names[number] if number < len(names) else None,
            model=model,
            timeout=flags["timeout"],
            settings={key: value for key, value in settings.items() if value is not None},
        )
        for number, spec in enumerate(specs)
    ]
    cases = [case for dataset in datasets for case in _cases(dataset, flags["max_examples"], len(datasets) > 1)]
    wanted = floors(gates)
    result = evaluate(
        asked,
        cases,
        list(evaluators) or None,
        _metrics(flags, cases, evaluators, len(asked), len(datasets)),
        progress=not flags["quiet"],
        max_workers=flags["max_workers"],
        cache_dir=flags["cache_dir"],
        epochs=flags["epochs"],
        case_seconds=flags["case_timeout"],
        max_cost=flags["max_cost"],
        max_tokens=flags["max_tokens"],
        max_errors=flags["max_errors"],
        fresh=flags["fresh"],
        config={"arguments": sys.argv[1:]},
        **({} if flags["cache_dir"] else {"store": flags["store"]}),
    )
    show(result, "json" if flags["as_json"] else flags["output"])
    if result.config.get("stopped_by"):
        click.echo(f"ringtrue: stopped: {result.config['stopped_by']}", err=True)
        return ERRORS_ABOVE_BUDGET
    return judged(result.details, wanted)


def show(result: EvalResult, output: str = "table") -> None:
    """Print a result."""
    if output != "table":
        click.echo(result.to_json() if output == "json" else result.to_markdown())
        return
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else 110)
    scores = {
        system: {key: summary for key, summary in found.items() if key not in result.summary.get(system, {})}
        for system, found in result.details.items()
    }
    console.print(summary_table(scores))
    if any(result.summary.values()):
        console.print()
        console.print(metrics_table(result.summary))
    errors = sum(row.status != "ok" for row in result.rows)
    words = f"run {result.config['run']}: {len(result.rows):,} rows" + (
        f", {errors:,} of them errors" if errors else ""
    )
    console.print(f"{words}; 'ringtrue show {result.config['run']}' shows it again", style="dim")


def _cases(dataset: str, limit: int | None, several: bool) -> list[Case]:
    path = sample_path(dataset) if dataset.endswith("@sample") else dataset
    cases = read_cases(path, limit)
    if not cases:
        raise ConfigurationError(f"{dataset!r} has no rows", parameter="dataset", value=dataset)
    if not several:
        return cases
    from dataclasses import replace

    return [replace(case, fields={"dataset": dataset, **case.fields}) for case in cases]


def _metrics(
    flags: dict[str, Any], cases: list[Case], evaluators: tuple[str, ...], systems: int, datasets: int
) -> list[Metric]:
    from ringtrue.evaluators.spec import build
    from ringtrue.evaluators.wiring import wired

    chosen = [build(spec) for spec in evaluators] or wired([str(case.fields.get("dataset") or "") for case in cases])[0]
    quality = flags["score_field"] or chosen[0].keys[0]
    threshold = flags["threshold"]
    metrics: list[Any] = [
        MeanScore(quality),
        PassRate(threshold, quality),
        CompressionRatio(),
        CostOfPass(threshold, quality),
        Latency(),
    ]
    if flags["epochs"] > 1:
        metrics.append(PassAtK(flags["epochs"], threshold, quality))
    if datasets > 1:
        metrics.append(PerDataset(quality))
    if systems > 1:
        metrics.append(ParetoRank())
    return metrics
