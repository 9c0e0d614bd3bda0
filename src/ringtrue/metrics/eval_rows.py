"""Finished rows as metrics read them: all parts of all evaluators in one dict, tokens counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from ringtrue.metrics.row_tokens import Tokens
from ringtrue.records import EvalRow, Json, Made, Row, Score
from ringtrue.stats.row_status import RowVerdicts
from ringtrue.stats.summarise import numbers_by_key, part_keys

CASE_PASSED = "case_passed"
"""In a suite, the score of a row by which metrics count passes: 1 if every check passed."""


def eval_rows(rows: Sequence[Row], made: Made, text_fields: Sequence[str] | None = None) -> list[EvalRow]:
    """The rows of a run as `evaluate()` hands them to metrics."""
    keys = keys_of_rows(rows, made)
    verdicts = RowVerdicts(made)
    return [_eval_row(row, keys, verdicts, text_fields) for row in rows]


def keys_of_rows(rows: Iterable[Row], made: Made) -> Mapping[str, Mapping[str, str]]:
    """Evaluator -> part -> key in these rows."""
    seen: dict[str, dict[str, None]] = {}
    for row in rows:
        for name, score in row.scores.items():
            seen.setdefault(name, {}).update(dict.fromkeys(score.parts))
    return part_keys(made.evaluators, seen)


def _eval_row(
    row: Row,
    keys: Mapping[str, Mapping[str, str]],
    verdicts: RowVerdicts,
    text_fields: Sequence[str] | None,
) -> EvalRow:
    case, output = row.trial.case, row.trial.output
    scores, absent = _numbers(row, keys, verdicts)
    main = CASE_PASSED if verdicts.by_every_check else _headline_key(row, keys, verdicts)
    tokens = None if output.error else Tokens.of(row.trial, text_fields)
    return EvalRow(
        system=row.system,
        example_id=case.id,
        scores=scores,
        input_tokens=tokens.sent if tokens else output.input_tokens,
        output_tokens=tokens.came if tokens else output.output_tokens,
        metadata=_metadata(row),
        latency=output.latency_seconds,
        dataset=row.dataset,
        absent=absent,
        status=output.error or "ok",
        response=output.text,
        repeat=row.repeat,
        cost=output.cost,
        position=row.position,
        main=main,
        judge_cost=judge_cost(row.scores.values()),
        token_source=tokens.source if tokens else "",
        reused=row.reused,
        case_tokens=tokens.case if tokens else None,
    )


def _numbers(
    row: Row, keys: Mapping[str, Mapping[str, str]], verdicts: RowVerdicts
) -> tuple[dict[str, float], dict[str, Any]]:
    """The scores of a row by key, and the status of those that are absent."""
    scores: dict[str, float] = {}
    absent: dict[str, Any] = {}
    for name, score in row.scores.items():
        own = keys.get(name) or {name: name}
        scores.update(numbers_by_key(score, own))
        if score.value is None:
            absent.update(dict.fromkeys(own.values(), score.status))
    if verdicts.by_every_check:
        status = verdicts.status(row)
        if status in ("passed", "failed"):
            scores[CASE_PASSED] = float(status == "passed")
        else:
            absent[CASE_PASSED] = status
    return scores, absent


def _headline_key(row: Row, keys: Mapping[str, Mapping[str, str]], verdicts: RowVerdicts) -> str:
    headline = verdicts.headline(row)
    if headline is None:
        return ""
    own = keys.get(headline.evaluator) or {headline.part: headline.part}
    # A user's dict names its parts only when it comes, and its first number is its value.
    return own.get(headline.part, next(iter(own.values())))


def _metadata(row: Row) -> dict[str, Json]:
    found: dict[str, Json] = {}
    if (source := row.trial.case.fields.get("source_id")) is not None:
        found["source_id"] = source
    if row.trial.output.problem:
        found["problem"] = row.trial.output.problem
    if row.trial.output.traceback:
        found["traceback"] = row.trial.output.traceback
    if reasons := {name: score.reason for name, score in row.scores.items() if score.reason}:
        found["reasons"] = reasons
    return found


def judge_cost(scores: Iterable[Score]) -> float | None:
    """The dollars that the judges of a row cost; None if a price is unknown."""
    costs = [score.metadata.get("cost") for score in scores if score.calls]
    known = [cost for cost in costs if isinstance(cost, (int, float))]
    return fsum(known) if len(known) == len(costs) else None
