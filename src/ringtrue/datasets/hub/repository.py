"""`Repository`: the files of one dataset, wherever they are."""

from __future__ import annotations

import zipfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import BinaryIO, TypeVar, cast

from ringtrue.datasets.files.arrow_table import read_arrow
from ringtrue.datasets.files.chunks import Chunk
from ringtrue.datasets.files.reader import named_format, read_parquet, read_stream
from ringtrue.errors import InputError
from ringtrue.records import Json

Result = TypeVar("Result")

IN_ARCHIVE = "!"
"""`data.zip!data/qasper.jsonl` is a member of an archive."""


class Repository(ABC):
    """Files by name, and their rows one by one; `revision` is the commit they are of, where it is known."""

    path: str
    revision: str | None = None

    @abstractmethod
    def names(self) -> list[str]:
        """The names of all files, with `/` between folders."""

    @abstractmethod
    def open(self, name: str) -> AbstractContextManager[BinaryIO]:
        """The bytes of a file; they can be read from any place on."""

    def converted_repository(self) -> Repository | None:
        """The same dataset in another form, for one whose own files hold no rows; None where there is none."""
        return None

    def ask(self, call: Callable[[], Result]) -> Result:
        """Return the result of a call that may reach the place of the files."""
        return call()

    @property
    def source(self) -> str:
        """The source of the rows, for the record: `openai/gsm8k@cc7b047…`."""
        return f"{self.path}@{self.revision or 'unknown'}"

    def rows(self, name: str, format: str | None = None) -> Iterator[dict[str, Json]]:
        """The rows of a file, or of a member of an archive, read as far as they are asked for."""
        archive, _, member = name.partition(IN_ARCHIVE)
        kind = format or named_format(name)
        kind = None if kind == "json" else kind  # on the hub a file of this name holds an array, or a row in each line
        with self.open(archive) as stream:
            if not member:
                read = {"parquet": read_parquet, "arrow": read_arrow}.get(kind or "")
                yield from _rows(read(stream, name) if read else read_stream(stream, name, kind))
                return
            with zipfile.ZipFile(stream) as files, files.open(_member(files, member, name)) as inside:
                yield from _rows(read_stream(cast(BinaryIO, inside), name, kind))

    def text(self, name: str) -> str:
        """The text of a whole file."""
        with self.open(name) as stream:
            return stream.read().decode("utf-8", "replace")


CONVERTED = "refs/convert/parquet"
"""The branch in which the hub keeps every dataset it could convert, those with a loading script among them."""


def copying(path: str, revision: str | None, folder: str) -> str:
    """The command that makes a copy of a dataset in a mirror folder."""
    at = f" --revision {revision}" if revision else ""
    return f"hf download {path} --repo-type dataset{at} --local-dir {folder}/{path}"


def _rows(chunks: Iterator[Chunk]) -> Iterator[dict[str, Json]]:
    for chunk in chunks:
        rows, problems = chunk.read()
        for problem in problems:
            raise InputError(f"{problem.where}: {problem.what}")
        yield from (row for _, row in rows)


def _member(files: zipfile.ZipFile, wanted: str, name: str) -> str:
    """The member of this name, in whatever folder the archive keeps it."""
    found = [member for member in files.namelist() if member == wanted or member.endswith(f"/{wanted}")]
    if not found:
        raise InputError(f"{name}: the archive holds {', '.join(files.namelist()[:8]) or 'nothing'}")
    return min(found, key=len)
