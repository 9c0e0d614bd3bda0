"""What frameworks hand over, read without knowing their classes: attributes or keys, JSON or text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from ringtrue.scoring.json_values.strict_json import read_json


def part(value: Any, name: str) -> Any:
    """An attribute, or the value under a key, or None."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def arguments(raw: Any) -> dict[str, Any]:
    """The arguments of a call: an object as it is or in JSON; what is neither is the argument `input`."""
    if isinstance(raw, Mapping):
        return dict(raw)
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return {}
    found = read_json(raw).value if isinstance(raw, str) else None
    return found if isinstance(found, dict) else {"input": str(raw)}


def shown(value: Any) -> str:
    """A result as text: text as it is, a message's text, structures as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, (dict, list, tuple)):
        try:
            return json.dumps(value, default=str)
        except (TypeError, ValueError, RecursionError):
            return f"<{type(value).__name__} that JSON cannot hold>"
    content = getattr(value, "content", None)
    return content if isinstance(content, str) else str(value)


def texts(content: Any) -> list[str]:
    """The texts in a message's content: the content itself, or the `text` of its blocks."""
    if isinstance(content, str):
        return [content]
    blocks = content if isinstance(content, (list, tuple)) else ()
    found = [block if isinstance(block, str) else part(block, "text") for block in blocks]
    return [text for text in found if isinstance(text, str)]


def required(module: str, who: str, install: str) -> ModuleType:
    """A module of a framework, or an ImportError that says what to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"{who} needs {install}: pip install {install}") from error
