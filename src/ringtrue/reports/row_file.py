"""The file that scored rows go to: it appears whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from ringtrue.errors import InputError, MissingExtra
from ringtrue.evaluators.adapt import Measuring
from ringtrue.records import Json
from ringtrue.reports.rows import csv_lines, format_of, heading


class RowFile(Protocol):
    """A file being written; it takes its name only when the block ends without an exception."""

    def __enter__(self) -> RowFile: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def write(self, piece: Any) -> None: ...


def open_rows(path: str, evaluators: Sequence[Measuring]) -> RowFile:
    """The file that rows go to."""
    kind = format_of(path)
    if not Path(path).absolute().parent.is_dir():
        raise InputError(f"cannot write {path!r}: its folder does not exist")
    if kind == ".parquet":
        return _ParquetRows(path, evaluators)
    return _ByteRows(path, csv_lines([heading(evaluators)]) if kind == ".csv" else b"")


class _ByteRows:
    def __init__(self, path: str, start: bytes = b"") -> None:
        self.path = Path(path).absolute()
        handle, self.partial = tempfile.mkstemp(prefix=f".{self.path.name}.", suffix=".partial", dir=self.path.parent)
        self.file = os.fdopen(handle, "wb")
        self.file.write(start)

    def __enter__(self) -> _ByteRows:
        return self

    def write(self, piece: Any) -> None:
        self.file.write(piece)

    def close(self) -> None:
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
            if kind is None:
                os.chmod(self.partial, 0o666 & ~_umask())
                os.replace(self.partial, self.path)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(self.partial)


class _ParquetRows(_ByteRows):
    def __init__(self, path: str, evaluators: Sequence[Measuring]) -> None:
        try:
            import pyarrow
            import pyarrow.parquet as parquet
        except ImportError as error:
            raise MissingExtra("writing Parquet", "parquet") from error
        super().__init__(path)
        kinds = {
            "row": pyarrow.int64(),
            "passed": pyarrow.bool_(),
            "status": pyarrow.string(),
            "reason": pyarrow.string(),
        }
        keys = {key for evaluator in evaluators for key in evaluator.keys}
        self.arrow = pyarrow
        self.schema = pyarrow.schema(
            [
                (name, pyarrow.float64() if name in keys else kinds.get(name.rpartition(".")[2], pyarrow.string()))
                for name in heading(evaluators)
            ]
        )
        self.table = parquet.ParquetWriter(self.file, self.schema, compression="zstd")

    def write(self, piece: Any) -> None:
        if piece:
            clean = [[_encodable(cell) for cell in row] for row in piece]
            columns = [
                self.arrow.array(cells, kind.type)
                for cells, kind in zip(zip(*clean, strict=True), self.schema, strict=True)
            ]
            self.table.write_table(self.arrow.Table.from_arrays(columns, schema=self.schema))

    def close(self) -> None:
        self.table.close()
        super().close()


def _encodable(cell: Json) -> Json:
    return cell.encode("utf-8", "backslashreplace").decode() if isinstance(cell, str) and not cell.isascii() else cell


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
