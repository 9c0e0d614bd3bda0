"""`Cached`: a model that is asked each question once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Protocol, TypeAlias

from ringtrue.models.model import Model, layers
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.structured.nonces import WireWords


class ResponseCache(Protocol):
    """Keeps replies by the key of their request; what `put` has returned from survives the process."""

    async def get(self, key: str) -> Reply | None: ...

    async def put(self, key: str, reply: Reply) -> None: ...


_Question: TypeAlias = tuple[asyncio.AbstractEventLoop, str]
"""A key, and the event loop its futures belong to."""


class Cached:
    """Answers from the cache, else asks the model and stores the reply before it is handed on.

    Equal requests that are under way at once are asked once; a request's failure is everybody's and is not stored.
    `repeat` tells apart the repetitions of one request that are meant.
    """

    def __init__(self, model: Model, cache: ResponseCache) -> None:
        self.model = model
        self.cache = cache
        self._under_way: dict[_Question, list[asyncio.Future[Reply | None]]] = {}

    async def ask(self, request: Request, *, repeat: int = 0) -> Reply:
        """The stored reply, marked as `cached`, or a new one."""
        key = request.key(repeat)
        loop = asyncio.get_running_loop()
        question = (loop, key)
        while (others := self._under_way.get(question)) is not None:
            turn: asyncio.Future[Reply | None] = loop.create_future()
            others.append(turn)
            shared = await turn
            if shared is not None:
                return replace(shared, cached=True)
            # Whoever was asking was cancelled; the next in line takes over.
        waiting = self._under_way[question] = []
        try:
            stored = await self.cache.get(key)
            if stored is not None:
                reply = replace(stored, cached=True)
            else:
                reply = await sent(self.model, request)
                await self.cache.put(key, reply)
        except asyncio.CancelledError:
            self._tell(question, waiting, None)
            raise
        except BaseException as error:  # those who wait for the same answer are told as well
            self._tell(question, waiting, error)
            raise
        self._tell(question, waiting, reply)
        return reply

    def _tell(
        self, question: _Question, waiting: list[asyncio.Future[Reply | None]], what: Reply | BaseException | None
    ) -> None:
        del self._under_way[question]
        for turn in waiting:
            if not turn.done():
                if isinstance(what, BaseException):
                    turn.set_exception(what)
                else:
                    turn.set_result(what)


def is_cached(model: Model) -> bool:
    """Whether a cache stands before a model."""
    return any(isinstance(one, Cached) for one in layers(model))


async def sent(model: Model, request: Request) -> Reply:
    """The reply to a request that goes out now, in random words of its own; a cache on its way sends it itself."""
    if is_cached(model):
        return await model.ask(request)
    words = WireWords.drawn(request)
    try:
        return words.reply(await model.ask(words.request(request)))
    except Exception as error:  # an endpoint's complaint may repeat what it was sent, and is kept as a reason
        error.args = tuple(words.back(part) if isinstance(part, str) else part for part in error.args)
        raise
