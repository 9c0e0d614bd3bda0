"""`Model`: what can be asked."""

from __future__ import annotations

from typing import Protocol

from ringtrue.models.reply import Reply
from ringtrue.models.request import Request


class Model(Protocol):
    """Anything that turns a request into a reply, or raises a ModelError."""

    async def ask(self, request: Request) -> Reply: ...
