"""Values on the wire between program and examiner: a closed set of plain types; reading one never runs code."""

from __future__ import annotations

import builtins
from collections import Counter as Multiset
from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable
from importlib import import_module
from typing import Any

Tree = Any
"""What JSON can say: plain values stand for themselves, `{kind: payload}` for everything else."""

Export = Callable[[object], Tree]
Import = Callable[[str, Tree], object]

_ATOMS = frozenset({type(None), bool, str, float})
_LONG_INTEGER = 10_000
"""Bits beyond which an integer travels as hexadecimal: decimal digits cost quadratic time and are limited."""

_SEQUENCES: dict[type, str] = {list: "list", tuple: "tuple", set: "set", frozenset: "frozenset"}
_DICTS = frozenset({dict, OrderedDict, defaultdict, Multiset})


def pack(value: object, export: Export) -> Tree:
    """A value as a tree; what is not plain becomes what `export` makes of it."""
    kind = type(value)
    if kind in _ATOMS or (kind is int and value.bit_length() < _LONG_INTEGER):  # type: ignore[attr-defined]
        return value
    if kind in _SEQUENCES:
        assert isinstance(value, (list, tuple, set, frozenset))
        items = list(value) if _all_atoms(value) else [pack(item, export) for item in value]
        return items if kind is list else {_SEQUENCES[kind]: items}
    if kind in _DICTS:
        assert isinstance(value, dict)
        return {"dict": [[pack(key, export), pack(item, export)] for key, item in value.items()]}
    writer = _WRITERS.get(kind)
    if writer is not None:
        name, write = writer
        return {name: write(value)}
    name = f"{kind.__module__}.{kind.__qualname__}"
    if name in _WRITTEN:
        return {name: _WRITTEN[name](value)}
    if kind is deque:
        assert isinstance(value, deque)
        return {"deque": [[pack(item, export) for item in value], value.maxlen]}
    if isinstance(value, tuple) and hasattr(kind, "_fields") and kind.__bases__ == (tuple,):
        return {"namedtuple": [kind.__name__, list(kind._fields), [pack(item, export) for item in value]]}
    return export(value)


def unpack(tree: Tree, resolve: Import) -> Any:
    """The value of a tree; what `pack` exported is handed to `resolve`. A malformed tree raises ValueError."""
    if not isinstance(tree, (list, dict)):
        return tree
    if isinstance(tree, list):
        return [item if type(item) in _PLAIN else unpack(item, resolve) for item in tree]
    if len(tree) != 1:
        raise ValueError("a tree has one kind")
    ((kind, payload),) = tree.items()
    if kind in _COLLECTIONS:
        return _COLLECTIONS[kind]([unpack(item, resolve) for item in payload])
    if kind == "dict":
        return {unpack(key, resolve): unpack(item, resolve) for key, item in payload}
    if kind == "deque":
        return deque([unpack(item, resolve) for item in payload[0]], payload[1])
    if kind == "namedtuple":
        name, names, items = payload
        return namedtuple(name, names)(*(unpack(item, resolve) for item in items))
    if kind in _READERS:
        return _READERS[kind](payload)
    if kind in _READ:
        return _read(kind, payload)
    return resolve(kind, payload)


def merge(old: Any, new: Any) -> None:
    """Give a mutable value the contents of another, keeping nested objects where their shapes agree."""
    if isinstance(old, list) and isinstance(new, list):
        if len(old) == len(new):
            for index, item in enumerate(new):
                if _both_mutable(old[index], item):
                    merge(old[index], item)
                else:
                    old[index] = item
        else:
            old[:] = new
    elif isinstance(old, dict) and isinstance(new, dict):
        kept = {key: old[key] for key in new if key in old and _both_mutable(old[key], new[key])}
        for key, item in kept.items():
            merge(item, new[key])
        old.clear()
        old.update({**new, **kept})
    elif isinstance(old, set) and isinstance(new, set):
        old.clear()
        old.update(new)
    elif isinstance(old, bytearray) and isinstance(new, bytearray):
        old[:] = new
    elif isinstance(old, deque) and isinstance(new, deque):
        old.clear()
        old.extend(new)


def is_mutable(value: object) -> bool:
    """Whether a called function can change this value for its caller."""
    return isinstance(value, (list, dict, set, bytearray, deque))


def _both_mutable(old: object, new: object) -> bool:
    return type(old) is type(new) and is_mutable(old)


def _all_atoms(value: Any) -> bool:
    kinds = set(map(type, value))
    if kinds == {int}:
        return bool(min(value) > -_LARGE and max(value) < _LARGE)
    return kinds <= _ATOMS


_LARGE = 1 << 64
_PLAIN = _ATOMS | {int}
_COLLECTIONS: dict[str, Callable[[list[Any]], Any]] = {"tuple": tuple, "set": set, "frozenset": frozenset}
_WRITERS: dict[type, tuple[str, Callable[[Any], Tree]]] = {
    int: ("int", hex),
    bytes: ("bytes", lambda value: value.decode("latin-1")),
    bytearray: ("bytearray", lambda value: value.decode("latin-1")),
    complex: ("complex", lambda value: [value.real, value.imag]),
    range: ("range", lambda value: [value.start, value.stop, value.step]),
    type(...): ("ellipsis", lambda value: None),
}
_READERS: dict[str, Callable[[Any], Any]] = {
    "int": lambda text: int(text, 16),
    "bytes": lambda text: text.encode("latin-1"),
    "bytearray": lambda text: bytearray(text.encode("latin-1")),
    "complex": lambda parts: complex(*parts),
    "range": lambda parts: range(*parts),
    "ellipsis": lambda payload: ...,
    "type": lambda name: _builtin_type(name),
}

# Types of modules that are loaded only where a value needs them: `module.type` -> how it is written and read.
_WRITTEN: dict[str, Callable[[Any], Tree]] = {
    "decimal.Decimal": str,
    "fractions.Fraction": lambda value: [hex(value.numerator), hex(value.denominator)],
    "datetime.datetime": lambda value: value.isoformat(),
    "datetime.date": lambda value: value.isoformat(),
    "datetime.time": lambda value: value.isoformat(),
    "datetime.timedelta": lambda value: [value.days, value.seconds, value.microseconds],
}
_READ: dict[str, Callable[[Any, Any], Any]] = {
    "decimal.Decimal": lambda kind, text: kind(text),
    "fractions.Fraction": lambda kind, parts: kind(int(parts[0], 16), int(parts[1], 16)),
    "datetime.datetime": lambda kind, text: kind.fromisoformat(text),
    "datetime.date": lambda kind, text: kind.fromisoformat(text),
    "datetime.time": lambda kind, text: kind.fromisoformat(text),
    "datetime.timedelta": lambda kind, parts: kind(*parts),
}


def _read(name: str, payload: Tree) -> Any:
    module, _, attribute = name.partition(".")
    return _READ[name](getattr(import_module(module), attribute), payload)


def _builtin_type(name: str) -> type:
    found = getattr(builtins, name) if isinstance(name, str) and name.isidentifier() else None
    if not isinstance(found, type):
        raise ValueError(f"no built-in type {name!r}")
    return found
