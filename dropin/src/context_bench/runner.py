"""`evaluate`: ringtrue's, its rows in the documented shape."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

import ringtrue
from context_bench._processing import Processing
from context_bench.results import EvalResult, EvalRow
from ringtrue.identity import name_of
from ringtrue.metrics import Metric


def evaluate(
    systems: Sequence[Any],
    dataset: Iterable[dict[str, Any]],
    evaluators: Sequence[Any] | None = None,
    metrics: Sequence[Metric] | None = None,
    max_examples: int | None = None,
    progress: bool = True,
    text_fields: Sequence[str] | None = None,
    max_workers: int | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
    **options: Any,
) -> EvalResult:
    """Every example through every system, scored by every evaluator, summed up by every metric.

    Without evaluators they follow from the examples' `dataset`. Tokens are those of the text fields of an example
    before and after its system. Rows are kept in `cache_dir`, and nowhere without it. Further options are those of
    `ringtrue.evaluate`.
    """
    result = ringtrue.evaluate(
        [_asked(system) for system in systems],
        dataset,
        None if evaluators is None else [_asked_for_score(evaluator) for evaluator in evaluators],
        list(metrics or ()),
        max_examples,
        progress,
        max_workers=max(1, max_workers or 1),
        **{"store": None} if cache_dir is None else {"cache_dir": cache_dir},
        **options,
    )
    return EvalResult.of(result, text_fields)


def _asked(system: Any) -> Any:
    speaks = callable(getattr(system, "process", None)) or callable(getattr(system, "process_conversation", None))
    return Processing(system) if speaks and not isinstance(system, type) else system


def _asked_for_score(evaluator: Any) -> Any:
    """An evaluator as it is; one of ringtrue with a `score` of the user's own is asked for that."""
    own = getattr(type(evaluator), "score", None)
    changed = hasattr(evaluator, "measure") and own and not own.__module__.startswith(("ringtrue.", "context_bench."))
    return _Scoring(evaluator) if changed and not isinstance(evaluator, type) else evaluator


class _Scoring:
    """An evaluator that has only its own `score`."""

    def __init__(self, evaluator: Any) -> None:
        self.name, self.evaluator = name_of(evaluator), evaluator

    def score(self, original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
        """The evaluator's own numbers."""
        numbers: dict[str, float] = self.evaluator.score(original, processed)
        return numbers


def _process_example(
    system: Any, example: dict[str, Any], index: int, evaluators: Sequence[Any], text_fields: Sequence[str] | None
) -> EvalRow:
    """One example through one system."""
    named = example if "id" in example else {"id": index, **example}
    [row] = evaluate([system], [named], evaluators, progress=False, text_fields=text_fields).rows
    assert isinstance(row, EvalRow)
    return row


def _has_rich() -> bool:
    """Whether progress can be a bar."""
    try:
        import rich  # noqa: F401
    except ImportError:
        return False
    return True
