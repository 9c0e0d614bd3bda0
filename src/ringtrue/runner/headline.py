"""The headline score of a dataset: the one that means quality, and the number a run is known by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import ringtrue.metrics as metrics
from ringtrue.datasets.catalogue.table import metric_of, proxies, scoring_of
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.built_in import FREE_FORM
from ringtrue.metrics.metric import ComputedMetric
from ringtrue.records import DatasetInfo, EvaluatorInfo
from ringtrue.runner.plan import Plan
from ringtrue.stats.row_status import headline_of
from ringtrue.stats.summarise import part_keys

if TYPE_CHECKING:
    from ringtrue.datasets.catalogue.benchmark import Benchmark


def headline_key(dataset: str, evaluators: Sequence[EvaluatorInfo], own: Sequence[Benchmark] = ()) -> str:
    """The benchmark's own metric if it is measured; else whether the answer was found; else the first evaluator's.

    `own` are benchmarks that were handed over as objects, which no name leads to.
    """
    keys = part_keys(evaluators)
    first = evaluators[0]
    measured = [key for own in keys.values() for key in own.values()]
    main = keys[first.name].get(first.main, next(iter(keys[first.name].values())))
    fallback = FREE_FORM if FREE_FORM in measured else main
    is_known = dataset and scoring_of(dataset, own) is not None
    return metric_of([dataset], [fallback, *measured], own) if is_known else fallback


def with_headlines(
    datasets: Iterable[DatasetInfo],
    evaluators: Sequence[EvaluatorInfo],
    chosen: str | None = None,
    own: Sequence[Benchmark] = (),
) -> tuple[DatasetInfo, ...]:
    """The datasets of a run, each with its headline; `chosen` is that of all of them."""
    keys = [key for found in part_keys(evaluators).values() for key in found.values()]
    if chosen is not None and headline_of(chosen, evaluators) is None and all(one.keys for one in evaluators):
        words = f"no score is named {chosen!r}; there are {', '.join(keys)}"
        raise ConfigurationError(words, parameter="headline", value=chosen)
    return tuple(
        replace(
            one,
            headline=chosen or headline_key(one.name, evaluators, own),
            proxy="" if chosen else proxies([one.name], keys, own).get(one.name, ""),
        )
        for one in datasets
    )


def benchmark_metrics(
    datasets: Iterable[DatasetInfo], own: Sequence[Benchmark] = ()
) -> dict[str, list[ComputedMetric]]:
    """Dataset -> the metrics over all its rows that its authors report beside the headline."""
    found: dict[str, list[ComputedMetric]] = {}
    for one in datasets:
        rule = scoring_of(one.name, own) if one.name else None
        for name, *arguments in rule.metrics if rule else ():
            found.setdefault(one.name, []).append(getattr(metrics, name)(*arguments))
    return found


def with_threshold(plan: Plan, datasets: Iterable[DatasetInfo], threshold: float | None) -> Plan:
    """The plan in which the headline scores pass at a threshold of the run's own."""
    if threshold is None:
        return plan
    found = (headline_of(one.headline, plan.infos) for one in datasets)
    return replace(plan, thresholds={one.evaluator: threshold for one in found if one is not None})
