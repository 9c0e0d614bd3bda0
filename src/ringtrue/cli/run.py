"""`ringtrue run`: ask systems every question of datasets, score every answer, keep everything, show it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from ringtrue.api.evaluate import as_systems, plan_of, run_job
from ringtrue.cli import INTERRUPTED
from ringtrue.cli.shared.command import OnceCommand, require_named_once, say
from ringtrue.cli.shared.completion import complete_dataset
from ringtrue.cli.shared.gates import floors
from ringtrue.cli.shared.options import Flags, encoding_option, measure_options
from ringtrue.cli.shared.output import check_files, finish, run_words
from ringtrue.datasets.cases import CasesOfAll, CasesOfFiles, is_large_file, read_cases
from ringtrue.datasets.files.shards import expand, is_pattern
from ringtrue.datasets.files.whole_file import read_rows
from ringtrue.datasets.selection import Selection
from ringtrue.dialects.fields import Fields
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.spec import build
from ringtrue.records import Case, Json, Run
from ringtrue.reports.number import count
from ringtrue.runner.journal import Cases
from ringtrue.runner.occurrences import Occurrences
from ringtrue.store.address import database_url
from ringtrue.store.database import Database
from ringtrue.sync import run_sync
from ringtrue.systems.spec import KINDS, described_system, system_table
from ringtrue.systems.system import System

_NAMED = re.compile(r"(?P<name>[\w.+-]+)=(?P<spec>.+)", re.S)
_PLACES = ("--store", "--cache-dir")


@click.command("run", cls=OnceCommand)
@click.argument("more_datasets", nargs=-1, metavar="[DATASET]...", shell_complete=complete_dataset)
@click.option("--dataset", "-d", "datasets", multiple=True, metavar="NAME|FILE",
              shell_complete=complete_dataset,
              help="A benchmark (gsm8k, mmlu:anatomy, gsm8k@sample), hf:ORG/NAME:CONFIG@SPLIT of the hub, or a JSONL, "
                   "JSON, CSV, Parquet or Arrow file. Repeatable.")  # fmt: skip
@click.option("--data-dir", metavar="DIR", help="Folder to read instead of the hub.")
@encoding_option
@click.option("--system", "-s", "systems", multiple=True, metavar="[NAME=]SPEC",
              help=f"System to evaluate: {KINDS}. Repeatable.")  # fmt: skip
@click.option("--proxy", "proxies", multiple=True, metavar="[NAME=]URL",
              help="An OpenAI-compatible endpoint, or local. It also answers for systems that only change the example. "
                   "Repeatable.")  # fmt: skip
@click.option("--model", "-m", "models", multiple=True, metavar="NAME",
              help="Model to ask for, at each endpoint. Repeatable.")  # fmt: skip
@click.option("--repeats", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
              help="How many times to ask each case.")  # fmt: skip
@click.option("--split", metavar="NAME", help="Split to read instead of the benchmark's own.")
@click.option("--shuffle", is_flag=True, help="Draw -n cases at random, not evenly by subject.")
@click.option("--first", is_flag=True, help="Take the first -n cases instead of a sample.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed of the sample.")
@click.option("--few-shot", type=click.IntRange(min=0), default=0, metavar="N",
              help="Worked examples to show before each question.")  # fmt: skip
@click.option("--template", type=click.Path(exists=True, dir_okay=False), metavar="FILE",
              help="Prompt with {question}, {context} … to ask.")  # fmt: skip
@click.option("--system-prompt", metavar="TEXT", help="The system message sent to endpoints.")
@click.option("--headline", metavar="PART", help="Score to report first; by default the benchmark's own.")
@click.option("--temperature", type=float, metavar="NUMBER", help="Sampling temperature sent to the endpoint.")
@click.option("--max-output-tokens", type=click.IntRange(min=1), metavar="N",
              help="Longest answer to ask the endpoint for.")  # fmt: skip
@click.option("--cache-dir", metavar="DIR", help="Folder for the store, instead of --store.")
@click.option("--fresh", is_flag=True,
              help="Start a new run and ask every question again.")  # fmt: skip
@click.option(
    "--stop-when-decided",
    is_flag=True,
    help="Ask in random order, and stop as soon as --fail-under is decided, or which of two systems is better.",
)
@click.option("--no-reuse", is_flag=True, help="Do not reuse answers of earlier runs.")
@measure_options
@click.pass_context
def command(context: click.Context, /, datasets: tuple[str, ...], more_datasets: tuple[str, ...], **given: Any) -> int:
    """Ask systems every question of the datasets, score every answer, store everything and show the result.

    \b
    ringtrue run -d gsm8k -n 50 -s local
    ringtrue run -d questions.jsonl --proxy http://localhost:8000 -m small -m large
    ringtrue run -d questions.jsonl -s mine=mymodule:answer --fail-under 0.8
    ringtrue run -d ruler:16k -n 50 -s truncate:4k -s mymodule:compress --proxy URL
    """
    own = {name: given.pop(name) for name in _OWN}
    flags = Flags(**given)
    check_files(flags)
    if own["cache_dir"]:
        if context.get_parameter_source("store") is ParameterSource.COMMANDLINE:
            raise click.UsageError("--cache-dir and --store both name the store; leave one out", context)
        flags = replace(flags, store=database_url(own["cache_dir"]))
    named = (*more_datasets, *datasets)
    require_named_once(named, "--repeats N asks every case N times")
    if flags.executor == "ray":
        return finish(_run_shards(named, own, flags), flags, floors(flags.floors), rows_written=True)
    return _run_here(context, named, own, flags)


def _run_here(context: click.Context, datasets: tuple[str, ...], own: Mapping[str, Any], flags: Flags) -> int:
    """Run on this machine, kept in the store as it goes."""
    asked = _asked_systems(own, flags)
    cases = _all_cases(datasets, own, flags)
    plan = plan_of(flags.evaluators or None, cases, (flags.judge_urls or None, flags.judge_models), flags.options())
    wanted = floors(flags.floors, plan.keys)
    resumed = context.obj if isinstance(context.obj, ResumedRun) else ResumedRun(None, _without_place(context.obj))
    begun: list[str] = []
    options = flags.options(**_run_options(own, flags, wanted, resumed), on_start=begun.append)
    try:
        run = run_sync(run_job(asked, cases, plan, options, own["headline"]))
    except KeyboardInterrupt:
        if not begun:
            raise
        _say_interrupted(begun[0], flags.store)
        return INTERRUPTED
    code = finish(run, flags, wanted)
    if run.stopped_by:
        say(f"'ringtrue resume {run_words(run.id, flags.store)}' continues it")
    return code


_OWN = (
    "data_dir", "encoding", "systems", "proxies", "models", "repeats", "split", "shuffle", "first", "seed", "few_shot",
    "template", "system_prompt", "headline", "temperature", "max_output_tokens", "cache_dir", "fresh", "no_reuse",
    "stop_when_decided",
)  # fmt: skip


_CHOSEN = ("split", "few_shot", "template", "encoding")


def _run_options(
    own: Mapping[str, Any], flags: Flags, wanted: Mapping[str, float], resumed: ResumedRun
) -> dict[str, Any]:
    """The fields of `Options` that only this command sets."""
    chosen = {"limit": flags.limit, "mapping": flags.mapping, **{name: own[name] for name in _CHOSEN}}
    return {
        "timeout": None if _asks_endpoints(own) else flags.timeout,  # an endpoint's own limit is that of a request
        "repeats": own["repeats"],
        "fresh": own["fresh"] or own["no_reuse"],
        "reuse": not (own["no_reuse"] or own["fresh"]),
        "resume": resumed.run,
        "about": {"arguments": resumed.arguments, **{name: value for name, value in chosen.items() if value}},
        "stop_when_decided": own["stop_when_decided"] and (wanted or True),
        "seed": own["seed"],
    }


def _asks_endpoints(own: Mapping[str, Any]) -> bool:
    """Whether endpoints answer every question."""
    return bool(own["proxies"] or (own["systems"] and all("://" in one for one in own["systems"])))


class ResumedRun(NamedTuple):
    """The run to resume, and the words that started it."""

    run: str | None
    arguments: list[str]


def _asked_systems(own: Mapping[str, Any], flags: Flags) -> list[System]:
    """The systems to ask: the embedded model if none is named."""
    named = own["systems"] or ([] if own["proxies"] else ["local"])
    if own["models"] and not any("://" in one for one in named) and not own["proxies"]:
        raise click.UsageError(f"--model {own['models'][0]!r}: no endpoint to request it from; add --proxy URL")
    return as_systems(*(list(_systems(specs, own, flags)) for specs in (named, own["proxies"])))


def _systems(specs: Sequence[str], own: Mapping[str, Any], flags: Flags) -> Iterator[System]:
    """The systems that options name; every endpoint once for every model."""
    settings = {"temperature": own["temperature"], "max_tokens": own["max_output_tokens"]}
    parameters = {key: value for key, value in settings.items() if value is not None}
    fields = Fields(flags.mapping, answered=True) if flags.maps else None
    rows_of = partial(_rows, encoding=own["encoding"])
    alone = sum("://" in one for one in (*own["systems"], *own["proxies"])) == 1
    for given in specs:
        match = _NAMED.fullmatch(given)
        name, spec = (match["name"], match["spec"]) if match else ("", given)
        if specs is own["proxies"] and spec.partition(":")[0] not in ("http", "https", "local"):
            address = spec.rpartition("://")[2]
            words = f"--proxy {given!r}: write the endpoint's URL, such as http://{address}, or local"
            raise ConfigurationError(words, parameter="proxy", value=given)
        table = system_table(spec)
        is_endpoint = "endpoint" in table
        if is_endpoint:
            further = {"timeout": flags.timeout, "system_prompt": own["system_prompt"]}
            table |= {key: value for key, value in further.items() if value}
        for model in own["models"] if is_endpoint and own["models"] else [None]:
            asked = table if model is None else table | {"model": model}
            called = _system_name(name, model, spec, several=len(own["models"]) > 1, alone=alone)
            yield described_system({**asked, "parameters": parameters, "name": called}, Path(), rows_of, fields)


def _system_name(name: str, model: str | None, spec: str, *, several: bool, alone: bool) -> str:
    """Return the name of a system: the given name, with the model if there are several; else its model."""
    if model is None or (name and not several):
        return name
    if name or not alone:
        return f"{name or urlsplit(spec).netloc}-{model}"
    return model


def _rows(path: Path, encoding: str | None) -> Iterator[Mapping[str, Json]]:
    return (row for _, row in read_rows(path, encoding))


def _selection(own: Mapping[str, Any]) -> Selection:
    """Return the choice of a dataset's cases, their order and their wording."""
    template = Path(own["template"]).read_text("utf-8") if own["template"] else ""
    drawn = {name: own[name] for name in ("split", "shuffle", "seed", "first", "few_shot")}
    return Selection(template=template, **drawn)


def _run_shards(datasets: tuple[str, ...], own: Mapping[str, Any], flags: Flags) -> Run:
    """The run on a cluster: every file that the datasets name is a shard."""
    from ringtrue.api.on_shards import run_shards, shard_output, shard_sources
    from ringtrue.api.shard_job import ShardJob

    if not flags.evaluators and not flags.judge_urls and not flags.criteria:
        raise click.UsageError("--executor ray needs the evaluators: add -e", click.get_current_context())
    if len(datasets) != 1 or own["shuffle"] or flags.limit is not None:
        raise click.UsageError("--executor ray takes one file or pattern, whole: leave out -n and --shuffle")
    for system in _asked_systems(own, flags):
        getattr(system, "prepare", lambda: None)()
    job = ShardJob(
        kind="run",
        folder=shard_output(flags.output),
        evaluators=[build(spec) for spec in flags.evaluators],
        options=flags.options(timeout=None if _asks_endpoints(own) else flags.timeout, repeats=own["repeats"]),
        judge=flags.judge_urls or None,
        judge_model=flags.judge_models,
        mapping=flags.mapping,
        encoding=own["encoding"],
        dataset=os.path.basename(datasets[0]),
        headline=own["headline"],
        selection=_selection(own),
        systems=partial(_asked_systems, own, flags),
    )
    return run_shards(job, shard_sources(expand(datasets)))


def _all_cases(datasets: tuple[str, ...], own: Mapping[str, Any], flags: Flags) -> Cases:
    if not datasets:
        raise click.UsageError("Missing a dataset, as in 'ringtrue run gsm8k@sample'", click.get_current_context())
    selection = replace(_selection(own), limit=flags.limit)
    return CasesOfAll([_cases(dataset, own, flags, selection) for dataset in datasets])


def _cases(dataset: str, own: Mapping[str, Any], flags: Flags, selection: Selection) -> list[Case] | CasesOfFiles:
    cases: list[Case] | CasesOfFiles
    if is_pattern(dataset) or is_large_file(dataset, selection):
        name = os.path.basename(dataset)
        cases = CasesOfFiles(expand([dataset]), selection, flags.mapping, own["encoding"], name)
    else:
        cases = read_cases(dataset, flags.limit, own["data_dir"], flags.mapping, selection, own["encoding"])
    with Occurrences() as ids:
        repeated = sum(ids.count(f"{type(case.id).__name__} {case.id!r}") > 1 for case in cases)
    if not len(cases):
        raise ConfigurationError(f"{dataset!r} has no rows", parameter="dataset", value=dataset)
    source = str(next(iter(cases)).fields.get("source") or "")
    if ", not the pinned " in source:
        say(f"{dataset} is read from {source}")
    if repeated:
        say(f"{dataset}: {count(repeated, 'row')} with the id of an earlier row; each is asked and counted as a case")
    return cases


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
        finished, _ = database.row_counts(run).get(run, (0, 0))
    say(f"interrupted; {finished:,} finished rows are kept; 'ringtrue resume {run_words(run, store)}' continues it")
