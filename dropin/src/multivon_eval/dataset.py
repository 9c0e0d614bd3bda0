"""Cases from files, and to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ringtrue.reports.canonical import canonical_lines

from multivon_eval.case import EvalCase
from multivon_eval.case_manifest import case_from_dict, case_to_dict
from ringtrue.atomic_file import Where, write_whole
from ringtrue.datasets.files.whole_file import read_rows
from ringtrue.errors import InputError

__all__ = ["load", "load_csv", "load_jsonl", "save_jsonl"]

_COLUMNS = ("input", "expected_output", "context", "tags", "case_id", "id")


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
    write_whole(path, canonical_lines(map(case_to_dict, cases)))


def _rows(path: Where) -> Iterator[tuple[int, dict[str, Any]]]:
    Path(path).stat()  # a missing file is Python's own error
    try:
        yield from read_rows(path)
    except InputError as error:
        raise ValueError(str(error)) from error


def _case(row: Mapping[str, Any], where: str) -> EvalCase:
    given = {("case_id" if name == "id" and "case_id" not in row else name): value for name, value in row.items()}
    if given.get("case_id") is not None:
        given["case_id"] = str(given["case_id"])
    try:
        return case_from_dict(given)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
