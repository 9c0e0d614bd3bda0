"""Stored rows as JSONL, CSV, Parquet or JUnit."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from ringtrue.evaluators.parts import Keys, numbers, part_keys
from ringtrue.jsontext import json_text
from ringtrue.records import Json, Row
from ringtrue.reports.junit import junit_xml
from ringtrue.reports.row_file import arrow, encodable
from ringtrue.reports.rows import VERDICT, csv_lines, score_record

FORMATS = ("json", "jsonl", "csv", "parquet", "junit", "markdown")


def exported(format: str, rows: Sequence[Row], suite: str, declared: Mapping[str, Sequence[str]]) -> bytes:
    """The rows in a format; `declared` are the score keys that each evaluator says it has."""
    if format == "jsonl":
        return "".join(json_text(_nested(row)) + "\n" for row in rows).encode()
    if format == "junit":
        text: str = junit_xml(rows, suite)
        return text.encode()
    keys = part_keys(rows, declared, _nested(rows[0]) if rows else ())
    flat = [_flat(row, keys) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    if format == "csv":
        return csv_lines([names, *([row.get(name) for name in names] for row in flat)])
    return _parquet(flat, names)


def _nested(row: Row) -> dict[str, Json]:
    case, output = row.trial.case, row.trial.output
    return {
        "id": case.id,
        "dataset": str(case.fields.get("dataset") or "") or None,
        "system": row.system,
        "repeat": row.repeat,
        "input": case.input,
        "expected": case.expected,
        "response": output.text,
        "error": output.error or None,
        "problem": output.problem or None,
        "latency_seconds": output.latency_seconds,
        "input_tokens": output.input_tokens,
        "output_tokens": output.output_tokens,
        "cost": output.cost,
        "scores": {name: score_record(score) for name, score in row.scores.items()},
    }


def _flat(row: Row, keys: Keys) -> dict[str, Json]:
    found = _nested(row)
    del found["scores"]
    found["id"], found["expected"] = str(found["id"]), " | ".join(found["expected"] or ())
    for name, own in keys.items():
        score = row.scores.get(name)
        found.update(dict.fromkeys(own.values()))
        found.update(numbers(score, own) if score else {})
        found.update({f"{name}.{word}": getattr(score, word, None) for word in VERDICT})
    return found


def _parquet(rows: list[dict[str, Any]], names: list[str]) -> bytes:
    pyarrow, parquet = arrow()
    columns = {name: [encodable(row.get(name)) for row in rows] for name in names}
    sink = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), sink)
    return sink.getvalue()
