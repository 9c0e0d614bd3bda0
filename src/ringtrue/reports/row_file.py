"""The file that scored rows go to: it appears whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from ringtrue.atomic_file import check_place
from ringtrue.errors import ConfigurationError, InputError, MissingExtra
from ringtrue.evaluators.adapt import Evaluator
from ringtrue.evaluators.parts import Keys
from ringtrue.jsontext import parse_json
from ringtrue.records import Json, Score
from ringtrue.reports.rows import csv_lines, flat_keys, flat_row, format_of, heading

ROWS_AT_ONCE = 1_000


class RowFile(Protocol):
    """A file being written; it takes its name only when the block ends without an exception."""

    def __enter__(self) -> RowFile: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def write(self, piece: Any) -> None: ...


def open_rows(path: str, evaluators: Sequence[Evaluator]) -> RowFile:
    """The file that rows go to, in pieces of its `piece_format`."""
    kind = format_of(path)
    check_place(path, "output")
    if not Path(path).absolute().parent.is_dir():
        raise ConfigurationError(f"cannot write {path!r}: its folder does not exist", parameter="output", value=path)
    if kind == ".parquet":
        arrow()
    if kind == ".jsonl":
        return _ByteRows(path)
    return _Spooled(path, evaluators) if _is_open(evaluators) else _flat_rows(path, flat_keys(evaluators))


def piece_format(path: str, evaluators: Sequence[Evaluator]) -> str:
    """The format of the pieces that a file wants: columns that nobody knows before the last row wait as JSON lines."""
    kind = format_of(path)
    return ".jsonl" if _is_open(evaluators) else kind


def _is_open(evaluators: Sequence[Evaluator]) -> bool:
    """Whether there is an evaluator whose parts are known from its scores alone."""
    return not all(hasattr(evaluator, "parts") for evaluator in evaluators)


def _flat_rows(path: str, keys: Keys) -> _ByteRows:
    if format_of(path) == ".parquet":
        return _ParquetRows(path, keys)
    return _ByteRows(path, csv_lines([heading(keys)]))


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """A disk that is full or gone is no fault of a row: it ends the run with a message."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


class _ByteRows:
    def __init__(self, path: str, start: bytes = b"") -> None:
        self.path = Path(path).absolute()
        with _writing(self.path):
            handle, self.partial = tempfile.mkstemp(
                prefix=f".{self.path.name}.", suffix=".partial", dir=self.path.parent
            )
        self.file = os.fdopen(handle, "w+b")
        self.file.write(start)

    def __enter__(self) -> Self:
        return self

    def write(self, piece: Any) -> None:
        with _writing(self.path):
            self.file.write(piece)

    def finish(self) -> None:
        """Write what is still to be written."""
        self.file.flush()
        os.fsync(self.file.fileno())

    def leave(self) -> None:
        """Let go of the file, whatever has become of it."""
        with suppress(OSError):  # a full disk is told of once
            self.file.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                with _writing(self.path):
                    self.finish()
                    os.chmod(self.partial, 0o666 & ~_umask())
                    os.replace(self.partial, self.path)
        finally:
            self.leave()
            with suppress(FileNotFoundError):
                os.unlink(self.partial)


class _ParquetRows(_ByteRows):
    def __init__(self, path: str, keys: Keys) -> None:
        self.arrow, parquet = arrow()
        super().__init__(path)
        kinds = {"row": self.arrow.int64(), "passed": self.arrow.bool_()}
        numbers = {key for own in keys.values() for key in own.values()}
        self.schema = self.arrow.schema(
            [
                (
                    name,
                    self.arrow.float64()
                    if name in numbers
                    else kinds.get(name.rpartition(".")[2], self.arrow.string()),
                )
                for name in heading(keys)
            ]
        )
        self.waiting: list[Sequence[Json]] = []
        self.table = parquet.ParquetWriter(self.file, self.schema, compression="zstd")

    def write(self, piece: Any) -> None:
        self.waiting += piece
        if len(self.waiting) >= ROWS_AT_ONCE:
            with _writing(self.path):
                self.flush()

    def flush(self) -> None:
        if self.waiting:
            clean = [[encodable(cell) for cell in row] for row in self.waiting]
            columns = [
                self.arrow.array(cells, kind.type)
                for cells, kind in zip(zip(*clean, strict=True), self.schema, strict=True)
            ]
            self.table.write_table(self.arrow.Table.from_arrays(columns, schema=self.schema))
            self.waiting = []

    def finish(self) -> None:
        self.flush()
        self.table.close()
        super().finish()

    def leave(self) -> None:
        with suppress(OSError, self.arrow.ArrowException):  # it still writes its end, where that has not happened
            self.table.close()
        super().leave()


class _Spooled:
    """Keeps rows as JSON lines beside the file until their columns are known, and then writes them."""

    def __init__(self, path: str, evaluators: Sequence[Evaluator]) -> None:
        self.path, self.evaluators = path, evaluators
        self.spool = tempfile.TemporaryFile(dir=Path(path).absolute().parent)  # noqa: SIM115 (closed in __exit__)

    def __enter__(self) -> Self:
        return self

    def write(self, piece: Any) -> None:
        with _writing(Path(self.path)):
            self.spool.write(piece)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self.spool:
            if kind is None:
                self._unroll()

    def _unroll(self) -> None:
        seen: dict[str, dict[str, None]] = {evaluator.name: {} for evaluator in self.evaluators}
        for record in self._records():
            for name, score in record["scores"].items():
                seen[name].update(dict.fromkeys(score.get("parts", ())))
        keys = flat_keys(self.evaluators, seen)
        rows = (
            flat_row(keys, record["id"], record["row"], [Score(**record["scores"][name]) for name in keys])
            for record in self._records()
        )
        with _flat_rows(self.path, keys) as file:
            while part := list(islice(rows, ROWS_AT_ONCE)):
                file.write(part if isinstance(file, _ParquetRows) else csv_lines(part))

    def _records(self) -> Iterator[dict[str, Json]]:
        self.spool.seek(0)
        return map(parse_json, self.spool)


def arrow() -> tuple[Any, Any]:
    """pyarrow and its Parquet."""
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise MissingExtra("writing Parquet", "parquet") from error
    return pyarrow, parquet


def encodable(cell: Json) -> Json:
    """A cell that UTF-8 can hold: half a surrogate pair is escaped."""
    return cell.encode("utf-8", "backslashreplace").decode() if isinstance(cell, str) and not cell.isascii() else cell


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
