"""Emptying a directory that a hostile program has filled."""

from __future__ import annotations

import errno
import os
import time
from contextlib import suppress

ENTRIES = 8_192


def empty(folder: str, seconds: float = 1.0) -> bool:
    """Remove everything in a directory; False where something is left when the time is up.

    Directories inside directories are first moved to the top, so that no depth, however great, needs recursion or a
    long path. Links are removed, never followed.
    """
    moved, deadline = 0, time.monotonic() + seconds
    while time.monotonic() < deadline:
        entries = _entries(folder)
        if not entries:
            return entries is not None
        for entry in entries:
            path = os.path.join(folder, entry)
            with suppress(OSError):
                os.unlink(path)
                continue
            for inner in _entries(path) or ():
                moved += 1
                below = os.path.join(path, inner)
                with suppress(OSError):
                    if os.path.isdir(below) and not os.path.islink(below):
                        os.chmod(below, 0o700)  # moving a directory changes its own entry for its parent
                        os.rename(below, os.path.join(folder, f"moved-{moved}"))
                    else:
                        os.unlink(below)
            with suppress(OSError):
                os.rmdir(path)
        if _entries(folder) == entries:
            return False
    return False


def overfull(folder: str, most: int) -> bool:
    """Whether a directory holds more bytes, or more and deeper entries, than a program may leave there."""
    size, count, folders = 0, 0, [folder]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    count += 1
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return True
        if size > most or count > ENTRIES:
            return True
    return False


def _entries(folder: str) -> list[str] | None:
    with suppress(OSError):
        os.chmod(folder, 0o700)
        return os.listdir(folder)
    return None
