"""`ChainedLog`: a file of records that hold each other, so that a record that was changed or taken out is missed."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

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
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            last = _last_line(file)
            chained = {**record, "prev_hash": _hash_after(last)}
            found = _hash(chained)
            line = json.dumps({**chained, "record_hash": found}, separators=(",", ":"), allow_nan=False)
            torn = last and not last.endswith(b"\n")
            file.write(b"\n" * bool(torn) + f"{line}\n".encode())
            file.flush()
            os.fsync(file.fileno())
        return found

    def links(self) -> Iterator[Link]:
        """The records in their order; one that does not hold the record before it tells that one is missing.

        A record without `prev_hash` is of a time before there were chains, and stands for itself.
        """
        before = GENESIS
        for line in self.path.read_bytes().splitlines() if self.path.exists() else ():
            if not line.strip():
                continue
            record = _read(line)
            if record is None:
                yield Link({}, "unreadable")
                continue
            sound = _hash(record) == record.get("record_hash")
            follows = record.get("prev_hash", before) == before
            yield Link(record, "changed" if not sound else "" if follows else "broken")
            before = _hash(record)


def _hash(record: Mapping[str, Json]) -> str:
    content = {name: value for name, value in record.items() if name != "record_hash"}
    return hashlib.sha256(json.dumps(content, separators=(",", ":"), allow_nan=False).encode()).hexdigest()


def _last_line(file: BinaryIO) -> bytes:
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
