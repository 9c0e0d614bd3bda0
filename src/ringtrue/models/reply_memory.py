"""`Memory`: the replies of this process, kept where no store keeps them."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from threading import Lock

from ringtrue.errors import ConfigurationError
from ringtrue.models.model import Model, has_address
from ringtrue.models.reply import Reply

SETTING = "RINGTRUE_CACHE"
"""With the value 0 in the environment nothing is remembered."""
MAX_REPLIES = 10_000
MAX_BYTES = 64 * 2**20


class Memory:
    """Replies by their keys until the process ends; over either bound the least recently used goes first.

    A reply that is larger than all the room, or that JSON cannot hold, is not kept.
    """

    def __init__(self, max_replies: int = MAX_REPLIES, max_bytes: int = MAX_BYTES) -> None:
        self.max_replies, self.max_bytes = max_replies, max_bytes
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    @classmethod
    def from_env(cls) -> Memory | None:
        """The one memory of this process, or None where the environment says RINGTRUE_CACHE=0."""
        if os.environ.get(SETTING) == "0":
            return None
        # A forked child inherits a lock that nobody in it may open: it has a memory of its own.
        process = os.getpid()
        return _MEMORIES.get(process) or _MEMORIES.setdefault(process, cls())

    @property
    def size(self) -> tuple[int, int]:
        """How many replies are kept, and in how many bytes."""
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


_MEMORIES: dict[int, Memory] = {}
"""Process -> its memory."""


@dataclass(frozen=True, slots=True)
class Part:
    """The cache of one owner in a memory: two API keys at one address do not see each other's replies."""

    memory: Memory
    owner: str

    async def get(self, key: str) -> Reply | None:
        """The owner's reply to the request with this key."""
        return self.memory.find(self.owner + key)

    async def put(self, key: str, reply: Reply) -> None:
        """Keep a reply for the owner."""
        self.memory.keep(self.owner + key, reply)


def part_for(model: Model) -> Part | None:
    """Where a model's replies are remembered, or None: where nothing is, or where a cache keeps them already.

    Nor are those of a user's own model, which is code that may change behind its name or address: ringtrue's own say
    whose their replies are, in `owner`.
    """
    owner = getattr(model, "owner", None)
    memory = Memory.from_env() if isinstance(owner, str) and has_address(model) else None
    return None if memory is None else Part(memory, str(owner))
