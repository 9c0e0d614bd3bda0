"""The rows of a file that is needed whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ringtrue.datasets.files.reader import read_chunks
from ringtrue.errors import InputError


def read_rows(path: str | os.PathLike[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each row with its position; a row that cannot be read is an InputError with its place."""
    for chunk in read_chunks(str(path)):
        rows, problems = chunk.read()
        for problem in problems:
            raise InputError(f"{problem.where}: {problem.what}")
        yield from ((position, dict(row)) for position, row in rows)
