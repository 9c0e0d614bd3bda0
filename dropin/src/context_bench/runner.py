"""`evaluate`: ringtrue's runner, its rows in the documented shape."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from ringtrue.api.rows import documented_rows

from context_bench._processing import Processing, by_processed, processed_of
from context_bench.results import EvalResult, EvalRow
from ringtrue.api.evaluate import Evaluation, Options, plan_of
from ringtrue.datasets.cases import read_cases
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Adapted, Measuring, as_evaluator
from ringtrue.identity import name_of, origin
from ringtrue.metrics.metric import Metric
from ringtrue.records import Case, Row
from ringtrue.records import EvalRow as NativeRow
from ringtrue.runner.plan import Plan
from ringtrue.store.database import database_url
from ringtrue.sync import run as run_blocking
from ringtrue.systems.system import Answering, as_system

_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")


def evaluate(
    systems: Sequence[Any],
    dataset: Iterable[dict[str, Any]],
    evaluators: Sequence[Any] | Plan | None = None,
    metrics: Sequence[Metric] | None = None,
    max_examples: int | None = None,
    progress: bool = True,
    text_fields: Sequence[str] | None = None,
    max_workers: int | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
) -> EvalResult:
    """Every example through every system, scored by every evaluator, summed up by every metric.

    Without evaluators they follow from the examples' `dataset`. Tokens are those of the text fields of an example
    before and after its system. Rows are kept in `cache_dir`, and nowhere without it.
    """
    cases = read_cases(dataset, max_examples)
    measured = metrics or ()
    plan = _plan(evaluators, cases)
    _require_scores(measured, plan)
    asked = [_asked(system, text_fields) for system in systems]
    _require_distinct(asked)
    options = Options(
        max_workers=max(1, max_workers or 1),
        progress=progress,
        store=None if cache_dir is None else database_url(cache_dir),
    )
    run = Evaluation(asked, cases, plan, tuple(measured), options)
    rows, timing, config = run_blocking(run.rows())
    documented = documented_rows(rows, config["keys"], config["mains"])
    shown: list[NativeRow] = [_row(row, found) for row, found in zip(rows, documented, strict=True)]
    found = EvalResult.of(shown, [system.name for system in asked], measured, timing, config)
    assert isinstance(found, EvalResult)
    return found


def _plan(evaluators: Sequence[Any] | Plan | None, cases: Sequence[Case]) -> Plan:
    if evaluators is None or isinstance(evaluators, Plan):
        return plan_of(evaluators, cases)
    return Plan(tuple(map(_measuring, evaluators)))


def _measuring(evaluator: Any) -> Measuring:
    """An evaluator of ringtrue as it is; any other one is asked with the dict its system returned."""
    score = getattr(evaluator, "score", None)
    own = getattr(type(evaluator), "score", None)
    ours = isinstance(evaluator, Measuring) and getattr(own, "__module__", "").startswith("ringtrue.")
    if ours or not callable(score) or isinstance(evaluator, type):
        return as_evaluator(evaluator)
    return Adapted(name_of(evaluator), score, by_processed, origin(evaluator))


def _asked(system: Any, text_fields: Sequence[str] | None) -> Answering:
    speaks = callable(getattr(system, "process", None)) or callable(getattr(system, "process_conversation", None))
    return Processing(system, text_fields) if speaks and not isinstance(system, type) else as_system(system)


def _require_distinct(systems: Sequence[Answering]) -> None:
    names = [system.name for system in systems]
    if not names:
        raise ConfigurationError("no system given", parameter="systems")
    if repeated := [name for name in names if names.count(name) > 1]:
        words = f"two systems are named {repeated[0]!r}; give them different names"
        raise ConfigurationError(words, parameter="systems", value=repeated[0])


def _require_scores(metrics: Sequence[Metric], plan: Plan) -> None:
    if not all(hasattr(evaluator, "parts") for evaluator in plan.evaluators):
        return  # a user's evaluator says its keys only when it has measured
    known = {"score", *(key for evaluator in plan.evaluators for key in evaluator.keys)}
    for metric in metrics:
        field = getattr(metric, "score_field", None)
        if field is not None and field not in known:
            words = f"{metric.name} reads the score {field!r}, which no evaluator gives; there are {sorted(known)}"
            raise ConfigurationError(words, parameter="score_field", value=field)


def _row(row: Row, shown: NativeRow) -> EvalRow:
    values = {item.name: getattr(shown, item.name) for item in fields(shown)}
    usage = processed_of(row.trial).get("api_usage")
    if isinstance(usage, Mapping) and usage:
        values["metadata"] = {**shown.metadata, **{name: usage.get(name, 0) for name in _COUNTS}}
    return EvalRow(**values)


def _process_example(
    system: Any, example: dict[str, Any], index: int, evaluators: Sequence[Any], text_fields: Sequence[str] | None
) -> NativeRow:
    """One example through one system."""
    named = example if "id" in example else {"id": index, **example}
    return evaluate([system], [named], evaluators, progress=False, text_fields=text_fields).rows[0]


def _has_rich() -> bool:
    """Whether progress can be a bar."""
    try:
        import rich  # noqa: F401
    except ImportError:
        return False
    return True
