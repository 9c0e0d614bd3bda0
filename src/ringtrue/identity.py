"""What makes two things the same: digests, canonical JSON, and the identity of a user's object or function."""

from __future__ import annotations

import base64
import hashlib
import inspect
import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import partial
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


def origin(obj: Any) -> str:
    """Where an object's code is, with a hash of the code and of how it is set; the same in every process.

    An object is set by its attributes; a function by its defaults, what it closes over, the object it is a method of
    and the arguments it is given beforehand, as far as these cannot change while it is used.
    """
    kind = obj if hasattr(obj, "__qualname__") else type(obj)
    if kind is obj or isinstance(obj, partial):
        settings = _bound(obj, [])
    else:
        settings = repr(sorted(getattr(obj, "__dict__", {}).items(), key=lambda item: item[0]))
    settings = re.sub(r" at 0x[0-9a-f]+", "", settings)  # addresses differ from run to run
    module = getattr(kind, "__module__", None) or "builtins"  # a method of a builtin type has none
    return f"{module}.{kind.__qualname__}|sha256:{digest(_code(kind), settings)[:16]}"


def _bound(function: Any, above: list[Any]) -> str:
    """What a function has beside its code, as text; empty where it has nothing."""
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
