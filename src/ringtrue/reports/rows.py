"""Scored rows as lines of JSONL or CSV, or as the cells of a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Evaluator
from ringtrue.evaluators.parts import Keys, keys_of
from ringtrue.jsontext import json_bytes
from ringtrue.records import Json, Score

FORMATS = (".jsonl", ".csv", ".parquet")

PLACE = ("id", "row")
VERDICT = ("passed", "status", "reason")

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
    format: str, evaluators: Sequence[Evaluator], ids: Sequence[Id], positions: Sequence[int], columns: Columns
) -> Any:
    """A piece of the output file: bytes for JSONL and CSV, a list of records for Parquet."""
    if format == ".jsonl":
        names = [evaluator.name for evaluator in evaluators]
        return b"".join(
            json_bytes(
                {"id": own_id, "row": position + 1, "scores": dict(zip(names, map(score_record, scores), strict=True))}
            )
            + b"\n"
            for own_id, position, *scores in zip(ids, positions, *columns, strict=True)
        )
    keys = flat_keys(evaluators)
    rows = [
        flat_row(keys, own_id, position + 1, scores)
        for own_id, position, *scores in zip(ids, positions, *columns, strict=True)
    ]
    return rows if format == ".parquet" else csv_lines(rows)


def flat_keys(evaluators: Sequence[Evaluator], seen: Mapping[str, Iterable[str]] = MappingProxyType({})) -> Keys:
    """The keys of a flat file's parts; `seen` are those of evaluators that do not declare them."""
    return keys_of(seen, {evaluator.name: evaluator.keys for evaluator in evaluators}, PLACE)


def heading(keys: Keys) -> list[str]:
    """The columns of a flat file."""
    names = [*PLACE]
    for name, own in keys.items():
        names += [*own.values(), *(f"{name}.{word}" for word in VERDICT)]
    return names


def flat_row(keys: Keys, own_id: Id, row: int, scores: Sequence[Score]) -> list[Json]:
    """The cells of a row; a part that was not measured is an empty one."""
    cells: list[Json] = [str(own_id), row]
    for own, score in zip(keys.values(), scores, strict=True):
        cells += map(score.parts.get, own) if score.parts else (score.value, *[None] * (len(own) - 1))
        cells += (score.passed, score.status, score.reason)
    return cells


def score_record(score: Score) -> dict[str, Json]:
    """A score as a JSON object; what is empty is left out."""
    record: dict[str, Json] = {"value": score.value, "status": score.status, "passed": score.passed}
    for word in ("reason", "parts", "metadata"):
        if value := getattr(score, word):
            record[word] = value
    return record


def csv_lines(rows: Sequence[Sequence[Json]]) -> bytes:
    """Rows as CSV that no spreadsheet runs."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[_safe_cell(cell) for cell in row] for row in rows])
    return text.getvalue().encode("utf-8", "backslashreplace")


def _safe_cell(cell: Json) -> Json:
    # A spreadsheet runs text that begins like a formula.
    return "'" + cell if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
