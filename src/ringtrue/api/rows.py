"""Finished rows in the documented shape: all parts of all evaluators in one dict, tokens counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from ringtrue.api.quality import Quality, quality_by_benchmark
from ringtrue.api.row_tokens import Tokens
from ringtrue.evaluators.parts import Keys, numbers, part_keys
from ringtrue.records import EvalRow, Json, Row, Score
from ringtrue.runner.budget import Budget


def documented_rows(
    rows: Sequence[Row],
    declared: Mapping[str, Sequence[str]],
    mains: Mapping[str, str] | None = None,
    text_fields: Sequence[str] | None = None,
) -> list[EvalRow]:
    """The rows; `declared` are the score keys that each evaluator says it has, `mains` those its verdict is about."""
    keys = part_keys(rows, declared)
    meaning = cache(partial(_meaning, quality_by_benchmark(), keys, mains or {}))
    return [_documented(row, keys, meaning, text_fields) for row in rows]


def _meaning(quality: Quality, keys: Keys, mains: Mapping[str, str], dataset: str, evaluators: tuple[str, ...]) -> str:
    """The key of the score that means quality: the benchmark's own metric, else what the first verdict is about."""
    own = [key for name in evaluators for key in _own(keys, name).values()]
    first = mains.get(evaluators[0], "") if evaluators else ""
    return quality(dataset, [first, *own] if first in own else own) if own else ""


def _own(keys: Keys, name: str) -> Mapping[str, str]:
    return keys.get(name) or {name: name}


def _documented(
    row: Row, keys: Keys, meaning: Callable[[str, tuple[str, ...]], str], text_fields: Sequence[str] | None
) -> EvalRow:
    case, output = row.trial.case, row.trial.output
    scores: dict[str, float] = {}
    absent: dict[str, Any] = {}
    for name, score in row.scores.items():
        own = _own(keys, name)
        scores.update(numbers(score, own))
        if score.value is None:
            absent.update(dict.fromkeys(own.values(), score.status))
    metadata: dict[str, Json] = {}
    if case.fields.get("source_id") is not None:
        metadata["source_id"] = case.fields["source_id"]
    if output.problem:
        metadata["problem"] = output.problem
    reasons = {name: score.reason for name, score in row.scores.items() if score.reason}
    if reasons:
        metadata["reasons"] = reasons
    tokens = None if output.error else Tokens.of(row.trial, text_fields)
    dataset = str(case.fields.get("dataset") or "")
    return EvalRow(
        row.system,
        case.id,
        scores,
        tokens.sent if tokens else output.input_tokens,
        tokens.came if tokens else output.output_tokens,
        metadata,
        output.latency_seconds,
        dataset,
        absent,
        output.error or "ok",
        output.text,
        row.repeat,
        output.cost,
        row.position,
        meaning(dataset, tuple(row.scores)),
        _judge_cost(row.scores.values()),
        tokens.source if tokens else "",
    )


def _judge_cost(scores: Iterable[Score]) -> float | None:
    budget = Budget()
    budget.judged(scores)
    return None if budget.unpriced else budget.judge_cost
