"""The facts about evaluators that a run keeps: names, signatures, thresholds, and the keys of their parts in a row."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ringtrue.evaluators.adapt import Evaluator
from ringtrue.records import DEFAULT_THRESHOLD, EvaluatorInfo
from ringtrue.require import is_number


def evaluator_info(evaluator: Evaluator, signature: str = "") -> EvaluatorInfo:
    """Return the recipe of an evaluator's numbers, and the keys under which a row has them."""
    parts: Sequence[str] = getattr(evaluator, "parts", ())
    counts: Collection[str] = getattr(evaluator, "counts", ())
    return EvaluatorInfo(
        name=evaluator.name,
        signature=signature or evaluator.signature(),
        threshold=threshold_of(evaluator),
        keys=dict(zip(parts, evaluator.keys, strict=False)),
        main=main_part(evaluator),
        counts=tuple(counts),
    )


def main_part(evaluator: Evaluator) -> str:
    """The part an evaluator's verdict is about."""
    parts: Sequence[str] = getattr(evaluator, "parts", ())
    return getattr(evaluator, "main", "") or (parts[0] if parts else evaluator.name)


def threshold_of(evaluator: Evaluator) -> float:
    """The score from which on an evaluator passes."""
    found = getattr(evaluator, "threshold", None)
    return float(found) if is_number(found) and 0 <= found <= 1 else DEFAULT_THRESHOLD
