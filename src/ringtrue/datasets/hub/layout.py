"""Find the files of a dataset repository that hold a configuration and split.

The rules are the hub's own for repositories without a loading script: a split is named by a file or by its folder, a
configuration by a folder or by a whole file name, and files that name no split are `train`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

SPLITS: dict[str, frozenset[str]] = {
    "train": frozenset({"train", "training"}),
    "validation": frozenset({"validation", "valid", "val", "dev"}),
    "test": frozenset({"test", "testing", "eval", "evaluation"}),
}
_DATA = (".parquet", ".jsonl", ".ndjson", ".json", ".csv", ".tsv")
_NO_DATA = frozenset({"dataset_infos.json", "dataset_info.json", "dataset_dict.json", "state.json"})
_WORDS = re.compile(r"[^A-Za-z0-9]+")


def matching(names: Iterable[str], pattern: str) -> list[str]:
    """The names that match a pattern such as `data/*.jsonl`, in order."""
    return sorted(name for name in names if fnmatchcase(name, pattern))


def choose_files(names: Iterable[str], config: str | None, split: str) -> list[str]:
    """The files of a configuration and split, in order; none where the repository has no such."""
    data = sorted(name for name in names if _is_data(name))
    if config:
        inside = [name for name in data if config in PurePosixPath(name).parts[:-1]]
        whole = [name for name in data if _stem(name) == config]
        if not inside and whole:
            return _one_format(whole)
        data = inside or [name for name in data if _is_unnamed(name)]
    return _one_format(_of_split(data, split, config))


def _is_unnamed(name: str) -> bool:
    """Whether no folder of a file can be the name of another configuration."""
    splits = frozenset().union(*SPLITS.values())
    return all(part in ("data", "default") or part in splits for part in PurePosixPath(name).parts[:-1])


def _of_split(data: Sequence[str], split: str, config: str | None) -> list[str]:
    known = SPLITS.get(split, frozenset({split}))
    every = frozenset().union(*SPLITS.values(), known)
    # A repository may have `dev` beside `validation`: the split that is named comes before others of its kind.
    named = [name for name in data if split in _words(name, config)] or [
        name for name in data if _words(name, config) & known
    ]
    return named or ([] if split != "train" or any(_words(name, config) & every for name in data) else list(data))


def _words(name: str, config: str | None) -> set[str]:
    # A configuration may itself be called like a split (`eval`): its own folder says nothing about splits.
    parts = [part for part in PurePosixPath(name).parts if part != config]
    return {word.lower() for part in parts for word in _WORDS.split(part)}


def _one_format(data: Sequence[str]) -> list[str]:
    """The files of the first format there is: a repository may hold the same rows twice."""
    for suffix in _DATA:
        found = [name for name in data if name.removesuffix(".gz").endswith(suffix)]
        if found:
            return found
    return []


def _is_data(name: str) -> bool:
    path = PurePosixPath(name)
    hidden = any(part.startswith(".") for part in path.parts)
    return not hidden and path.name not in _NO_DATA and name.removesuffix(".gz").endswith(_DATA)


def _stem(name: str) -> str:
    return PurePosixPath(name.removesuffix(".gz")).stem
