"""From how datasets are scored, as the catalogue says, to the evaluators that measure their rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Evaluator, as_evaluator
from ringtrue.evaluators.built_in import EVERYWHERE, FREE_FORM
from ringtrue.evaluators.spec import build
from ringtrue.records import Case

JUDGE = "llm_judge"


class ScoredBy(Protocol):
    """The interface of a dataset's scoring; `ringtrue.datasets.catalogue.benchmark.ScoringRule` is one."""

    @property
    def evaluators(self) -> tuple[Any, ...]: ...

    @property
    def headline(self) -> str: ...

    @property
    def judged(self) -> tuple[str, ...]: ...


def evaluators_of_datasets(
    scorings: Mapping[str, ScoredBy], *, judged: bool = False, free_form: bool = False
) -> tuple[tuple[Evaluator, ...], Mapping[str, Callable[[Case], bool]]]:
    """The evaluators of datasets by name, `answer_quality` first, and which of them measure only the rows of some.

    `judged` adds the evaluators that ask a judge, and beside them the `llm_judge` that every dataset then gets. A
    headline that no evaluator of its dataset gives raises. `free_form` adds `answer_found` for the rows of no
    benchmark: their headline.
    """
    everywhere = build(EVERYWHERE)
    built: dict[Any, Evaluator] = {}
    meant: dict[str, frozenset[str]] = {}
    for dataset, scoring in scorings.items():
        specs = [*scoring.evaluators, *(scoring.judged if judged else ())]
        for spec in dict.fromkeys(specs):
            if spec != EVERYWHERE:
                built.setdefault(spec, build(spec) if isinstance(spec, str) else as_evaluator(spec))
                meant[built[spec].name] = meant.get(built[spec].name, frozenset()) | {dataset}
        _require_headline(dataset, scoring, [everywhere, *(built[spec] for spec in specs if spec in built)])
    if free_form:
        built[FREE_FORM] = build(FREE_FORM)
    if judged and any(scoring.judged for scoring in scorings.values()):
        built.setdefault(JUDGE, build(JUDGE))
    only = {name: partial(_is_of, names) for name, names in meant.items()}
    if free_form and scorings:
        only[FREE_FORM] = partial(_is_of_none, frozenset(scorings))
    return (everywhere, *built.values()), only


def _require_headline(dataset: str, scoring: ScoredBy, evaluators: list[Evaluator]) -> None:
    keys = [key for evaluator in evaluators for key in evaluator.keys]
    if scoring.headline and scoring.headline not in keys:
        raise ConfigurationError(
            f"{dataset}: the metric {scoring.headline!r} is given by none of its evaluators; they give "
            f"{', '.join(keys)}",
            parameter="metric",
            value=scoring.headline,
        )


def _is_of_none(datasets: frozenset[str], case: Case) -> bool:
    return not _is_of(datasets, case)


def _is_of(datasets: frozenset[str], case: Case) -> bool:
    return str(case.fields.get("dataset", "")) in datasets
