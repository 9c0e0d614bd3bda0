"""`evaluate`: every system on every case, measured by every evaluator, kept, and summed up."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from inspect import signature
from typing import Any

from ringtrue.datasets.cases import read_cases
from ringtrue.datasets.catalogue.benchmark import Benchmark
from ringtrue.datasets.catalogue.table import scorings
from ringtrue.datasets.selection import Selection
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.wiring import evaluators_of_datasets
from ringtrue.metrics.metric import SCORE, Metric
from ringtrue.records import Case, Run
from ringtrue.reports.eval_result import EvalResult
from ringtrue.reports.progress import RunProgress
from ringtrue.runner.early_stop import drawn_order, require_decidable
from ringtrue.runner.headline import benchmark_metrics, with_headlines, with_threshold
from ringtrue.runner.job import Job, datasets_of
from ringtrue.runner.journal import Cases, KeepNothing
from ringtrue.runner.options import Options
from ringtrue.runner.plan import Plan
from ringtrue.runner.planning import plan_for, with_judge
from ringtrue.store.address import database_url
from ringtrue.store.runs import RunStore
from ringtrue.sync import synchronous
from ringtrue.systems.chain import chain_systems
from ringtrue.systems.function import as_system
from ringtrue.systems.questions import require_questions
from ringtrue.systems.spec import endpoint_system
from ringtrue.systems.system import System


async def aevaluate(
    systems: Any,
    dataset: Any,
    evaluators: Any = None,
    metrics: Sequence[Metric] | None = None,
    max_examples: int | None = None,
    progress: bool = True,
    text_fields: Sequence[str] | None = None,
    max_workers: int | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
    *,
    proxy: Any = None,
    judge: Any = None,
    judge_model: str | Sequence[str] = "",
    data_dir: str | os.PathLike[str] | None = None,
    mapping: Mapping[str, str] | None = None,
    headline: str | None = None,
    encoding: str | None = None,
    **options: Any,
) -> EvalResult:
    """Ask every system every case, score every answer, and store and summarize the results.

    `systems` is a function, an object with `process(example)`, or a list of them. `dataset` is the name of a
    benchmark, a file (with its `encoding` if it is not UTF-8), a data frame, or an iterable of dicts, EvalCases or
    Cases. `evaluators` is a name such as `"word_count(max_words=100)"`, an evaluator, a function, or a list of them;
    by default, the `dataset` of the rows decides.
    `metrics` are the standard ones by default. `judge` (a URL, `local`, or a model) with `judge_model` serves the
    judged evaluators that have no model; if there are none, an LLMJudge is added. A `judge` that is an evaluator is
    added to the default evaluators. `headline` names the score that decides what passes, by default the benchmark's
    own. `data_dir` is a mirror of the hub's datasets. `mapping` names the fields of input, expected answer, context or
    id. `proxy` (a URL, `local`, a system, or a list of them) answers examples that a system returns without an answer,
    such as a compressor. Further options are the fields of `ringtrue.runner.options.Options` and, except `limit`, of
    `ringtrue.datasets.selection.Selection`.
    """
    if cache_dir is not None:
        options["store"] = database_url(cache_dir)
    taken = {name: options.pop(name) for name in _SELECTION if name in options}
    own = {"max_workers": max_workers, "progress": progress, "text_fields": text_fields, "seed": taken.get("seed", 0)}
    chosen = Options.of({**options, **own}, "evaluate", [*_PARAMETERS, *_SELECTION]).require_this_machine("evaluate")
    asked = as_systems(systems, proxy)
    place = None if data_dir is None else os.fspath(data_dir)
    chosen = chosen.with_facts(limit=max_examples, mapping=mapping, encoding=encoding, **taken)
    cases = read_cases(dataset, max_examples, place, mapping, Selection(**taken), encoding)
    handed = [dataset] if isinstance(dataset, Benchmark) else []
    plan = plan_of(evaluators, cases, (judge, judge_model), chosen, handed)
    require_measured(metrics or (), plan)
    run = await run_job(asked, cases, plan, chosen, headline, handed)
    return EvalResult(run, metrics, text_fields)


_PARAMETERS = [name for name in signature(aevaluate).parameters if name != "options"]
_SELECTION = [item.name for item in fields(Selection) if item.name != "limit"]

evaluate = synchronous(aevaluate, "evaluate")
"""`aevaluate` for a caller that does not await, with or without a running event loop."""


async def run_job(
    systems: Sequence[System],
    cases: Cases,
    plan: Plan,
    options: Options,
    headline: str | None = None,
    own: Sequence[Benchmark] = (),
) -> Run:
    """Ask, measure and keep; the datasets are those that the cases name.

    `own` are benchmarks that were handed over as objects, which no name leads to.
    """
    require_questions(systems, cases)
    if options.stop_when_decided:
        require_decidable(options.stop_when_decided, len(systems), cases)
        cases = drawn_order(cases, options.seed)
    datasets = with_headlines(datasets_of(cases), plan.infos, headline, own)
    job = Job(
        systems=systems,
        cases=cases,
        plan=with_threshold(plan, datasets, options.threshold),
        options=options,
        datasets=datasets,
        metrics=benchmark_metrics(datasets, own),
        listener=RunProgress(shown=options.progress),
    )
    with RunStore.open(options.store) if options.store else KeepNothing() as keeper:
        return await job.run(keeper)


def as_systems(systems: Any, proxy: Any = None) -> list[System]:
    """Turn whatever a caller passes as systems into the runner's systems; no two may have the same name.

    `proxy` is one or several endpoints, which answer what the systems hand on.
    """
    several = systems if isinstance(systems, (list, tuple)) else [systems]
    proxies = proxy if isinstance(proxy, (list, tuple)) else [] if proxy is None else [proxy]
    if not several and not proxies:
        raise ConfigurationError(
            "no system given: pass a function, or an object with process(example)", parameter="systems"
        )
    endpoints = [endpoint_system(one) if isinstance(one, str) else as_system(one) for one in proxies]
    asked = chain_systems([as_system(system) for system in several], endpoints)
    names = [system.name for system in asked]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise ConfigurationError(
            f"two systems are named {repeated!r}; give each its own: -s NAME=SPEC, or the attribute `name` in Python",
            parameter="systems",
            value=repeated,
        )
    return asked


def plan_of(
    evaluators: Any,
    cases: Iterable[Case],
    judge: tuple[Any, str | Sequence[str]],
    options: Options,
    own: Sequence[Benchmark] = (),
) -> Plan:
    """Return the plan that measures the cases: the evaluators, else the defaults of the cases' datasets.

    `judge` is the model that judged evaluators ask, and its name. `own` are benchmarks that were handed over as
    objects, which no name leads to.
    """
    if evaluators is not None:
        return plan_for(evaluators, *judge, **options.judging)
    names = list(dict.fromkeys(str(case.fields.get("dataset") or "") for case in cases))
    rules = scorings(names, own)
    free_form = any(name not in rules for name in names)
    plan = Plan(*evaluators_of_datasets(rules, judged=bool(judge[0]), free_form=free_form))
    return with_judge(plan, *judge, **options.judging)


def require_measured(metrics: Sequence[Metric], plan: Plan) -> None:
    """Raise before the first call if a metric is not one, or reads a score that no evaluator gives."""
    for metric in [metrics] if isinstance(metrics, str) else metrics:
        if not isinstance(metric, Metric):
            words = f"{metric!r} is not a metric: pass an object of ringtrue.metrics, such as PassRate()"
            raise ConfigurationError(words, parameter="metrics", value=metric)
    keys = plan.keys
    if not keys:
        return  # a user's evaluator says its keys only when it has measured
    for metric in metrics:
        wanted = getattr(metric, "score_field", None)
        if wanted is not None and wanted not in (SCORE, *keys):
            raise ConfigurationError(
                f"{metric.name} reads the score {wanted!r}, which no evaluator gives; there are {', '.join(keys)}",
                parameter="score_field",
                value=wanted,
            )
