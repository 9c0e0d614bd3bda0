"""`ringtrue run`: ask systems every question of datasets, score every answer, keep everything, show it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from ringtrue.api.evaluate import evaluate, plan_of
from ringtrue.api.quality import quality_by_benchmark
from ringtrue.cli import ERRORS_ABOVE_BUDGET, INTERRUPTED
from ringtrue.cli.gates import floors, gate, must_be_parts
from ringtrue.cli.judges import judge_options
from ringtrue.cli.metrics import standard_metrics
from ringtrue.cli.results import named, show
from ringtrue.cli.score import mapping
from ringtrue.datasets.cases import read_cases
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.parts import main_key
from ringtrue.metrics import MeanScore
from ringtrue.metrics.metric import SCORE
from ringtrue.records import Case
from ringtrue.safetext import printable
from ringtrue.store.database import DEFAULT, Database, database_url
from ringtrue.systems.spec import KINDS, described_system, system_table
from ringtrue.systems.system import System


@click.command("run", short_help="Ask systems every question of a dataset and score every answer.")
@click.option("--dataset", "-d", "datasets", multiple=True, required=True, metavar="NAME|FILE",
              help="gsm8k, mmlu:anatomy, gsm8k@sample …; any of the hub as hf:ORG/NAME:CONFIG@SPLIT; or JSONL, JSON, "
                   "CSV, Parquet, Arrow. Repeatable.")  # fmt: skip
@click.option("--data-dir", metavar="DIR", help="A mirror of the hub's datasets, instead of the hub.")
@click.option("--map", "maps", multiple=True, metavar="MEANING=FIELD",
              help="Where rows keep input, expected, context or id. Repeatable.")  # fmt: skip
@click.option("--system", "-s", "systems", multiple=True, metavar="SPEC", help=f"Who answers: {KINDS}. Repeatable.")
@click.option("--proxy", "proxies", multiple=True, metavar="URL", help="An OpenAI-compatible endpoint. Repeatable.")
@click.option("--name", "names", multiple=True, help="A system's name, in the order of the systems. Repeatable.")
@click.option("--model", "-m", default="gpt-4", show_default=True, help="The model to ask an endpoint for.")
@click.option("-e", "--evaluator", "evaluators", multiple=True, metavar="SPEC",
              help="An evaluator; without any they follow from the rows' dataset. Repeatable.")  # fmt: skip
@judge_options
@click.option("-n", "--max-examples", type=click.IntRange(min=1), help="At most N examples of each dataset.")
@click.option("--epochs", type=click.IntRange(min=1), default=1, show_default=True, help="Ask every case so often.")
@click.option("--output", type=click.Choice(["table", "json", "markdown"]), default="table", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --output json.")
@click.option("--score-field", metavar="PART", help="The score that means quality; each benchmark's own by default.")
@click.option("--threshold", type=click.FloatRange(0, 1), default=0.7, show_default=True, help="What passes.")
@click.option("--max-workers", type=click.IntRange(min=1), help="How many cases are in flight at once.")
@click.option("--judge-workers", type=click.IntRange(min=1), help="How many answers are judged at once.")
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
@click.pass_context
def command(
    context: click.Context,
    /,
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
    ringtrue run -d gsm8k -n 50 -s local
    ringtrue run -d questions.jsonl --proxy http://localhost:8000 --model my-model -e answer_quality
    ringtrue run -d questions.jsonl -s mymodule:answer --fail-under 0.8
    ringtrue run -d hf:someone/trivia@test --map input=prompt -n 20 -s local
    """
    asked = _systems([*systems, *proxies] or ["local"], names, model, flags)
    cases = [case for dataset in datasets for case in _cases(dataset, flags, len(datasets) > 1)]
    plan = plan_of(evaluators or None, cases, flags["judge_urls"], flags["judge_models"])
    keys = [key for evaluator in plan.evaluators for key in evaluator.keys]
    quality = flags["score_field"] or _quality(cases, [main_key(plan.evaluators[0]), *keys])
    wanted = _floors(gates, quality, keys)
    store = database_url(flags["cache_dir"]) if flags["cache_dir"] else flags["store"]
    resumed = context.obj if isinstance(context.obj, Resumed) else Resumed(None, _without_place(context.obj))
    begun: list[str] = []
    try:
        result = evaluate(
            asked,
            cases,
            plan,
            standard_metrics(quality, flags["threshold"], flags["epochs"], len(asked), len(datasets)),
            progress=not flags["quiet"],
            max_workers=flags["max_workers"],
            store=store,
            epochs=flags["epochs"],
            case_seconds=flags["case_timeout"],
            judge_workers=flags["judge_workers"],
            max_cost=flags["max_cost"],
            max_tokens=flags["max_tokens"],
            max_errors=flags["max_errors"],
            run_id=resumed.run,
            fresh=flags["fresh"],
            config={
                "arguments": resumed.arguments,
                "datasets": datasets,
                "quality": quality,
                "threshold": flags["threshold"],
            },
            begun=begun.append,
        )
    except KeyboardInterrupt:
        if not begun:
            raise
        _say_interrupted(begun[0], store)
        return INTERRUPTED
    show(result, "json" if flags["as_json"] else flags["output"], store)
    if result.config.get("stopped_by"):
        _say(f"stopped: {result.config['stopped_by']}; 'ringtrue resume {named(begun[0], store)}' goes on")
        return ERRORS_ABOVE_BUDGET
    if result.rows and all(row.status != "ok" for row in result.rows):
        _say(f"no row was answered; the first error: {result.rows[0].metadata.get('problem')}")
        return ERRORS_ABOVE_BUDGET
    return gate(result.details, wanted)


_PLACES = ("--store", "--cache-dir")


class Resumed(NamedTuple):
    """The run to go on with, and the words that started it."""

    run: str | None
    arguments: list[str]


def _systems(specs: list[str], names: tuple[str, ...], model: str, flags: dict[str, Any]) -> list[System]:
    if len(names) > len(specs):
        raise ConfigurationError(f"{len(names)} names for {len(specs)} systems", parameter="name", value=names)
    settings = {"temperature": flags["temperature"], "max_tokens": flags["max_output_tokens"]}
    given = {
        "model": model,
        "timeout": flags["timeout"],
        "parameters": {key: value for key, value in settings.items() if value is not None},
    }
    named = [*names, *[""] * (len(specs) - len(names))]
    return [
        described_system({**system_table(spec), **given, "name": name}, Path())
        for spec, name in zip(specs, named, strict=True)
    ]


def _cases(dataset: str, flags: dict[str, Any], several: bool) -> list[Case]:
    cases = read_cases(dataset, flags["max_examples"], flags["data_dir"], mapping(flags["maps"]))
    if not cases:
        raise ConfigurationError(f"{dataset!r} has no rows", parameter="dataset", value=dataset)
    ids = Counter((type(case.id), case.id) for case in cases)
    repeated = len(cases) - len(ids)
    if repeated:
        _say(f"{dataset}: {repeated:,} rows have the id of an earlier row; each is asked, and they count as one source")
    return [replace(case, fields={"dataset": dataset, **case.fields}) for case in cases] if several else cases


def _quality(cases: list[Case], keys: list[str]) -> str:
    """The score that means quality: the benchmark's own metric; of benchmarks that differ in it, each row's own."""
    quality = quality_by_benchmark()
    found = {quality(name, keys) for name in {str(case.fields.get("dataset") or "") for case in cases}}
    return found.pop() if len(found) == 1 else SCORE


def _floors(gates: tuple[str, ...], quality: str, keys: list[str]) -> dict[str, float]:
    """The floor of each part; one without a name is of the score that means quality."""
    found = floors(gates, quality if quality in keys else MeanScore.name)
    must_be_parts(found, [*keys, MeanScore.name])
    return found


def _without_place(arguments: list[str]) -> list[str]:
    """The words of a command without where it keeps things, which may hold a password and is known on the way back."""
    kept, words = [], iter(arguments)
    for word in words:
        if word in _PLACES:
            next(words, None)
        elif word.partition("=")[0] not in _PLACES:
            kept.append(word)
    return kept


def _say_interrupted(run: str, store: str) -> None:
    with Database(store) as database:
        finished, _ = database.row_counts().get(run, (0, 0))
    _say(f"interrupted; {finished:,} finished rows are kept; 'ringtrue resume {named(run, store)}' goes on")


def _say(message: str) -> None:
    click.echo(f"ringtrue: {printable(message)}", err=True)
