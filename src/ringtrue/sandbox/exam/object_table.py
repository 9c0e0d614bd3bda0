"""`ObjectTable`: objects that stay where they are, by number, on one side of the conversation."""

from __future__ import annotations

import sys
import types
from collections import UserList, UserString
from collections.abc import Callable, Mapping, Set
from importlib import import_module
from typing import Any, Protocol

from ringtrue.sandbox.exam.faults import FRAMES, Mirrors, mirror_of, names_of, pack_fault, unpack_fault
from ringtrue.sandbox.exam.foreign import OPERATORS, Foreign, Linked
from ringtrue.sandbox.exam.wire import Tree, is_namedtuple, pack, packed_namedtuple, unpack

_BARE: dict[type, Callable[[Any], Any]] = {
    int: int.__int__,
    float: float.__float__,
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
}
_CONTENTS: dict[type, Callable[[Any], Any]] = {
    list: lambda value: [*list.__iter__(value)],
    tuple: lambda value: (*tuple.__iter__(value),),
    set: lambda value: {*set.__iter__(value)},
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    dict: lambda value: {key: dict.__getitem__(value, key) for key in dict.__iter__(value)},
    UserList: list,
    Mapping: dict,
    Set: set,
}
CONTAINERS = (list, tuple, set, frozenset, dict)
ATOMS = (bool, int, float, str, bytes)

_MODULES = frozenset(
    (
        *("bisect", "cmath", "copy", "datetime", "decimal", "fractions", "heapq", "random", "statistics", "string"),
        "textwrap",
    )
)
"""What the program may name for the tests to load: importing anything at its wish would run code of its choice."""


class StandIn(Protocol):
    """Makes, or brings up to date, what represents here an object of the other side."""

    def __call__(
        self, known: Foreign | None, place: int, name: str, plain: tuple[Any] | None, *, called: bool, hashed: bool
    ) -> Foreign: ...


class ObjectTable:
    """The objects of this side with their numbers, and the stand-ins for the numbers of the other side."""

    def __init__(self, stand_in: StandIn) -> None:
        self._stand_in = stand_in
        self._kept: list[object] = []
        self._places: dict[int, int] = {}
        self._met: dict[int, Foreign] = {}
        self._values: dict[int, Linked] = {}
        self._kinds: dict[tuple[str, type, tuple[str, ...]], type[Linked]] = {}
        self._own: dict[int, list[str]] = {}
        self._mirrors: Mirrors = {}
        self._faults = 0

    def pack(self, value: object) -> Tree:
        """A value of this side as a tree."""
        return pack(value, self.export)

    def unpack(self, tree: Tree) -> Any:
        """The value of a tree from the other side."""
        return unpack(tree, self._resolve)

    def fault(self, tree: Tree) -> BaseException:
        """The exception of a tree from the other side."""
        return unpack_fault(tree, self._resolve, self._mirrors)

    def export(self, value: object) -> Tree:
        """Return a value that is not plain in another form: by name, by its contents, or by a number of its own."""
        if isinstance(value, types.FunctionType):
            return self._number(value, [])
        if isinstance(value, Foreign):
            return {"yours": value._identity}
        if isinstance(value, Linked):
            return {"yours": value._home._identity}
        if isinstance(value, types.ModuleType):
            return {"module": value.__name__}
        if isinstance(value, type) and issubclass(value, BaseException):
            return {"exception": names_of(value)}
        if isinstance(value, BaseException) and self._faults < FRAMES:  # it may hold itself
            self._faults += 1
            try:
                return {"fault": pack_fault(value, self.export)}
            finally:
                self._faults -= 1
        if type(value).__module__.partition(".")[0] == "numpy" and hasattr(value, "tolist"):
            return self._number(value, [self.pack(value.tolist())])
        # By the methods of the built-in types: what a class says of itself is not what it holds.
        for base, bare in _BARE.items():
            if isinstance(value, base):
                return self._number(value, [self.pack(bare(value))], self._own_operators(type(value), base))
        if isinstance(value, UserString):
            return self.pack(str(value))
        if is_namedtuple(type(value)):
            tree = packed_namedtuple(value, self.export)
            return self._number(value, [tree], self._own_operators(type(value), tuple))
        for base, contents in _CONTENTS.items():
            if isinstance(value, base):
                return self._number(value, [self.pack(contents(value))])
        return self._number(value, [])

    def _number(self, value: object, contents: list[Tree], own: list[str] | None = None) -> Tree:
        place = self._places.get(id(value))
        if place is None:
            place = self._places[id(value)] = len(self._kept)
            self._kept.append(value)
        called, hashed = callable(value), type(value).__hash__ is not object.__hash__
        name = getattr(value, "__name__", None) if called else None
        features = [] if called and not hashed else [called, hashed, own or []]
        return {"mine": [place, str(name or type(value).__name__)[:80], contents, *features]}

    def _resolve(self, kind: str, payload: Tree) -> Any:
        if kind == "yours":
            return self._kept[payload]
        if kind == "mine":
            place, name, contents, *features = payload
            called, hashed, own = features or (True, False, ())
            plain = (self.unpack(contents[0]),) if contents else None
            if plain is not None and (isinstance(plain[0], ATOMS) or is_namedtuple(type(plain[0]))):
                return self._linked_value(int(place), str(name), plain[0], tuple(own))
            if plain is not None and not isinstance(plain[0], CONTAINERS):
                plain = None  # a number that stays with the program could be another one at every look
            # One stand-in for each object, so that `is` works.
            known = self._met[place] = self._stand_in(
                self._met.get(place), int(place), str(name), plain, called=bool(called), hashed=bool(hashed)
            )
            return known
        if kind == "fault":
            return self.fault(payload)
        if kind == "exception":
            return mirror_of([str(name) for name in payload], self._mirrors)
        if kind == "module" and (payload in sys.modules or payload in _MODULES):
            return import_module(payload)
        raise ValueError(f"{kind!r} cannot cross")

    def _linked_value(self, place: int, name: str, value: Any, own: tuple[str, ...]) -> Linked:
        base = type(value)
        kind = self._kinds.get((name, base, own))
        if kind is None:
            methods = {"__hash__": base.__hash__, **{operator: OPERATORS[operator] for operator in own}}
            kind = self._kinds[name, base, own] = type(name, (Linked, base), methods)
        known = self._values.get(place)
        if type(known) is not kind or known != value:
            known = self._values[place] = tuple.__new__(kind, value) if isinstance(value, tuple) else kind(value)  # type: ignore[call-arg,type-var]
            known._home, known._plain = self._stand_in(None, place, name, None, called=False, hashed=False), (value,)
        return known

    def _own_operators(self, kind: type, base: type) -> list[str]:
        """The operators that a class does not leave to the plain type it derives from."""
        own = self._own.get(id(kind))
        if own is None:
            own = [name for name in OPERATORS if getattr(kind, name, None) is not getattr(base, name, None)]
            self._own[id(kind)] = own
        return own
