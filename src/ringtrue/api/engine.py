"""What measures here: ringtrue's code, Python, the machine, and the packages that ringtrue is made with."""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from ringtrue.records import Json
from ringtrue.reports.canonical import digest

_SOURCES = (".py", ".md", ".json")
"""What a verdict may come from: code, prompts, tables."""


def engine() -> dict[str, Json]:
    """The engine as plain values; two runs under the same one measure the same."""
    return {
        "source_digest": _own_sources(),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "machine": platform.machine(),
        "packages": [list(pair) for pair in packages("ringtrue")],
    }


def sources(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file in a folder that a verdict may come from, by its path there."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.suffix in _SOURCES
    }


@cache
def packages(name: str) -> tuple[tuple[str, str], ...]:
    """A package and what is installed of all that it needs, each with its version; others change no score."""
    found: dict[str, str] = {}
    wanted = [name]
    while wanted:
        one = wanted.pop()
        if one in found:
            continue
        try:
            package = distribution(one)
        except PackageNotFoundError:
            continue
        found[one] = package.version
        wanted += _required(package.requires or ())
    return tuple(sorted(found.items()))


@cache
def _own_sources() -> str:
    return digest(sources(Path(__file__).parent.parent))


def _required(requirements: Iterable[str]) -> Iterator[str]:
    for requirement in requirements:
        named = re.match(r"[A-Za-z0-9._-]+", requirement)
        if named and "extra ==" not in requirement:
            yield re.sub(r"[-_.]+", "-", named.group()).lower()
