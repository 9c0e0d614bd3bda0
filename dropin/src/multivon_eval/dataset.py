"""Cases from files, and to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from multivon_eval.case import AgentStep, EvalCase, ToolCall
from ringtrue.datasets.rows import read_rows
from ringtrue.errors import InputError
from ringtrue.reports.plain import plain_json
from ringtrue.reports.whole_file import Where, write_whole

__all__ = ["load", "load_csv", "load_jsonl", "save_jsonl"]

_FIELDS = {field.name for field in fields(EvalCase)}
_COLUMNS = ("input", "expected_output", "context", "tags", "case_id", "id")
_LISTS = ("tags", "conversation", "agent_trace", "expected_tool_calls")


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
            raise ValueError(
                f"the case {case.input!r} has a function as reference_output: a Callable, which no file can hold"
            )
        lines.append(plain_json(asdict(case), indent=None) + "\n")
    write_whole(path, "".join(lines).encode())


def _rows(path: Where) -> Iterator[tuple[int, dict[str, Any]]]:
    Path(path).stat()  # a missing file is Python's own error
    try:
        yield from read_rows(path)
    except InputError as error:
        raise ValueError(str(error)) from error


def _case(row: Mapping[str, Any], where: str) -> EvalCase:
    given = {("case_id" if name == "id" and "case_id" not in row else name): value for name, value in row.items()}
    unknown = sorted(given.keys() - _FIELDS)
    if unknown:
        raise ValueError(f"{where}: a case has no field {unknown[0]!r}; put it into metadata")
    if not isinstance(given.get("input"), str):
        raise ValueError(f"{where}: input must be text; got {given.get('input')!r}")
    for name in _LISTS:
        if not isinstance(given.get(name), (list, type(None))):
            raise ValueError(f"{where}: {name} must be a list; got {given[name]!r}")
    if not isinstance(given.get("metadata"), (dict, type(None))):
        raise ValueError(f"{where}: metadata must be an object; got {given['metadata']!r}")
    known = {name: value for name, value in given.items() if value is not None}
    if known.get("case_id") is not None:
        known["case_id"] = str(known["case_id"])
    try:
        if "agent_trace" in known:
            known["agent_trace"] = [_step(step) for step in known["agent_trace"]]
        return EvalCase(**known)
    except TypeError as error:
        raise ValueError(f"{where}: {error}") from error


def _step(step: Mapping[str, Any]) -> AgentStep:
    return AgentStep(**{**step, "tool_calls": [ToolCall(**call) for call in step.get("tool_calls") or ()]})
