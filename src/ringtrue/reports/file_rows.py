"""`FileRows`: the rows of a file that a command wrote with `-o`, JSONL or Parquet, read again when they are needed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from ringtrue.dialects.own_rows import record_of_cells
from ringtrue.dialects.run_record import RUN, made_from, row_from
from ringtrue.errors import AbsentFile, ConfigurationError, InputError
from ringtrue.jsontext import parse_json
from ringtrue.records import DatasetInfo, EvaluatorInfo, Json, Made, Row, SystemInfo
from ringtrue.reports.row_file import ROWS_AT_ONCE, arrow
from ringtrue.stats.row_pages import PagedRows

SUFFIXES = (".jsonl", ".parquet")
_LOOKED_AT = 100
"""How many rows are looked at to find out how they were made, in a file that does not say."""


def folder_error(name: str) -> ConfigurationError:
    """Return the error of a folder where a run is expected."""
    words = f"{name!r} is a folder without a manifest of a run; give a file of rows in it, or the id of a run"
    return ConfigurationError(words, parameter="run", value=name)


class FileRows(PagedRows):
    """The rows of a file, read again whenever they are iterated; a `count` that is not given is read, too."""

    def __init__(self, path: str | os.PathLike[str], count: int | None = None) -> None:
        self.path, self._count = Path(path), count
        if self.path.is_dir():
            raise folder_error(os.fspath(path))
        if not self.path.is_file():
            raise AbsentFile(f"there is no file {os.fspath(path)!r}; 'ringtrue list runs' shows stored runs")
        if self.path.suffix.lower() not in SUFFIXES:
            words = f"{os.fspath(path)!r} cannot be read as a run: a file of rows ends in {' or '.join(SUFFIXES)}"
            raise ConfigurationError(words, parameter="run", value=path)

    def __iter__(self) -> Iterator[Row]:
        for position, record in enumerate(self._records()):
            try:
                yield row_from(record, position)
            except InputError as error:
                raise InputError(f"{self.path}: {error}; 'ringtrue score' reads other files of answers") from error

    def __len__(self) -> int:
        return self._length

    @cached_property
    def made(self) -> Made:  # type: ignore[override]  # read from the file when it is first asked for
        """The record of how the run was made, from the file; else from what its rows show."""
        said = self.says_how
        return made_from(said) if said is not None else _made_of(list(islice(self, _LOOKED_AT)))

    @cached_property
    def _length(self) -> int:
        if self._count is not None:
            return self._count
        if self.path.suffix.lower() == ".parquet":
            return int(self._table().metadata.num_rows)
        with self.path.open("rb") as file:
            return sum(1 for line in file if line.strip())

    @cached_property
    def says_how(self) -> Mapping[str, Any] | None:
        """The file's own record of how its run was made."""
        if self.path.suffix.lower() == ".parquet":
            about = self._table().schema_arrow.metadata or {}
            return parse_json(about[RUN.encode()]) if RUN.encode() in about else None
        first = next(self._records(), {})
        return first.get(RUN) if isinstance(first.get(RUN), Mapping) else None

    def _records(self) -> Iterator[Mapping[str, Json]]:
        if self.path.suffix.lower() == ".parquet":
            yield from self._table_records()
            return
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    record = parse_json(line)
                except (ValueError, RecursionError) as error:
                    raise InputError(f"{self.path}:{number}: not JSON: {error}") from error
                if not isinstance(record, Mapping):
                    raise InputError(f"{self.path}:{number}: not a row but {type(record).__name__}")
                yield record

    def _table_records(self) -> Iterator[Mapping[str, Json]]:
        for batch in self._table().iter_batches(ROWS_AT_ONCE):
            yield from map(record_of_cells, batch.to_pylist())

    def _table(self) -> Any:
        pyarrow, parquet = arrow()
        try:
            return parquet.ParquetFile(self.path)
        except (OSError, pyarrow.ArrowException) as error:
            raise InputError(f"{self.path}: not Parquet: {error}") from error


def _made_of(rows: list[Row]) -> Made:
    evaluators = dict.fromkeys(name for row in rows for name in row.scores)
    return Made(
        datasets=tuple(DatasetInfo(name) for name in dict.fromkeys(row.dataset for row in rows)),
        systems=tuple(SystemInfo(name) for name in dict.fromkeys(row.system for row in rows)),
        evaluators=tuple(EvaluatorInfo(name) for name in evaluators),
    )
