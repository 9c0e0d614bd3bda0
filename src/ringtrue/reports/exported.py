"""Stored rows as JSONL, CSV, Parquet or JUnit."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from ringtrue.errors import MissingExtra
from ringtrue.records import Json, Row
from ringtrue.reports.junit import junit_xml
from ringtrue.reports.plain import plain_json
from ringtrue.reports.rows import csv_lines, score_record

FORMATS = ("json", "jsonl", "csv", "parquet", "junit", "markdown")


def exported(format: str, rows: Sequence[Row], suite: str) -> bytes:
    """The rows in a format."""
    if format == "jsonl":
        return "".join(plain_json(_nested(row), indent=None) + "\n" for row in rows).encode()
    if format == "junit":
        text: str = junit_xml(rows, suite)
        return text.encode()
    flat = [_flat(row) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    if format == "csv":
        return csv_lines([names, *([row.get(name) for name in names] for row in flat)])
    return _parquet(flat, names)


def _nested(row: Row) -> dict[str, Json]:
    case, output = row.trial.case, row.trial.output
    return {
        "id": case.id,
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


def _flat(row: Row) -> dict[str, Json]:
    found = _nested(row)
    scores = found.pop("scores")
    found["id"], found["expected"] = str(found["id"]), " | ".join(found["expected"] or ())
    for name, score in scores.items():
        for part, value in score.get("parts", {name: score["value"]}).items():
            found[part] = value
        for word in ("passed", "status", "reason"):
            found[f"{name}.{word}"] = score.get(word)
    return found


def _parquet(rows: list[dict[str, Any]], names: list[str]) -> bytes:
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise MissingExtra("writing Parquet", "parquet") from error
    clean = [
        {key: v.encode("utf-8", "backslashreplace").decode() if isinstance(v, str) else v for key, v in row.items()}
        for row in rows
    ]
    sink = io.BytesIO()
    parquet.write_table(pyarrow.table({name: [row.get(name) for row in clean] for name in names}), sink)
    return sink.getvalue()
