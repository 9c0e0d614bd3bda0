"""`git_info`: at which commit a folder is, read from git's files; git itself is not run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ringtrue.reports.whole_file import Where

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MAX_BYTES = 10_000_000
_SHORT = 7


def git_info(repo: Where = ".") -> dict[str, Any]:
    """The short id of the commit that is checked out, or None; `dirty` is None, for nobody looked.

    A repository's own settings can name programs that git starts, so that asking git would run what came with it.
    """
    try:
        folder = Path(repo).resolve()
        marks = [found for place in (folder, *folder.parents) if (found := place / ".git").exists()]
        commit = _commit(marks[0]) if marks else ""
    except (OSError, RuntimeError):
        commit = ""
    return {"sha": commit[:_SHORT] or None, "dirty": None}


def _commit(mark: Path) -> str:
    home = mark
    if mark.is_file():  # a work tree beside the repository
        home = mark.parent / _read(mark).removeprefix("gitdir:").strip()
    shared = home / (_read(home / "commondir") or ".")
    head = _read(home / "HEAD")
    name = head.removeprefix("ref:").strip()
    if name == head or ".." in name:
        return head if _COMMIT.fullmatch(head) else ""
    packed = (line.split(" ") for line in _read(shared / "packed-refs").splitlines())
    found = [_read(home / name), _read(shared / name), *(parts[0] for parts in packed if parts[1:] == [name])]
    return next((commit for commit in found if _COMMIT.fullmatch(commit)), "")


def _read(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file.read(_MAX_BYTES).decode("utf-8", "replace").strip()
