"""Values on the wire between program and examiner: a closed set of plain types; reading one never runs code."""

from __future__ import annotations

import builtins
import re
from collections import Counter as Multiset
from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType, NoneType, SimpleNamespace
from typing import Any

Tree = Any
"""What JSON can say: plain values stand for themselves, `{kind: payload}` for everything else."""

Export = Callable[[object], Tree]
Import = Callable[[str, Tree], object]

_ATOMS = frozenset({type(None), bool, str, float})
_LONG_INTEGER = 10_000
"""Bits beyond which an integer travels as hexadecimal: decimal digits cost quadratic time and are limited."""

_SEQUENCES: dict[type, str] = {list: "list", tuple: "tuple", set: "set", frozenset: "frozenset"}


def pack(value: object, export: Export) -> Tree:
    """A value as a tree; what is not plain becomes what `export` makes of it."""
    kind = type(value)
    if kind in _ATOMS or (kind is int and value.bit_length() < _LONG_INTEGER):  # type: ignore[attr-defined]
        return value
    if kind in _SEQUENCES:
        assert isinstance(value, (list, tuple, set, frozenset))
        items = list(value) if _all_atoms(value) else [pack(item, export) for item in value]
        return items if kind is list else {_SEQUENCES[kind]: items}
    if kind is dict:
        assert isinstance(value, dict)
        return {"dict": [[pack(key, export), pack(item, export)] for key, item in value.items()]}
    if kind in _WRITERS:
        name, write = _WRITERS[kind]
        return {name: write(value)}
    if kind in _PARTS:
        name, parts = _PARTS[kind]
        return {name: [pack(part, export) for part in parts(value)]}
    if kind is type and _TYPES.get(name := str(value.__name__)) is value:  # type: ignore[attr-defined]
        return {"type": name}
    top = kind.__module__.partition(".")[0]
    name = f"{top}.{kind.__qualname__}"
    if name in _WRITTEN:
        zoned = _zoned_parts(value) if name in _ZONED else ()
        return {"zoned": [pack(part, export) for part in zoned]} if zoned else {name: _WRITTEN[name](value)}
    if top == "numpy" and (array := _packed_array(value)) is not None:
        return array
    return export(value)


def is_namedtuple(kind: type) -> bool:
    """Whether a class was made by `namedtuple`, or by a class statement that names its fields."""
    return kind.__bases__ == (tuple,) and hasattr(kind, "_fields") and hasattr(kind, "_make")


def packed_namedtuple(value: Any, export: Export) -> Tree:
    """A named tuple as a tree."""
    return {"namedtuple": [type(value).__name__, list(type(value)._fields), [pack(item, export) for item in value]]}


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
    if kind == "namedtuple":
        name, names, items = payload
        return _namedtuple(str(name), *names)(*(unpack(item, resolve) for item in items))
    if kind in _READERS:
        return _READERS[kind](payload)
    if kind in _WHOLES:
        return _WHOLES[kind](*(unpack(part, resolve) for part in payload))
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
        dict.update(old, {**new, **kept})  # a Counter's own would add
    elif isinstance(old, set) and isinstance(new, set):
        old.clear()
        old.update(new)
    elif isinstance(old, bytearray) and isinstance(new, bytearray):
        old[:] = new
    elif isinstance(old, deque) and isinstance(new, deque):
        old.clear()
        old.extend(new)
    elif isinstance(old, tuple) and isinstance(new, tuple):
        for one, other in zip(old, new, strict=False):
            if _both_mutable(one, other):
                merge(one, other)
    elif _is_array(old) and _is_array(new) and (old.shape, old.dtype) == (new.shape, new.dtype):
        old[...] = new


def is_mutable(value: object) -> bool:
    """Whether a called function can change this value, or one inside this tuple, for its caller."""
    kind = type(value)  # not `isinstance`: what stands for a list of the other side says that it is one
    if issubclass(kind, tuple):
        return any(map(is_mutable, value))  # type: ignore[call-overload]
    return issubclass(kind, (list, dict, set, bytearray, deque)) or _is_array(value)


@lru_cache(maxsize=64)
def _namedtuple(name: str, *fields: str) -> Callable[..., Any]:
    return namedtuple(name, fields, rename=True)


def _zoned_parts(value: Any) -> tuple[Any, ...]:
    """A time without its zone, the zone, and which of two equal times it is; empty where its text says it all."""
    if type(value.tzinfo).__name__ not in _ZONES:
        return ()
    return value.replace(tzinfo=None, fold=0), value.tzinfo, value.fold


def _both_mutable(old: object, new: object) -> bool:
    return type(old) is type(new) and is_mutable(old)


def _all_atoms(value: Any) -> bool:
    kinds = set(map(type, value))
    if kinds == {int}:
        return bool(min(value) > -_LARGE and max(value) < _LARGE)
    return kinds <= _ATOMS


def _is_array(value: Any) -> bool:
    return type(value).__module__ == "numpy" and type(value).__name__ == "ndarray"


def _packed_array(value: Any) -> Tree | None:
    """An array or number of numpy as its type, shape and bytes; None where it holds anything but numbers and text."""
    kind = getattr(getattr(value, "dtype", None), "str", "")
    is_number = not _is_array(value)
    if not _DTYPE.fullmatch(kind) or (is_number and getattr(value, "shape", None) != ()):
        return None
    return {"numpy": [kind, None if is_number else list(value.shape), value.tobytes().decode("latin-1")]}


def _read_array(payload: Tree) -> Any:
    kind, shape, data = payload
    if not _DTYPE.fullmatch(kind):
        raise ValueError(f"no plain type of numpy: {kind!r}")
    # The sandbox shows numpy where a program could import it.
    flat = import_module("numpy").frombuffer(data.encode("latin-1"), dtype=kind)
    return flat[0] if shape is None else flat.reshape(shape).copy()


_LARGE = 1 << 64
_DTYPE = re.compile(r"[<>|=][biufcmMSU]\d+(?:\[\w+\])?")
_PLAIN = _ATOMS | {int}
_TYPES = {
    kind.__name__: kind
    for kind in (*vars(builtins).values(), NoneType)
    if isinstance(kind, type) and not issubclass(kind, BaseException)
}
_COLLECTIONS: dict[str, Callable[[list[Any]], Any]] = {"tuple": tuple, "set": set, "frozenset": frozenset}
_WRITERS: dict[type, tuple[str, Callable[[Any], Tree]]] = {
    int: ("int", hex),
    bytes: ("bytes", lambda value: value.decode("latin-1")),
    bytearray: ("bytearray", lambda value: value.decode("latin-1")),
    complex: ("complex", lambda value: [value.real, value.imag]),
    range: ("range", lambda value: [value.start, value.stop, value.step]),
    type(...): ("ellipsis", lambda value: None),
    type(NotImplemented): ("notimplemented", lambda value: None),
}
_READERS: dict[str, Callable[[Any], Any]] = {
    "int": lambda text: int(text, 16),
    "bytes": lambda text: text.encode("latin-1"),
    "bytearray": lambda text: bytearray(text.encode("latin-1")),
    "complex": lambda parts: complex(*parts),
    "range": lambda parts: range(*parts),
    "ellipsis": lambda payload: ...,
    "notimplemented": lambda payload: NotImplemented,
    "numpy": _read_array,
    "type": lambda name: _TYPES[name],
}

# Types made of other values, each of which may be anything.
_PARTS: dict[type, tuple[str, Callable[[Any], list[Any]]]] = {
    Multiset: ("Counter", lambda value: [dict(value)]),
    OrderedDict: ("OrderedDict", lambda value: [list(value.items())]),
    defaultdict: ("defaultdict", lambda value: [value.default_factory, dict(value)]),
    deque: ("deque", lambda value: [list(value), value.maxlen]),
    slice: ("slice", lambda value: [value.start, value.stop, value.step]),
    memoryview: ("memoryview", lambda value: [value.tobytes()]),
    SimpleNamespace: ("namespace", lambda value: [dict(vars(value))]),
    MappingProxyType: ("mappingproxy", lambda value: [dict(value)]),
    **{
        type(getattr(kind(), name)()): (name, lambda value: [list(value)])
        for kind in (dict, OrderedDict)
        for name in ("keys", "values", "items")
    },
}
_WHOLES: dict[str, Callable[..., Any]] = {
    "Counter": Multiset,
    "OrderedDict": OrderedDict,
    "defaultdict": defaultdict,
    "deque": deque,
    "slice": slice,
    "memoryview": memoryview,
    "namespace": lambda names: SimpleNamespace(**names),
    "mappingproxy": MappingProxyType,
    "zoned": lambda time, zone, fold: time.replace(tzinfo=zone, fold=fold),
    "keys": lambda items: dict.fromkeys(items).keys(),
    "values": lambda items: dict(enumerate(items)).values(),
    "items": lambda items: dict(items).items(),
}

# Types of modules that are loaded only where a value needs them: `module.type` -> how it is written and read.
_AS_TEXT = (
    *("decimal.Decimal", "uuid.UUID", "pathlib.PosixPath", "pathlib.PurePosixPath", "pathlib.PureWindowsPath"),
    *(f"ipaddress.IPv{version}{kind}" for version in (4, 6) for kind in ("Address", "Network", "Interface")),
    "zoneinfo.ZoneInfo",
)
_ISO = ("datetime.datetime", "datetime.date", "datetime.time")
_ZONED = ("datetime.datetime", "datetime.time")
_ZONES = ("timezone", "ZoneInfo")
_WRITTEN: dict[str, Callable[[Any], Tree]] = {
    **dict.fromkeys(_AS_TEXT, str),
    **dict.fromkeys(_ISO, lambda value: value.isoformat()),
    "fractions.Fraction": lambda value: [hex(value.numerator), hex(value.denominator)],
    "datetime.timedelta": lambda value: [value.days, value.seconds, value.microseconds],
    "datetime.timezone": lambda value: [value.utcoffset(None).total_seconds(), value.tzname(None)],
    "array.array": lambda value: [value.typecode, value.tobytes().decode("latin-1")],
}
_READ: dict[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(_AS_TEXT, lambda kind, text: kind(text)),
    **dict.fromkeys(_ISO, lambda kind, text: kind.fromisoformat(text)),
    "fractions.Fraction": lambda kind, parts: kind(int(parts[0], 16), int(parts[1], 16)),
    "datetime.timedelta": lambda kind, parts: kind(*parts),
    "datetime.timezone": lambda kind, parts: kind(import_module("datetime").timedelta(seconds=parts[0]), parts[1]),
    "array.array": lambda kind, parts: kind(parts[0], parts[1].encode("latin-1")),
}


def _read(name: str, payload: Tree) -> Any:
    module, _, attribute = name.partition(".")
    return _READ[name](getattr(import_module(module), attribute), payload)
