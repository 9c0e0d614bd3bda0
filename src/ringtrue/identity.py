"""Identity: digests, canonical JSON, and the identity of a user's object or function."""

from __future__ import annotations

import base64
import hashlib
import inspect
import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import cached_property, partial
from pathlib import PurePath
from types import CodeType
from typing import Any

from ringtrue.jsontext import json_text


def digest(*parts: str | bytes) -> str:
    """A hash of 64 hexadecimal digits that tells apart every different sequence of texts."""
    return digest_of(parts)


def digest_of(parts: Iterable[str | bytes]) -> str:
    """`digest` of texts that come one by one."""
    whole = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        whole.update(len(data).to_bytes(8, "big"))
        whole.update(data)
    return whole.hexdigest()


def content_hash(text: str) -> str:
    """The SHA-256 of a text as a content security policy writes it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def canonical_json(value: Any) -> str:
    """JSON text that is equal for equal values, in every process."""
    return json_text(value, sort_keys=True)


def name_of(obj: Any) -> str:
    """The name an object goes by: its own, its function's or its class's."""
    return str(getattr(obj, "name", None) or getattr(obj, "__name__", None) or type(obj).__name__)


class _NameProperty:
    """A property that leaves room for a name of the object's own."""

    def __init__(self, own: property) -> None:
        self.own = own

    def __get__(self, obj: Any, kind: type | None = None) -> Any:
        return self if obj is None else self.own.__get__(obj, kind)


class NamedByClass:
    """An object with a `name` that a subclass may set: as a class attribute, or as a property.

    A class has its usual name as `default_name`; then it is `name` on the class, too.
    """

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        own = vars(cls).get("name")
        if isinstance(own, property):
            cls.name = _NameProperty(own)  # type: ignore[attr-defined]
        elif own is None and "default_name" in vars(cls):
            cls.name = vars(cls)["default_name"]  # type: ignore[attr-defined]

    def take_name(self, given: str | None, otherwise: str = "") -> None:
        """Go by the given name, else by the class's, else by the other one."""
        own = getattr(type(self), "name", None)
        if given or own is None or isinstance(own, str):
            vars(self)["name"] = given or own or otherwise
        else:
            vars(self).pop("name", None)

    def code_of_subclass(self) -> str:
        """For a class from elsewhere, where it is and a hash of its code and attributes; else nothing."""
        kind = type(self)
        if kind.__module__.startswith("ringtrue."):
            return ""
        kept = {name for name in vars(self) if isinstance(getattr(kind, name, None), cached_property)}
        own = {name: value for name, value in vars(self).items() if name not in kept and not name.startswith("_")}
        settings = _without_addresses(repr(sorted(own.items())))
        return f"|{kind.__module__}.{kind.__qualname__}|sha256:{digest(_code(kind), settings)[:16]}"


def overridden_method(obj: Any, *methods: str) -> str:
    """The first of these methods that the nearest subclass from elsewhere defines, empty where it defines none."""
    for kind in type(obj).__mro__:
        if kind.__module__.startswith("ringtrue."):
            break
        found = next((method for method in methods if method in vars(kind)), "")
        if found:
            return found
    return ""


def origin(obj: Any) -> str:
    """The place of an object's code, with a hash of the code and its settings; the same in every process.

    An object is set by its attributes; a function by its defaults, what it closes over, the object it is a method of
    and the arguments it is given beforehand, as far as these cannot change while it is used.
    """
    kind = obj if hasattr(obj, "__qualname__") else type(obj)
    if kind is obj or isinstance(obj, partial):
        settings = _bound(obj, [])
    else:
        settings = repr(sorted(getattr(obj, "__dict__", {}).items(), key=lambda item: item[0]))
    settings = _without_addresses(settings)
    module = getattr(kind, "__module__", None) or "builtins"  # a method of a builtin type has none
    return f"{module}.{kind.__qualname__}|sha256:{digest(_code(kind), settings)[:16]}"


def _without_addresses(text: str) -> str:
    return re.sub(r" at 0x[0-9a-f]+", "", text)  # they differ from run to run


def _bound(function: Any, above: list[Any]) -> str:
    """Return the values bound to a function besides its code, as text; empty if there are none."""
    held: list[Any] = []
    if isinstance(function, partial):
        held = [function.func, *function.args, *function.keywords.items()]
    elif inspect.ismethod(function):
        inside = getattr(function.__self__, "__dict__", {})
        held = [function.__func__, *([] if inspect.isclass(function.__self__) else inside.items())]
    elif inspect.isfunction(function):
        held = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).items()]
        held += [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
    return repr([_fixed_value(value, [*above, function]) for value in held]) if held else ""


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _fixed_value(value: Any, above: list[Any]) -> Any:
    """A value that cannot change, or a function's code; of all else the kind alone."""
    if value is None or isinstance(value, (bool, int, float, str, bytes, PurePath)):
        return repr(value)
    if isinstance(value, (tuple, frozenset)):
        inside = [repr(_fixed_value(item, above)) for item in value]
        return inside if isinstance(value, tuple) else sorted(inside)
    if is_dataclass(value) and not isinstance(value, type) and value.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return [type(value).__qualname__, *(_fixed_value(getattr(value, item.name), above) for item in fields(value))]
    if inspect.isfunction(value) or inspect.ismethod(value) or isinstance(value, partial):
        if any(value is function for function in above):
            return "itself"
        return [_code(value if hasattr(value, "__qualname__") else type(value)), _bound(value, above)]
    return type(value).__qualname__


def _code(kind: Any) -> str:
    try:
        return inspect.getsource(kind)
    except (OSError, TypeError):  # typed at a prompt, or made by exec
        inside = getattr(kind, "__dict__", {}).values()  # a builtin has neither source nor code
        functions = [kind] if hasattr(kind, "__code__") else [item for item in inside if hasattr(item, "__code__")]
        return repr([_code_parts(function.__code__) for function in functions])


def _code_parts(code: CodeType) -> tuple[Any, ...]:
    constants = [_code_parts(item) if isinstance(item, CodeType) else repr(item) for item in code.co_consts]
    return code.co_code, constants, code.co_names
