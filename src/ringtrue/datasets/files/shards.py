"""Shards: files by pattern, here or in object storage, which fsspec reads."""

from __future__ import annotations

import glob
import gzip
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from ringtrue.errors import AbsentFile, MissingExtra

_PATTERN = "*?["


def is_remote(path: str) -> bool:
    """Whether a file is in another place than this machine's folders: s3://…, gs://…, https://…."""
    return "://" in path


def is_pattern(path: str) -> bool:
    """Whether a name stands for all files that fit it."""
    return any(sign in path for sign in _PATTERN) and not os.path.exists(path)


def expand(paths: Sequence[str]) -> list[str]:
    """The files that names and patterns stand for, in order; a pattern that no file fits raises."""
    found: list[str] = []
    for path in paths:
        if not is_pattern(path):
            found.append(path)
            continue
        fitting = _remote_files(path) if is_remote(path) else sorted(glob.glob(path, recursive=True))
        if not fitting:
            raise AbsentFile(f"no file matches {path!r}")
        found += fitting
    return found


@contextmanager
def open_remote(path: str) -> Iterator[BinaryIO]:
    """The bytes of a file in object storage, unpacked if its name ends in .gz; they can be read from any place on."""
    file_system, name = remote_place(path)
    try:
        with file_system.open(name, "rb") as stream:
            if path.endswith(".gz"):
                with gzip.GzipFile(fileobj=stream) as unpacked:
                    yield cast(BinaryIO, unpacked)
            else:
                yield stream
    except FileNotFoundError as error:
        raise AbsentFile(f"{path!r} does not exist") from error


def remote_place(path: str) -> tuple[Any, str]:
    """The file system of a URL, and the name of the file in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise MissingExtra("reading files in object storage", "ray") from error
    try:
        file_system, name = url_to_fs(path, use_listings_cache=False)  # others write there, too
    except (ImportError, ValueError) as error:  # s3:// needs s3fs, gs:// needs gcsfs
        raise AbsentFile(f"cannot open {path!r}: {error}") from error
    return file_system, str(name)


def _remote_files(pattern: str) -> list[str]:
    file_system, name = remote_place(pattern)
    return sorted(file_system.unstrip_protocol(found) for found in file_system.glob(name))
