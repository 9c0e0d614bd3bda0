"""`SourceFiles`: what a definition wants copied into a container."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval_recipes.benchmarking.schemas import InstallationFileMapping
from ringtrue.errors import ConfigurationError

_LEFT_OUT = frozenset({".git", ".venv", "__pycache__", "node_modules", ".pytest_cache", ".mypy_cache", ".ruff_cache"})


@dataclass(frozen=True)
class SourceFiles:
    """Files by their path below `folder`, an absolute path in the container, and those of them that can be run."""

    folder: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    executable: frozenset[str] = frozenset()

    @classmethod
    def of(cls, mapping: InstallationFileMapping) -> SourceFiles:
        """The files of a mapping: a folder's below `dest`; a single file is `dest`, or lies in it if that ends in /."""
        source, dest = mapping.source, mapping.dest
        if not dest.startswith("/"):
            raise ConfigurationError(
                f"dest must be an absolute path in the container; got {dest!r}", parameter="dest", value=dest
            )
        if source.is_file():
            folder, name = (dest, source.name) if dest.endswith("/") else os.path.split(dest)
            found = {name: source}
        elif source.is_dir():
            folder, found = dest, _found(source)
        else:
            raise ConfigurationError(
                f"there is no file or folder {str(source)!r} to copy to {dest!r}", parameter="source", value=source
            )
        executable = frozenset(name for name, path in found.items() if os.access(path, os.X_OK))
        return cls(folder, {name: path.read_bytes() for name, path in found.items()}, executable)


def collect_directory_files(directory: Path) -> dict[str, bytes]:
    """All files of a folder by their path below it, without caches and without what its .gitignore names."""
    return {name: path.read_bytes() for name, path in _found(directory).items()}


def _found(directory: Path) -> dict[str, Path]:
    ignored = _ignored(directory / ".gitignore")
    found = {}
    for place, folders, names in os.walk(directory):
        folders[:] = sorted(set(folders) - _LEFT_OUT)
        for name in sorted(names):
            path = Path(place, name)
            inner = path.relative_to(directory).as_posix()
            if path.is_file() and path.suffix not in (".pyc", ".pyo") and not (ignored and ignored.match_file(inner)):
                found[inner] = path
    return found


def _ignored(rules: Path) -> Any:
    if not rules.is_file():
        return None
    try:
        from pathspec import GitIgnoreSpec
    except ImportError:
        raise ConfigurationError(
            f"{str(rules)!r} can be followed only with pathspec: pip install 'ringtrue-dropin[benchmarking]'"
        ) from None
    return GitIgnoreSpec.from_lines(rules.read_text(encoding="utf-8", errors="replace").splitlines())
