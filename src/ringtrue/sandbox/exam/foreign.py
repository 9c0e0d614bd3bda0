"""`Foreign`: a stand-in for an object that lives in the other process."""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ringtrue.sandbox.exam.bridge import Bridge

OPERATIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "invert", "index")},
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")},
    **{name: getattr(operator, name) for name in ("and_", "or_", "xor", "lshift", "rshift")},
    **{name: getattr(operator, name) for name in ("getitem", "setitem", "delitem", "contains")},
    **{kind.__name__: kind for kind in (abs, bool, float, int, complex, iter, len, next, repr, reversed, round, str)},
    "isinstance": isinstance,
    "issubclass": issubclass,
    "bytes": bytes,
    "divmod": divmod,
    "hash": hash,
    "format": format,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "enter": lambda manager: manager.__enter__(),
    "exit": lambda manager, fault: manager.__exit__(None if fault is None else type(fault), fault, None),
}
"""What one side may ask the other to do with the objects that live there."""

COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor")
_SHIFTS = ("lshift", "rshift")


class Foreign:
    """An object of the other process: what is asked of it is asked there, and plain answers come back as copies.

    `plain` is a copy of its contents where it is a kind of list, dict, set or tuple; `hashed`: its class says how.
    """

    __slots__ = ("_bridge", "_hashed", "_identity", "_kind", "_plain", "_seen")

    def __init__(self, bridge: Bridge, identity: int, kind: str) -> None:
        for name, value in (("_bridge", bridge), ("_identity", identity), ("_kind", kind), ("_plain", None)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_hashed", False)

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # what `isinstance` asks, too: a kind of list is a list
        return type(self._plain[0]) if self._plain else type(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__array"):  # numpy would hand the object its own comparison
            raise AttributeError(name)
        return self._bridge.attribute(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._bridge.request("set", self, name, value)

    def __iter__(self) -> Iterator[Any]:
        return self._ask("iter")  # type: ignore[no-any-return]

    def __contains__(self, item: Any) -> bool:
        # Asking the object itself would let it claim to contain anything.
        contents = self._bridge.contents(self)
        try:
            items = iter(self if contents is None else contents[0])
        except TypeError:  # it can only be asked
            return bool(self._bridge.decide("contains", self, item))
        return any(found is item or found == item for found in items)

    def __hash__(self) -> int:
        if self._plain is not None and isinstance(self._plain[0], (tuple, frozenset)):
            return hash(self._plain[0])
        if not self._hashed:
            return hash((id(self._bridge), self._identity))
        return int(self._bridge.decide("hash", self))

    def __repr__(self) -> str:
        return str(self._ask("repr"))

    def __str__(self) -> str:
        return str(self._ask("str"))

    def __format__(self, how: str) -> str:
        return str(self._ask("format", how))

    def __instancecheck__(self, instance: Any) -> bool:
        return bool(self._bridge.decide("isinstance", instance, self))

    def __subclasscheck__(self, kind: Any) -> bool:
        return bool(self._bridge.decide("issubclass", kind, self))

    def __exit__(self, kind: object, fault: object, trace: object) -> bool:
        return bool(self._bridge.leave(self, fault))

    def __deepcopy__(self, memo: object) -> Any:
        return self._ask("deepcopy")

    def _ask(self, name: str, *more: Any) -> Any:
        return self._bridge.request("apply", name, self, *more)


class ForeignFunction(Foreign):
    """A stand-in for what can be called."""

    __slots__ = ()

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._bridge.call(self, arguments, named)


class Linked:
    """A number, a text or a named tuple of a class of the other side: a value of this side, compared here.

    `plain` is the bare value. What else its class gives it, such as the name of a member of an enumeration, is asked
    of the original; so are those of `OPERATORS` that its class has of its own.
    """

    _home: Foreign
    _plain: tuple[Any]

    @property
    def _bridge(self) -> Any:
        return self._home._bridge

    def _ask(self, name: str, *more: Any) -> Any:
        return self._home._ask(name, *more)

    def _replace(self, **named: Any) -> Any:  # a named tuple's own would make one without an original
        return self._bridge.attribute(self._home, "_replace")(**named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_home":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return self._bridge.attribute(self._home, name)

    def __copy__(self) -> Linked:
        return self

    def __deepcopy__(self, memo: object) -> Linked:
        return self


def _asking(name: str) -> Callable[..., Any]:
    def method(self: Foreign, *more: Any) -> Any:
        return self._ask(name, *more)

    return method


def _deciding(name: str, *, reflected: bool = False) -> Callable[..., Any]:
    def method(self: Foreign, other: Any) -> Any:
        return self._bridge.decide(name, other, self) if reflected else self._bridge.decide(name, self, other)

    return method


def _equip() -> None:
    Foreign.__doc__ = property(lambda self: self._bridge.request("get", self, "__doc__"))  # type: ignore[assignment]
    ForeignFunction.__doc__ = Foreign.__doc__
    # Python finds these on the class only, never through __getattr__.
    for name in ("len", "bool", "next", "int", "float", "complex", "index", "abs", "neg", "pos", "invert", "round"):
        setattr(Foreign, f"__{name}__", _asking(name))
    for name in ("getitem", "setitem", "delitem", "reversed", "enter", "copy", "bytes"):
        setattr(Foreign, f"__{name}__", _asking(name))
    for name in COMPARISONS:
        setattr(Foreign, f"__{name}__", _deciding(name))
    for name in (*_ARITHMETIC, *_SHIFTS):
        plain = name.rstrip("_")
        setattr(Foreign, f"__{plain}__", _deciding(name))
        setattr(Foreign, f"__r{plain}__", _deciding(name, reflected=True))


_equip()
_UNARY = ("repr", "str", "format", "bool", "len", "abs", "neg", "pos", "invert", "round")
_BINARY = [name.rstrip("_") for name in (*_ARITHMETIC, *_SHIFTS)]
_NAMES = (f"__{plain}__" for plain in (*COMPARISONS, *_UNARY, *_BINARY, *(f"r{name}" for name in _BINARY)))
OPERATORS = {**{name: vars(Foreign)[name] for name in _NAMES}, "__contains__": _deciding("contains")}
"""What a class of numbers, texts or named tuples may do in a way of its own."""
