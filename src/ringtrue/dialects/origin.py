"""Whose code it is: the name and the identity of a user's object or function."""

from __future__ import annotations

import hashlib
import inspect
import re
from types import CodeType
from typing import Any


def name_of(obj: Any) -> str:
    """The name an object goes by: its own, its function's or its class's."""
    return str(getattr(obj, "name", None) or getattr(obj, "__name__", None) or type(obj).__name__)


def origin(obj: Any) -> str:
    """Where an object's code is, with a hash of the code and of the object's attributes; the same in every process."""
    kind = obj if hasattr(obj, "__qualname__") else type(obj)
    settings = "" if kind is obj else repr(sorted(getattr(obj, "__dict__", {}).items(), key=lambda item: item[0]))
    settings = re.sub(r" at 0x[0-9a-f]+", "", settings)  # addresses differ from run to run
    digest = hashlib.sha256((_code(kind) + settings).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    module = getattr(kind, "__module__", None) or "builtins"  # a method of a builtin type has none
    return f"{module}.{kind.__qualname__}|sha256:{digest}"


def _code(kind: Any) -> str:
    try:
        return inspect.getsource(kind)
    except (OSError, TypeError):  # typed at a prompt, or made by exec
        inside = getattr(kind, "__dict__", {}).values()  # a builtin has neither source nor code
        functions = [kind] if hasattr(kind, "__code__") else [item for item in inside if hasattr(item, "__code__")]
        return repr([_compiled(function.__code__) for function in functions])


def _compiled(code: CodeType) -> tuple[Any, ...]:
    constants = [_compiled(item) if isinstance(item, CodeType) else repr(item) for item in code.co_consts]
    return code.co_code, constants, code.co_names
