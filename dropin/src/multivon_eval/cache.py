"""`JudgeCache`: what judges said, kept in a store of ringtrue; off unless it is asked for."""

from __future__ import annotations

import os
import threading
import time
import weakref
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multivon_eval.exceptions import CacheError
from ringtrue.errors import RingtrueError
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.sync import run

if TYPE_CHECKING:
    from multivon_eval.judge import JudgeConfig

__all__ = [
    "CacheStats", "JudgeCache", "cache_is_user_opted_in", "get_cache", "reset_cache_singleton", "set_cache",
]  # fmt: skip


@dataclass
class CacheStats:
    """How often a reply was there, was not, was kept, and could not be read or kept."""

    hits: int = 0
    misses: int = 0
    writes: int = 0
    errors: int = 0

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return asdict(self)


class JudgeCache:
    """Replies by all that decides them, in one SQLite file; with `ttl`, for so many seconds."""

    def __init__(self, db_path: Path | str | None = None, *, ttl: float | None = None) -> None:
        from ringtrue.store.database import Database  # what needs SQLAlchemy waits until something is kept
        from ringtrue.store.responses import Responses

        folder = Path(os.environ.get("MULTIVON_CACHE_DIR") or "~/.cache/multivon-eval").expanduser()
        self.db_path = Path(db_path) if db_path is not None else folder / "judge.db"
        self.ttl, self.stats = ttl, CacheStats()
        self._lock = threading.Lock()
        try:
            database = Database(f"sqlite:///{self.db_path}")
        except (OSError, RingtrueError) as error:
            raise CacheError(f"cannot open the judge cache {str(self.db_path)!r}: {error}") from error
        self._replies = Responses(database)
        weakref.finalize(self, database.close)  # its users have nothing to close it with

    def get(self, prompt: str, config: JudgeConfig) -> str | None:
        """The reply that was kept; None where there is none, or it is too old."""
        found = self._done("read", self._kept, _hash_call(prompt, config))
        self._count("misses" if found is None else "hits")
        return None if found is None else str(found.text)

    def put(self, prompt: str, config: JudgeConfig, value: str) -> None:
        """Keep a reply, in the place of an earlier one."""
        self._done("write", self._keep, _hash_call(prompt, config), Reply(value, model=config.model))
        self._count("writes")

    def clear(self) -> int:
        """Forget all replies; how many there were."""
        return int(self._done("clear", self._replies.forget))

    def size(self) -> int:
        """How many replies are kept."""
        return int(self._done("read", self._replies.count))

    def _kept(self, key: str) -> Reply | None:
        since = self._replies.since(key)
        old = since is None or (self.ttl is not None and time.time() - since > self.ttl)
        return None if old else run(self._replies.get(key))

    def _keep(self, key: str, reply: Reply) -> None:
        self._replies.forget(key)
        run(self._replies.put(key, reply))

    def _done(self, verb: str, action: Any, *arguments: Any) -> Any:
        try:
            return action(*arguments)
        except RingtrueError as error:
            self._count("errors")
            raise CacheError(f"cannot {verb} the judge cache {str(self.db_path)!r}: {error}") from error

    def _count(self, what: str) -> None:
        with self._lock:
            setattr(self.stats, what, getattr(self.stats, what) + 1)


_LOCK = threading.Lock()
_CACHE: JudgeCache | None = None
_CHOSEN = False


def get_cache() -> JudgeCache:
    """The cache of this process, made at the first call; MULTIVON_CACHE_TTL bounds the age of its replies."""
    global _CACHE
    with _LOCK:
        if _CACHE is None:
            seconds = os.environ.get("MULTIVON_CACHE_TTL")
            _CACHE = JudgeCache(ttl=float(seconds) if seconds else None)
        return _CACHE


def set_cache(cache: JudgeCache | None) -> None:
    """Make this the cache of the process, used by every judge from now on; None takes it away."""
    global _CACHE, _CHOSEN
    with _LOCK:
        _CACHE, _CHOSEN = cache, cache is not None


def cache_is_user_opted_in() -> bool:
    """Whether `set_cache` was given a cache."""
    return _CHOSEN


def reset_cache_singleton() -> None:
    """Forget which cache this process has; its replies stay."""
    set_cache(None)


def _hash_call(prompt: str, config: JudgeConfig) -> str:
    """The key of ringtrue's own cache: all that decides a reply, and not how long one waits for it."""
    settings = {
        "temperature": config.temperature,
        "max_tokens": config.max_tokens,
        "extra": repr(sorted(config.extra.items())),
    }
    address = f"{config.provider} {config.base_url}"
    return Request(address, config.model, [{"role": "user", "content": prompt}], settings).key()
