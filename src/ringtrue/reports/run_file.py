"""A file of rows as a `Run`: what any command wrote with `-o`, JSONL or Parquet."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from ringtrue.errors import InputError
from ringtrue.records import Run
from ringtrue.reports.file_rows import SUFFIXES, FileRows
from ringtrue.runner.run_from_rows import RunSums


def is_row_file(name: str) -> bool:
    """Whether a name is that of a file, readable as rows or not, and not a run's id."""
    suffix = Path(name).suffix.lower()
    return suffix in SUFFIXES or os.sep in name or (suffix != "" and Path(name).is_file())


def holds_run(name: str) -> bool:
    """Whether a file is one that a command wrote with `-o`: it says how its rows were made."""
    if Path(name).suffix.lower() not in SUFFIXES or not Path(name).is_file():
        return False
    try:
        return FileRows(name).says_how is not None
    except InputError:
        return False


def read_run(path: str | os.PathLike[str]) -> Run:
    """The run whose rows a file holds; its summaries are made again from the rows, piece by piece."""
    rows = FileRows(path)
    sums = RunSums(rows.made, metrics=rows.made.job != "score")
    sums.add(rows)
    return replace(sums.run(rows), unasked_count=rows.made.unasked_count(len(rows)))
