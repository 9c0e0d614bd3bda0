"""`CachedModel`: a model that is asked each question once; `ReplyMemory`: replies kept where no store keeps them."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Protocol, TypeAlias

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.jsontext import json_text
from ringtrue.models.model import Model, has_address, layers
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.structured.nonces import Nonces


class ResponseCache(Protocol):
    """Keeps replies by the key of their request; what `put` has returned from survives the process."""

    async def get(self, key: str) -> Reply | None: ...

    async def put(self, key: str, reply: Reply) -> None: ...


_Question: TypeAlias = tuple[asyncio.AbstractEventLoop, str]
"""A key, and the event loop its futures belong to."""


class CachedModel:
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
            # The task that was asking was cancelled; the next in line takes over.
        waiting = self._under_way[question] = []
        try:
            stored = await self.cache.get(key)
            if stored is not None:
                reply = replace(stored, cached=True)
            else:
                reply = await sent(self.model, request)
                await self.cache.put(key, reply)
        except asyncio.CancelledError:
            self._pass_on(question, waiting, None)
            raise
        except BaseException as error:  # those who wait for the same answer get the error as well
            self._pass_on(question, waiting, error)
            raise
        self._pass_on(question, waiting, reply)
        return reply

    def _pass_on(
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
    """Whether a model has a cache."""
    return any(isinstance(one, CachedModel) for one in layers(model))


def as_reply(said: object, request: Request) -> Reply:
    """Turn what a model returned into a reply: a user's own model may return the text alone, or the wanted value."""
    if isinstance(said, Reply):
        return said
    if isinstance(said, Mapping):
        return replace(as_reply(json_text(said), request), is_value=True)
    if isinstance(said, str):
        return Reply(said, {"role": "assistant", "content": said}, finish_reason="stop", model=request.model)
    raise ModelError(f"the model gave a {type(said).__name__}, not a text, a dict or a Reply", kind="malformed")


async def sent(model: Model, request: Request) -> Reply:
    """The reply to a request that goes out now, in random words of its own; a cache on its way sends it itself."""
    if is_cached(model):
        return await model.ask(request)
    words = Nonces.drawn(request)
    try:
        return words.reply(as_reply(await model.ask(words.request(request)), request))
    except Exception as error:  # an endpoint's complaint may repeat what it was sent, and is kept as a reason
        error.args = tuple(words.back(part) if isinstance(part, str) else part for part in error.args)
        raise


SETTING = "RINGTRUE_CACHE"
"""With the value 0 in the environment nothing is remembered."""
MAX_REPLIES = 10_000
MAX_BYTES = 64 * 2**20


class ReplyMemory:
    """Replies by their keys until the process ends; over either bound the least recently used goes first.

    A reply that is larger than all the room, or that JSON cannot hold, is not kept.
    """

    def __init__(self, max_replies: int = MAX_REPLIES, max_bytes: int = MAX_BYTES) -> None:
        self.max_replies, self.max_bytes = max_replies, max_bytes
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    @classmethod
    def from_env(cls) -> ReplyMemory | None:
        """The one memory of this process, or None where the environment says RINGTRUE_CACHE=0."""
        if os.environ.get(SETTING) == "0":
            return None
        # A forked child inherits a lock that no thread in it can open: it has a memory of its own.
        process = os.getpid()
        return _MEMORIES.get(process) or _MEMORIES.setdefault(process, cls())

    @property
    def size(self) -> tuple[int, int]:
        """Return the number of replies, and their bytes."""
        with self._lock:
            return len(self._kept), self._bytes

    def find(self, key: str) -> Reply | None:
        """The reply with this key, which is now the most recently used."""
        with self._lock:
            data = self._kept.get(key)
            if data is None:
                return None
            self._kept.move_to_end(key)
        return Reply.from_bytes(data)

    def keep(self, key: str, reply: Reply) -> None:
        """Keep a reply in place of an earlier one with its key."""
        try:
            data = reply.to_bytes()
        except ConfigurationError:  # nested too deeply
            return
        with self._lock:
            self._drop(key)
            if len(data) > self.max_bytes:
                return
            self._kept[key] = data
            self._bytes += len(data)
            while self._bytes > self.max_bytes or len(self._kept) > self.max_replies:
                self._bytes -= len(self._kept.popitem(last=False)[1])

    def forget(self, keys: Iterable[str] | None = None) -> None:
        """Drop the replies with these keys, or all."""
        with self._lock:
            for key in list(self._kept) if keys is None else keys:
                self._drop(key)

    def _drop(self, key: str) -> None:
        self._bytes -= len(self._kept.pop(key, b""))


_MEMORIES: dict[int, ReplyMemory] = {}
"""Process -> its memory."""


@dataclass(frozen=True, slots=True)
class MemoryPart:
    """The cache of one owner in a memory: two API keys at one address do not see each other's replies."""

    memory: ReplyMemory
    owner: str

    async def get(self, key: str) -> Reply | None:
        """The owner's reply to the request with this key."""
        return self.memory.find(self.owner + key)

    async def put(self, key: str, reply: Reply) -> None:
        """Keep a reply for the owner."""
        self.memory.keep(self.owner + key, reply)


def part_for(model: Model) -> MemoryPart | None:
    """Return the part of a cache for a model's replies; None without a cache, or if the model has one.

    The replies of a user's own model are not kept: its code may change behind its name or address. ringtrue's models
    name the owner of their replies in `owner`.
    """
    owner = getattr(model, "owner", None)
    memory = ReplyMemory.from_env() if isinstance(owner, str) and has_address(model) else None
    return None if memory is None else MemoryPart(memory, str(owner))
