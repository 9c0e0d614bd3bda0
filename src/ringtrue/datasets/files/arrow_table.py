"""Arrow files, and the folders that `Dataset.save_to_disk` leaves: IPC streams and a note of which they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from ringtrue.datasets.files.chunks import CHUNK_ROWS, Chunk
from ringtrue.errors import InputError, MissingExtra

STATE = "state.json"
"""Lists the files of a saved dataset, in order."""

SPLITS = "dataset_dict.json"
"""Lists the splits of several saved datasets, each in a folder of its own."""

_FILE_MAGIC = b"ARROW1"


def is_saved(folder: Path) -> bool:
    """Whether a folder is one that `save_to_disk` left, of one dataset or of several splits."""
    return (folder / STATE).is_file() or (folder / SPLITS).is_file()


def read_saved(folder: Path) -> Iterator[Chunk]:
    """The chunks of a saved dataset; of several splits one must be named, unless there is only one."""
    if not (folder / STATE).is_file():
        splits = [str(split) for split in _note(folder / SPLITS).get("splits") or ()]
        if len(splits) != 1:
            named = ", ".join(str(folder / split) for split in splits) or "none"
            raise InputError(f"{folder} holds several splits; give one of {named}")
        folder = folder / _inside(folder, splits[0])
    position = 0
    for item in _note(folder / STATE).get("_data_files") or ():
        file = folder / _inside(folder, item.get("filename") if isinstance(item, dict) else item)
        for chunk in read_arrow(str(file), str(folder), position):
            position += len(chunk.rows)
            yield chunk


def read_arrow(source: str | BinaryIO, name: str, position: int = 0) -> Iterator[Chunk]:
    """The chunks of an Arrow file or stream, batch after batch, counted from a position."""
    try:
        import pyarrow as arrow
    except ImportError as error:
        raise MissingExtra("reading Arrow", "parquet") from error
    try:
        with arrow.memory_map(source) if isinstance(source, str) else arrow.PythonFile(source, "r") as file:
            for batch in _batches(file, arrow):
                for start in range(0, batch.num_rows, CHUNK_ROWS):
                    part = batch.slice(start, CHUNK_ROWS)
                    rows = tuple(enumerate(part.to_pylist(), position))
                    yield Chunk(name, position, part.nbytes, rows=rows)
                    position += len(rows)
    except FileNotFoundError as error:
        raise InputError(f"{source} is not there, and {name} says it is") from error
    except (arrow.ArrowException, OSError) as error:
        raise InputError(f"{name} is not an Arrow file that can be read: {error}") from error


def _batches(file: Any, arrow: Any) -> Iterator[Any]:
    if file.read(len(_FILE_MAGIC)) != _FILE_MAGIC:
        file.seek(0)
        yield from arrow.ipc.open_stream(file)
        return
    table = arrow.ipc.open_file(file)
    yield from map(table.get_batch, range(table.num_record_batches))


def _note(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise InputError(f"{path} is not a note of save_to_disk: it holds no object")
    return found


def _inside(folder: Path, name: object) -> str:
    if not isinstance(name, str) or Path(name).name != name:
        raise InputError(f"{folder} names {name!r} as a part of it, which is not a file name")
    return name
