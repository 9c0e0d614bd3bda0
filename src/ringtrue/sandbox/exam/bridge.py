"""`Bridge`: one end of the conversation between a program and its examiner, which live in two processes."""

from __future__ import annotations

from _thread import RLock
from collections.abc import Callable
from typing import Any

from ringtrue.sandbox.exam.channel import Channel, Closed
from ringtrue.sandbox.exam.faults import pack_fault
from ringtrue.sandbox.exam.foreign import COMPARISONS, OPERATIONS, Foreign, ForeignFunction, Linked
from ringtrue.sandbox.exam.object_table import ATOMS, CONTAINERS, ObjectTable
from ringtrue.sandbox.exam.short_repr import short_repr
from ringtrue.sandbox.exam.wire import Tree, is_mutable, merge

_STOPPED = "the program raised StopIteration"
"""Inside map() or a generator of the tests the exception itself would silently end them."""

_CLASS_CHECKS = ("isinstance", "issubclass")
_ABROAD = (Foreign, Linked)

_PLAIN_METHODS = frozenset(name for kind in (*ATOMS, *CONTAINERS) for name in dir(kind) if name[0] != "_")
"""Methods of plain values, some of which judge what they are given: an object that has them could say yes to all."""


class Trust:
    """The degree to which the examiner trusts the program's own operators.

    No object of the program decides how it compares with a plain value. `allowed`, read off the tests alone, lets it
    compute with one: they read attributes no plain value has, so they mean objects. `used` becomes true when the
    program's own code decided something, and the verdict says so.
    """

    def __init__(self, allowed: bool = False) -> None:
        self.allowed = allowed
        self.used = False


class Bridge:
    """Calls, attributes and operators across; plain values travel as copies, everything else stays where it is.

    The examiner's end has a `trust`; it lets the program call what it was handed and read public attributes of objects
    whose class the tests define (`module`), nothing else.
    """

    def __init__(self, channel: Channel, *, trust: Trust | None = None, module: str = "") -> None:
        self.channel = channel
        self.trust = trust
        self.find: Callable[[str], Any] = lambda name: None
        self.before_reply: Callable[[], None] = lambda: None
        self._module = module
        self._objects = ObjectTable(self._stand_in)
        self._pack, self._unpack = self._objects.pack, self._objects.unpack
        self._asked = 0
        self._kinds: dict[str, type[Foreign]] = {}
        self._lock = RLock()
        self._last: tuple[Any, ...] = ()

    # What this side asks of the other.

    def call(self, target: Foreign, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call a foreign object; changes it makes to lists, dicts and sets it was given come back."""
        trees = [self._pack(item) for item in arguments]
        by_name = {name: self._pack(item) for name, item in named.items()}
        self._last = (target._kind, arguments, named)
        try:
            result, changes = self._exchange(["call", self._pack(target), trees, by_name])
        except StopIteration as fault:
            raise RuntimeError(_STOPPED) from fault
        for key, tree in changes.items():
            given = named[key] if key in named else arguments[int(key)]
            if is_mutable(given):
                merge(given, self._unpack(tree))
        if isinstance(result, dict) and "argument" in result:
            value = arguments[result["argument"]]
        else:
            value = self._unpack(result)
        self._last = (target._kind, arguments, named, value)
        return value

    def request(self, verb: str, *payload: Any) -> Any:
        """Ask for anything but a call."""
        try:
            return self._unpack(self._exchange([verb, *map(self._pack, payload)])[0])
        except StopIteration as fault:
            if self.trust is None or payload[0] == "next":
                raise
            raise RuntimeError(_STOPPED) from fault

    def attribute(self, target: Foreign, name: str) -> Any:
        """An attribute of a foreign object."""
        if self.trust is not None and name in _PLAIN_METHODS:
            self.trust.used = True
        return self.request("get", target, name)

    def leave(self, manager: Foreign, fault: object) -> bool:
        """Leave a foreign context manager; what the tests assert is not its to suppress."""
        answer = self.request("apply", "exit", manager, fault)
        suppressed = fault is not None and not isinstance(fault, AssertionError) and bool(answer)
        if suppressed and self.trust is not None:
            self.trust.used = True
        return suppressed

    def contents(self, target: Foreign | Linked) -> tuple[Any] | None:
        """Return the present contents of a foreign list, dict, set or tuple, or a linked value; else None."""
        if isinstance(target, Foreign) and target._plain is not None and target._seen != self._asked:
            self.request("same", target)
        plain: tuple[Any] | None = target._plain
        return plain

    @property
    def last_call(self) -> str:
        """The latest call in words: name, arguments and, where it came back, the value."""
        if not self._last:
            return ""
        name, arguments, named, *value = self._last
        given = [*map(short_repr, arguments), *(f"{key}={short_repr(item)}" for key, item in named.items())]
        return f"{name}({', '.join(given)})" + (f" returned {short_repr(value[0])}" if value else "")

    def decide(self, name: str, left: Any, right: Any = None) -> Any:
        """An operator between values of which one at least is foreign.

        Between two foreign objects the program decides; the verdict says so. The examiner compares contents where it
        has them. An object without contents is not equal to a plain value, whatever it says itself.
        """
        if name == "hash":
            if self.trust is not None:
                self.trust.used = True
            return self.request("apply", name, left)
        if self.trust is None:
            return self.request("apply", name, left, right)
        both = isinstance(left, _ABROAD) and isinstance(right, _ABROAD)
        foreign = left if isinstance(left, _ABROAD) else right
        contents = None if both or name in _CLASS_CHECKS else self.contents(foreign)
        if contents is not None:
            return OPERATIONS[name](*(contents[0] if item is foreign else item for item in (left, right)))
        if both or name in _CLASS_CHECKS or (self.trust.allowed and name not in COMPARISONS):
            self.trust.used = True
            return self.request("apply", name, left, right)
        if name in ("eq", "ne"):
            return name == "ne"
        raise TypeError(f"{foreign._kind!r} of the program has no plain value: {name} is not decided by the program")

    # What this side does for the other.

    def serve(self) -> None:
        """Answer until the other side leaves."""
        while True:
            try:
                message = self.channel.hear()
            except Closed:
                return
            self._answer(message)

    def _answer(self, message: Tree) -> None:
        try:
            reply = ["value", *self._perform(*message)]
            self.before_reply()
            self.channel.say(reply)
        except Closed:
            raise
        except BaseException as fault:  # whatever the called code raises belongs to the caller
            self.before_reply()
            self.channel.say(["raise", pack_fault(fault, self._objects.export)])

    def _perform(self, verb: str, *payload: Tree) -> tuple[Tree, Tree]:
        if verb == "call":
            return self._call(*payload)
        if verb == "name":
            return self._pack(self.find(payload[0])), {}
        values = [self._unpack(item) for item in payload]
        if verb == "same":
            return self._pack(values[0]), {}
        if verb == "apply":
            name, *operands = values
            return self._pack(OPERATIONS[name](*operands)), {}
        target, name, *rest = values
        if self.trust is not None:
            self._check(target, name)
        if verb == "set":
            setattr(target, name, rest[0])
            return None, {}
        return self._pack(getattr(target, name)), {}

    def _call(self, target: Tree, trees: list[Tree], by_name: dict[str, Tree]) -> tuple[Tree, Tree]:
        if self.trust is not None and "yours" not in target:
            raise TypeError("only what the tests handed over can be called")
        function = self._unpack(target)
        arguments = [self._unpack(tree) for tree in trees]
        named = {name: self._unpack(tree) for name, tree in by_name.items()}
        result = function(*arguments, **named)
        given = [*((str(i), item, trees[i]) for i, item in enumerate(arguments))]
        given += [(name, item, by_name[name]) for name, item in named.items()]
        changes = {}
        for key, item, before in given:
            if is_mutable(item):
                after = self._pack(item)
                if after != before:
                    changes[key] = after
        for index, item in enumerate(arguments):
            if item is result and is_mutable(item):
                return {"argument": index}, changes
        return self._pack(result), changes

    def _check(self, target: object, name: str) -> None:
        if name.startswith("_") or type(target).__module__ not in (self._module, "_io"):
            raise AttributeError(f"{type(target).__name__!r} object has no attribute {name!r}")

    def _stand_in(
        self, known: Foreign | None, place: int, name: str, plain: tuple[Any] | None, *, called: bool, hashed: bool
    ) -> Foreign:
        # Most are functions, for which no class is made.
        foreign = known if known is not None else (ForeignFunction if called else self._kind(name))(self, place, name)
        for slot, value in (("_plain", plain), ("_seen", self._asked), ("_hashed", hashed)):
            object.__setattr__(foreign, slot, value)
        return foreign

    def _kind(self, name: str) -> type[Foreign]:
        """A class of this side for the other side's objects of one class: tests ask objects for its name."""
        kind = self._kinds.get(name)
        if kind is None:
            kind = self._kinds[name] = type(name, (Foreign,), {"__slots__": (), "__doc__": Foreign.__doc__})
        return kind

    def _exchange(self, message: Tree) -> tuple[Tree, dict[str, Tree]]:
        with self._lock:
            self._asked += message[0] != "same"
            self.channel.say(message)
            while True:
                kind, *rest = self.channel.hear()
                if kind == "value":
                    return rest[0], rest[1]
                if kind == "raise":
                    raise self._objects.fault(rest[0])
                self._answer([kind, *rest])
