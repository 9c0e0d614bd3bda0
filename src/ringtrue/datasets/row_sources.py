"""Rows that a Python program hands over: data frames, `datasets` objects, lists and generators of dicts."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from ringtrue.datasets.files.chunks import CHUNK_ROWS, Chunk
from ringtrue.datasets.hub.hf_objects import handed_chunks, handed_rows, is_handed
from ringtrue.dialects.coercion import plain_row
from ringtrue.errors import ConfigurationError
from ringtrue.records import Json

_FRAMES = {"pandas": ("DataFrame",), "polars": ("DataFrame", "LazyFrame"), "pyarrow": ("Table", "RecordBatch")}


def is_table(given: Any) -> bool:
    """Whether something is a data frame, an Arrow table or a dataset of the `datasets` library."""
    return is_handed(given) or _library(given) is not None


def table_rows(given: Any) -> Iterator[Any]:
    """The rows of a table as dicts; of any other iterable, its items as they are."""
    if is_handed(given):
        return handed_rows(given)
    read = {"pandas": _pandas_rows, "polars": _polars_rows, "pyarrow": _arrow_rows}.get(_library(given) or "")
    return read(given) if read else iter(given)


def row_chunks(given: Any) -> Iterator[Chunk]:
    """The rows of a table, or of an iterable of dicts, in chunks, as a file's are."""
    if is_handed(given):
        yield from handed_chunks(given)
        return
    rows = (plain_row(row) if isinstance(row, Mapping) else row for row in table_rows(given))
    position = 0
    while part := tuple(enumerate(islice(rows, CHUNK_ROWS), position)):
        yield Chunk("rows", position, 0, rows=part)
        position += len(part)


def _library(given: Any) -> str | None:
    """The library whose table it is; none is imported to find out."""
    for library, kinds in _FRAMES.items():
        module = sys.modules.get(library)  # an object of the library means that it was imported
        found = tuple(kind for name in kinds if isinstance(kind := getattr(module, name, None), type))
        if isinstance(given, found):
            return library
    return None


def _pandas_rows(frame: Any) -> Iterator[dict[str, Json]]:
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()  # an index with a name is a column
    columns = [str(column) for column in frame.columns]
    repeated = next((column for column in columns if columns.count(column) > 1), None)
    if repeated is not None:
        raise ConfigurationError(
            f"the data frame has two columns named {repeated!r}; rename one", parameter="dataset", value=repeated
        )
    whole = [_was_whole(frame.iloc[:, place]) for place in range(len(columns))]
    for start in range(0, len(frame), CHUNK_ROWS):
        part = frame.iloc[start : start + CHUNK_ROWS]
        cells = [part.iloc[:, place].tolist() for place in range(len(columns))]
        made = [[_whole(cell) for cell in column] if whole[place] else column for place, column in enumerate(cells)]
        yield from (dict(zip(columns, row, strict=True)) for row in zip(*made, strict=True))


def _was_whole(column: Any) -> bool:
    """Whether a column of floats is one of integers that pandas turned into floats to leave some out."""
    if column.dtype.kind != "f" or not column.isna().any():
        return False
    known = column.dropna()
    return bool(len(known)) and bool((known % 1 == 0).all())


def _whole(cell: float) -> int | None:
    return int(cell) if cell == cell else None


def _polars_rows(frame: Any) -> Iterator[dict[str, Json]]:
    collect = getattr(frame, "collect", None)
    yield from (collect() if callable(collect) else frame).iter_rows(named=True)


def _arrow_rows(table: Any) -> Iterator[dict[str, Json]]:
    for start in range(0, table.num_rows, CHUNK_ROWS):
        yield from table.slice(start, CHUNK_ROWS).to_pylist()


def held_rows(given: Iterable[Any]) -> Any:
    """Rows that can be read more than once: what can be read only once is held in a list."""
    return list(given) if isinstance(given, Iterator) else given


def are_rows(given: Any) -> bool:
    """Whether something is a table, or a list whose items are dicts and not files."""
    return is_table(given) or (
        isinstance(given, Iterable)
        and not isinstance(given, (str, bytes, Mapping))
        and isinstance(next(iter(given), None), Mapping)
    )
