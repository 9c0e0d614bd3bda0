"""Small structured files, YAML, TOML or JSON, as plain values; what two readers could take differently is refused."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Hashable, Mapping
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ringtrue.errors import AbsentFile, ConfigurationError, MissingExtra
from ringtrue.records import Json

if TYPE_CHECKING:
    import yaml

MAX_VALUES = 500_000
MAX_DEPTH = 100

FORMATS = {".yaml": "YAML", ".yml": "YAML", ".toml": "TOML", ".json": "JSON"}


def read_structured(path: Path) -> Json:
    """The value a file holds; its name says the format."""
    if path.is_dir():
        words = f"{str(path)!r} is a folder; give a file in YAML, TOML or JSON"
        raise ConfigurationError(words, value=str(path))
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        words = f"cannot tell the format of {str(path)!r}; end its name in {', '.join(FORMATS)}"
        raise ConfigurationError(words, value=str(path))
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        raise AbsentFile(f"{str(path)!r} does not exist; give a file in YAML, TOML or JSON") from error
    except OSError as error:
        raise ConfigurationError(f"cannot read {str(path)!r}: {error.strerror}", value=str(path)) from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: not UTF-8 at byte {error.start:,}", value=str(path)) from error
    try:
        return _plain(_READERS[kind](text), 0, [0])
    except RecursionError as error:
        raise ConfigurationError(f"{path}: nested more than {MAX_DEPTH} deep", value=str(path)) from error
    except ValueError as error:  # also what tomllib and json raise
        raise ConfigurationError(f"{path} is not valid {kind}: {error}", value=str(path)) from error


def _json(text: str) -> Json:
    def refuse(constant: str) -> Json:
        raise ValueError(f"{constant} is not JSON")

    return json.loads(text, object_pairs_hook=_once, parse_constant=refuse)


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} is given twice")
    return found


def _yaml(text: str) -> Json:
    try:
        import yaml
    except ImportError as error:
        raise MissingExtra("a suite in YAML", "yaml") from error
    try:
        return yaml.load(text, Loader=_loader())
    except yaml.YAMLError as error:
        raise ValueError(_yaml_problem(error)) from error


def _yaml_problem(error: yaml.YAMLError) -> str:
    """The problem and its place in one line."""
    problem, mark = getattr(error, "problem", None), getattr(error, "problem_mark", None)
    if problem and mark:
        return f"{problem} (at line {mark.line + 1}, column {mark.column + 1})"
    return " ".join(str(error).split())


def _loader() -> type[yaml.SafeLoader]:
    """YAML 1.2's own types: `no`, `12:30`, `012` and dates stay the text that was written; a key is given once."""
    from yaml import MappingNode, SafeLoader

    class Loader(SafeLoader):
        def construct_mapping(self, node: MappingNode, deep: bool = False) -> dict[Hashable, Any]:
            keys = [key.value for key, _ in node.value]
            twice = next((key for key in keys if isinstance(key, str) and keys.count(key) > 1), None)
            if twice is not None:
                raise ValueError(f"line {node.start_mark.line + 1}: the key {twice!r} is given twice")
            return super().construct_mapping(node, deep)

    Loader.yaml_implicit_resolvers = {}
    for tag, pattern, first in (
        ("merge", r"<<", "<"),
        ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
        ("null", r"~|null|Null|NULL|", "~nN\0"),
        ("int", r"[-+]?(?:0|[1-9][0-9]*)", "-+0123456789"),
        ("float", r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)", "-+0123456789"),
    ):
        found = re.compile(rf"(?:{pattern})\Z")
        for character in first:
            entry = (f"tag:yaml.org,2002:{tag}", found)
            Loader.yaml_implicit_resolvers.setdefault(character.strip("\0"), []).append(entry)
    return Loader


def _plain(value: Any, depth: int, seen: list[int]) -> Json:
    """JSON values alone; what grows when it is walked through, such as aliases of aliases, is refused."""
    seen[0] += 1
    if seen[0] > MAX_VALUES:
        raise ValueError(f"it holds more than {MAX_VALUES:,} values, aliases counted")
    if depth > MAX_DEPTH:
        raise RecursionError
    if isinstance(value, Mapping):
        unreadable = next((key for key in value if not isinstance(key, str)), None)
        if unreadable is not None:
            raise ValueError(f"the key {unreadable!r} is not text; write it in quotes")
        return {key: _plain(item, depth + 1, seen) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, depth + 1, seen) for item in value]
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{value} is not a number")
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)  # TOML's dates and times


_READERS: dict[str, Callable[[str], Json]] = {"YAML": _yaml, "TOML": tomllib.loads, "JSON": _json}
