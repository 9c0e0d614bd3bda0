"""Rows of what the Hugging Face `datasets` library hands over: Dataset, IterableDataset, and dicts of them by split."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import islice
from typing import Any

from ringtrue.datasets.files.chunks import CHUNK_ROWS, Chunk
from ringtrue.dialects.coercion import plain_row
from ringtrue.errors import ConfigurationError
from ringtrue.records import Json

_KINDS = ("Dataset", "IterableDataset", "DatasetDict", "IterableDatasetDict")


def is_handed(given: Any) -> bool:
    """Whether something is a dataset of that library, or its splits; the library is not imported to find out."""
    library = sys.modules.get("datasets")  # an object of the library means that it was imported
    kinds = [getattr(library, name, None) for name in _KINDS]
    return isinstance(given, tuple(kind for kind in kinds if isinstance(kind, type)))


def handed_rows(given: Any) -> Generator[dict[str, Json], None, None]:
    """The rows one by one, undecoded and in no format but plain values; of several splits one must be chosen."""
    given = _one_split(given)
    if hasattr(given, "decode"):  # a stream, read no further than asked and closed
        plain = given.with_format(None)
        with closing(iter(plain.decode(False) if plain.features else plain)) as rows:
            yield from map(plain_row, rows)
        return
    for table in given.with_format("arrow").iter(CHUNK_ROWS):
        yield from table.to_pylist()


def handed_chunks(given: Any) -> Iterator[Chunk]:
    """The rows in chunks, as a file's are."""
    name, position = type(given).__name__, 0
    with closing(handed_rows(given)) as rows:
        while part := tuple(enumerate(islice(rows, CHUNK_ROWS), position)):
            yield Chunk(name, position, 0, rows=part)
            position += len(part)


def _one_split(given: Any) -> Any:
    if not isinstance(given, dict):
        return given
    if len(given) != 1:
        what = f"several splits ({', '.join(given)})" if given else "no splits"
        raise ConfigurationError(
            f"the {type(given).__name__} has {what}; give one dataset, such as dataset['test']",
            parameter="dataset",
            value=list(given),
        )
    return next(iter(given.values()))
