"""The rows of a file that is needed whole, and `load_jsonl`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ringtrue.datasets.files.reader import read_chunks
from ringtrue.errors import InputError
from ringtrue.records import Json
from ringtrue.require import require_count


def read_rows(path: str | os.PathLike[str], encoding: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Iterate over the rows of a file with their positions; an unreadable row raises an InputError with its line."""
    for chunk in read_chunks(str(path), encoding=encoding):
        rows, problems = chunk.read()
        for problem in problems:
            raise InputError(f"{problem.where}: {problem.what}")
        yield from ((position, dict(row)) for position, row in rows)


def load_jsonl(path: str | os.PathLike[str], n: int | None = None) -> list[dict[str, Json]]:
    """Read at most `n` rows of a JSONL file; a row without an `id` gets its position. Blank lines are ignored."""
    if n is not None:
        require_count("n", n, least=0)
    found: list[dict[str, Json]] = []
    for chunk in read_chunks(str(path), "jsonl"):
        rows, problems = chunk.read()
        if problems:
            raise InputError(f"{problems[0].where}: {problems[0].what}")
        for _, row in islice(rows, None if n is None else n - len(found)):
            found.append({"id": len(found), **row})
        if n is not None and len(found) >= n:
            break
    return found
