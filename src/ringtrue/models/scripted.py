"""`ScriptedModel`: a model whose replies are written down, for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from ringtrue.errors import ModelError
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request

Line: TypeAlias = str | Reply | Exception


class ScriptedModel:
    """Answers from a list, in order, or from a function of the request; an exception among them is raised.

    `asked` keeps every request. A list that has run out raises a ModelError that says so.
    """

    def __init__(self, replies: Iterable[Line] | Callable[[Request], Line]) -> None:
        self.asked: list[Request] = []
        self._function = replies if callable(replies) else None
        self._lines = [] if callable(replies) else list(replies)

    async def ask(self, request: Request) -> Reply:
        """The next reply."""
        self.asked.append(request)
        line = self._next() if self._function is None else self._function(request)
        if isinstance(line, Exception):
            raise line
        if isinstance(line, Reply):
            return line
        return Reply(line, {"role": "assistant", "content": line}, finish_reason="stop", model=request.model)

    def _next(self) -> Line:
        if len(self.asked) > len(self._lines):
            raise ModelError(
                f"the script has {len(self._lines)} replies and was asked {len(self.asked)} times", kind="malformed"
            )
        return self._lines[len(self.asked) - 1]
