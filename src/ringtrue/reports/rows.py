"""Scored rows as lines of JSONL or CSV, or as the cells of a table."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Measuring
from ringtrue.records import Json, Score

FORMATS = (".jsonl", ".csv", ".parquet")

Id = str | int
Columns = Sequence[Sequence[Score]]


def format_of(path: str) -> str:
    """The format an output file's name asks for."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ConfigurationError(
            f"cannot tell the format of {path!r}; end its name in {', '.join(FORMATS)}", parameter="output", value=path
        )
    return suffix


def encode(
    format: str, evaluators: Sequence[Measuring], ids: Sequence[Id], positions: Sequence[int], columns: Columns
) -> Any:
    """A piece of the output file: bytes for JSONL and CSV, a list of records for Parquet."""
    if format == ".jsonl":
        names = [evaluator.name for evaluator in evaluators]
        return b"".join(
            _json_line(
                {"id": own_id, "row": position + 1, "scores": dict(zip(names, map(score_record, scores), strict=True))}
            )
            for own_id, position, *scores in zip(ids, positions, *columns, strict=True)
        )
    rows = [
        _flat(evaluators, own_id, position, scores)
        for own_id, position, *scores in zip(ids, positions, *columns, strict=True)
    ]
    return rows if format == ".parquet" else csv_lines(rows)


def heading(evaluators: Sequence[Measuring]) -> list[str]:
    """The columns of a flat file."""
    names = ["id", "row"]
    for evaluator in evaluators:
        names += [*evaluator.keys, *(f"{evaluator.name}.{word}" for word in ("passed", "status", "reason"))]
    return names


def score_record(score: Score) -> dict[str, Json]:
    """A score as a JSON object; what is empty is left out."""
    record: dict[str, Json] = {"value": score.value, "status": score.status, "passed": score.passed}
    for word in ("reason", "parts", "metadata"):
        if value := getattr(score, word):
            record[word] = value
    return record


def _json_line(record: Json) -> bytes:
    try:
        return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS)
    except TypeError:
        # Lone surrogates and integers beyond 64 bits: the standard writer escapes the one and prints the other.
        return json.dumps(record, default=repr).encode() + b"\n"


def _flat(evaluators: Sequence[Measuring], own_id: Id, position: int, scores: Sequence[Score]) -> list[Json]:
    cells: list[Json] = [str(own_id), position + 1]
    for evaluator, score in zip(evaluators, scores, strict=True):
        numbers: list[float | None] = list(score.parts.values()) or [score.value]
        cells += (numbers + [None] * len(evaluator.keys))[: len(evaluator.keys)]
        cells += [score.passed, score.status, score.reason]
    return cells


def csv_lines(rows: Sequence[Sequence[Json]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[_safe_cell(cell) for cell in row] for row in rows])
    return text.getvalue().encode("utf-8", "backslashreplace")


def _safe_cell(cell: Json) -> Json:
    # A spreadsheet runs text that begins like a formula.
    return "'" + cell if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
