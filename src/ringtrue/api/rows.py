"""Finished rows in the documented shape: all parts of all evaluators in one dict, tokens counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ringtrue.models.tokens import count
from ringtrue.records import EvalRow, Json, Row, Trial
from ringtrue.reports.keys import Keys, numbers, part_keys


def documented_rows(
    rows: Sequence[Row], declared: Mapping[str, Sequence[str]], text_fields: Sequence[str] | None = None
) -> list[EvalRow]:
    """The rows; `declared` are the score keys that each evaluator says it has."""
    keys = part_keys(rows, declared)
    return [_documented(_counted(row, text_fields), keys) for row in rows]


def _documented(row: Row, keys: Keys) -> EvalRow:
    case, output = row.trial.case, row.trial.output
    scores: dict[str, float] = {}
    absent: dict[str, Any] = {}
    for name, score in row.scores.items():
        own = keys.get(name) or {name: name}
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
    return EvalRow(
        row.system,
        case.id,
        scores,
        output.input_tokens,
        output.output_tokens,
        metadata,
        output.latency_seconds,
        str(case.fields.get("dataset") or ""),
        absent,
        output.error or "ok",
        output.text,
        row.repeat,
        output.cost,
        row.position,
    )


def _counted(row: Row, text_fields: Sequence[str] | None) -> Row:
    """A row whose tokens are counted."""
    output = row.trial.output
    if output.error or (output.input_tokens is not None and output.output_tokens is not None):
        return row
    sent, came = trial_tokens(text_fields, row.trial)
    whole = replace(output, input_tokens=sent, output_tokens=came)
    return replace(row, trial=replace(row.trial, output=whole))


def trial_tokens(text_fields: Sequence[str] | None, trial: Trial) -> tuple[int, int]:
    """The tokens that were sent and that came: as the system reported them, else by a tokenizer."""
    case, output = trial.case, trial.output
    sent, came = output.input_tokens, output.output_tokens
    if sent is None:
        texts = (
            [str(case.fields.get(name) or "") for name in text_fields] if text_fields else [case.context, case.input]
        )
        sent = sum(count(text).count for text in texts)
    return sent, count(output.text).count if came is None else came
