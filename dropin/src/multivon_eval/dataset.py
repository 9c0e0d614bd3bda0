"""Cases from files, and to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from os import PathLike
from pathlib import Path
from typing import Any

from multivon_eval.case import EvalCase, canonical_json, trace_from
from ringtrue.datasets import read_rows
from ringtrue.errors import InputError

Where = str | PathLike[str]

__all__ = ["load", "load_csv", "load_jsonl", "save_jsonl"]

_COLUMNS = ("input", "expected_output", "context", "tags", "case_id", "id")
_FIELDS = {field.name for field in fields(EvalCase)}
_TEXTS = ("expected_output", "context")
_LISTS = ("conversation", "agent_trace", "expected_tool_calls", "tags")


def load(path: Where) -> list[EvalCase]:
    """The cases of a file; `.csv` and `.tsv` are tables, all else are rows of JSON or JSONL, gzipped or not."""
    table = str(path).lower().removesuffix(".gz").endswith((".csv", ".tsv"))
    return load_csv(path) if table else load_jsonl(path)


def load_jsonl(path: Where) -> list[EvalCase]:
    """The cases of a file of objects, whose keys are a case's fields; `id` is short for `case_id`."""
    return [_case(row, f"{path}, row {place + 1}") for place, row in _rows(path)]


def load_csv(path: Where) -> list[EvalCase]:
    """The cases of a table: input, expected_output, context, tags (with commas), id; other columns are left out."""
    cases = []
    for place, row in _rows(path):
        known: dict[str, Any] = {name: row[name] for name in _COLUMNS if row.get(name)}
        if "tags" in known:
            known["tags"] = [tag.strip() for tag in known["tags"].split(",") if tag.strip()]
        cases.append(_case({"input": row.get("input"), **known}, f"{path}, row {place + 1}"))
    return cases


def save_jsonl(cases: Iterable[EvalCase], path: Where) -> None:
    """Write one case a line, as `load_jsonl` reads it; missing folders are made."""
    lines = []
    for case in cases:
        if callable(case.reference_output):
            raise ValueError(f"the case {case.input!r} has a function as reference_output, which no file can hold")
        lines.append(canonical_json(asdict(case)) + "\n")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes("".join(lines).encode("utf-8", "surrogatepass"))


def _rows(path: Where) -> Iterator[tuple[int, dict[str, Any]]]:
    Path(path).stat()  # a missing file is Python's own error
    try:
        yield from read_rows(path)
    except InputError as error:
        raise ValueError(str(error)) from error


def _case(row: Mapping[str, Any], where: str) -> EvalCase:
    given = {name: value for name, value in row.items() if value is not None}
    if "id" in given:
        given.setdefault("case_id", str(given.pop("id")))
    for name, kind, fits in (
        ("input", "text", isinstance(given.get("input"), str)),
        ("metadata", "an object", isinstance(given.get("metadata", {}), dict)),
        *((name, "a list", isinstance(given.get(name, []), list)) for name in _LISTS),
        *((name, "text, or a list of texts", isinstance(given.get(name, ""), (str, list))) for name in _TEXTS),
    ):
        if not fits:
            raise ValueError(f"{where}: {name} must be {kind}; got {given.get(name)!r}")
    if unknown := sorted(given.keys() - _FIELDS):
        raise ValueError(f"{where}: a case has no field {unknown[0]!r}; put it into metadata")
    try:
        return EvalCase(**{**given, "agent_trace": trace_from(given.get("agent_trace"))})
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
