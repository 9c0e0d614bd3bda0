"""Which score means quality in a dataset: the number a run is known by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ringtrue.datasets.catalogue.table import is_known, metric_of
from ringtrue.errors import ConfigurationError
from ringtrue.records import DatasetInfo, EvaluatorInfo
from ringtrue.runner.plan import Plan
from ringtrue.stats.row_status import headline_of
from ringtrue.stats.summarise import part_keys

FREE_FORM = "answer_found"
"""The headline of rows that have an expected answer and no benchmark metric of their own, if it is measured."""


def headline_key(dataset: str, evaluators: Sequence[EvaluatorInfo]) -> str:
    """The benchmark's own metric if it is measured; else whether the answer was found; else the first evaluator's."""
    keys = part_keys(evaluators, {})
    first = evaluators[0]
    fallback = keys[first.name].get(first.main, next(iter(keys[first.name].values())))
    measured = [key for own in keys.values() for key in own.values()]
    if dataset and is_known(dataset.partition(":")[0].partition("@")[0]):
        return metric_of([dataset.partition("@")[0]], [fallback, *measured])
    return FREE_FORM if FREE_FORM in measured else fallback


def with_headlines(
    datasets: Iterable[DatasetInfo], evaluators: Sequence[EvaluatorInfo], chosen: str | None = None
) -> tuple[DatasetInfo, ...]:
    """The datasets of a run, each with its headline; `chosen` is that of all of them."""
    if chosen is not None and headline_of(chosen, evaluators) is None and all(one.keys for one in evaluators):
        known = ", ".join(key for own in part_keys(evaluators, {}).values() for key in own.values())
        raise ConfigurationError(f"no score is named {chosen!r}; there are {known}", parameter="headline", value=chosen)
    return tuple(replace(one, headline=chosen or headline_key(one.name, evaluators)) for one in datasets)


def with_threshold(plan: Plan, datasets: Iterable[DatasetInfo], threshold: float | None) -> Plan:
    """The plan in which the headline scores pass at a threshold of the run's own."""
    if threshold is None:
        return plan
    found = (headline_of(one.headline, plan.infos) for one in datasets)
    return replace(plan, thresholds={one.evaluator: threshold for one in found if one is not None})
