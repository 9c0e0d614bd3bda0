"""`Model`: what can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from ringtrue.models.reply import Reply
from ringtrue.models.request import Request

LOCAL = "local"
"""How the place of a model in this process begins, before a colon."""


class Model(Protocol):
    """Any object with `ask(request)` that returns a Reply or raises a ModelError."""

    async def ask(self, request: Request) -> Reply: ...


def layers(model: Any) -> Iterator[Any]:
    """A model and those inside it, such as the one behind a cache; the last is asked in the end."""
    yield model
    while hasattr(inner := getattr(model, "model", None), "ask"):
        yield (model := inner)


def innermost(model: Any) -> Any:
    """The model inside wrappers such as `Cached`."""
    *_, inner = layers(model)
    return inner


def place(model: Any) -> str:
    """Return the text that identifies a model's address in requests; without an address, the name of its class."""
    inner = innermost(model)
    return str(getattr(inner, "base_url", None) or getattr(inner, "endpoint", None) or type(inner).__name__.lower())


def has_address(model: Any) -> bool:
    """Whether a model is known by where it is.

    One without an address is code, which may change behind its name; and so is a wrapper of another model.
    """
    return innermost(model) is model and ("://" in place(model) or is_local(model))


def is_local(model: Any) -> bool:
    """Whether a model is in this process."""
    return place(model).startswith(f"{LOCAL}:")
