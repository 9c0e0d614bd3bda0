"""`ChainedLog`: a file of records that hold each other, so that a record that was changed or taken out is missed."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from errno import ENOSPC
from io import FileIO
from pathlib import Path
from typing import Literal, TypeAlias

from ringtrue.errors import InputError
from ringtrue.records import Json

GENESIS = "0" * 64
"""What the first record holds instead of the hash of one before it."""

BLOCK_BYTES = 65_536

Fault: TypeAlias = Literal["", "unreadable", "changed", "broken"]


@dataclass(frozen=True, slots=True)
class Link:
    """A record as it stands in the log, and what is wrong: it cannot be read, is changed, or follows another one."""

    record: Mapping[str, Json]
    fault: Fault = ""


@dataclass(frozen=True)
class ChainedLog:
    """A log of JSON lines, each with the SHA-256 of the one before it and of itself.

    Whoever can write to the file can write all of it anew: keep the last hash elsewhere.
    """

    path: Path

    def append(self, record: Mapping[str, Json]) -> str:
        """Add a record and return its hash; it is on disk before this returns, and no other writer comes between."""
        if taken := record.keys() & {"prev_hash", "record_hash"}:
            raise InputError(f"the log writes {' and '.join(sorted(taken))} itself")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b", buffering=0) as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                last = _last_line(file)
                chained = {**record, "prev_hash": _hash_after(last)}
                found = _hash(chained)
                line = json.dumps({**chained, "record_hash": found}, separators=(",", ":"), allow_nan=False)
                torn = last and not last.endswith(b"\n")
                _append_whole(file, b"\n" * bool(torn) + f"{line}\n".encode())
        except OSError as error:
            raise InputError(f"cannot write {str(self.path)!r}: {error.strerror or error}") from error
        return found

    def links(self) -> Iterator[Link]:
        """The records in their order, and what is wrong with each; none where there is no file."""
        try:
            with self.path.open("rb") as file:
                yield from linked(file)
        except FileNotFoundError:
            return
        except OSError as error:
            raise InputError(f"cannot read {str(self.path)!r}: {error.strerror or error}") from error


def linked(lines: Iterable[bytes]) -> Iterator[Link]:
    """The records of lines; one that does not hold the record before it tells that one is missing.

    A record without `prev_hash` is of a time before there were chains, and stands for itself.
    """
    before = GENESIS
    for line in lines:
        if not line.strip():
            continue
        record = _read(line)
        try:
            found = None if record is None else _hash(record)
        except (ValueError, RecursionError):  # a number beyond every float, or too many brackets
            found = None
        if record is None or found is None:
            yield Link({}, "unreadable")
            continue
        follows = record.get("prev_hash", before) == before
        yield Link(record, "changed" if found != record.get("record_hash") else "" if follows else "broken")
        before = found


def _hash(record: Mapping[str, Json]) -> str:
    content = {name: value for name, value in record.items() if name != "record_hash"}
    return hashlib.sha256(json.dumps(content, separators=(",", ":"), allow_nan=False).encode()).hexdigest()


def _append_whole(file: FileIO, data: bytes) -> None:
    """Write all of it at the end and onto the disk, or nothing."""
    end = file.seek(0, os.SEEK_END)
    try:
        if file.write(data) < len(data):
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        os.fsync(file.fileno())
    except OSError:
        with suppress(OSError):
            file.truncate(end)
        raise


def _last_line(file: FileIO) -> bytes:
    """The last line with its end, if it has one; only the end of a long log is read."""
    at, end = file.seek(0, os.SEEK_END), b""
    while at > 0 and b"\n" not in end.rstrip(b"\n"):
        size = min(BLOCK_BYTES, at)
        at = file.seek(at - size)
        end = file.read(size) + end
    return end.rstrip(b"\n").rpartition(b"\n")[2] + (b"\n" if end.endswith(b"\n") else b"")


def _hash_after(line: bytes) -> str:
    """What the next record holds; after a line that cannot be read, what no record has: the chain shows the break."""
    if not line.strip():
        return GENESIS
    return str((_read(line) or {}).get("record_hash", hashlib.sha256(line).hexdigest()))


def _read(line: bytes) -> dict[str, Json] | None:
    try:
        record = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _refuse(name: str) -> None:
    raise ValueError(name)
