"""The embedded local model: real weights in this process, no key and no network."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ringtrue.errors import ConfigurationError
from ringtrue.jsontext import json_bytes
from ringtrue.models.client.response_bodies import read_reply
from ringtrue.models.local import weights
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.records import Json
from ringtrue.require import require_count, require_number

if TYPE_CHECKING:
    from ringtrue.models.local.engine import Engine

CONTEXT_TOKENS = 4096
# llama.cpp reads the largest 32-bit number as "any seed".
SEEDS = 2**32 - 1


class LocalModel:
    """A GGUF model in this process (SmolLM2-135M-Instruct unless a path is given): the same request, the same text.

    It loads at the first call, takes one call at a time, and is shared by all LocalModels with equal settings. By
    default, decoding is greedy, seeded and short. `reuse_prefix` computes the common beginning of consecutive prompts
    only once; the text may then depend on earlier requests.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        context_tokens: int = CONTEXT_TOKENS,
        max_tokens: int = 512,
        seed: int = 0,
        threads: int = 1,
        timeout_seconds: float = 120.0,
        reuse_prefix: bool = False,
    ) -> None:
        for name, number in (("context_tokens", context_tokens), ("max_tokens", max_tokens), ("threads", threads)):
            require_count(name, number)
        require_count("seed", seed, least=0, most=SEEDS - 1)
        require_number("timeout_seconds", timeout_seconds, above=0)
        self._embedded = path is None
        self._load: dict[str, Any] = {
            "context_tokens": context_tokens,
            "threads": threads,
            "reuse_prefix": reuse_prefix,
        }
        self.path = weights.find(path)
        self.name = weights.NAME if self._embedded else self.path.name
        self.owner = ""
        self.timeout_seconds = timeout_seconds
        self.defaults: Mapping[str, Json] = {"temperature": 0.0, "seed": seed, "max_tokens": max_tokens}
        self._engine: Engine | None = None
        self._process = 0

    @property
    def endpoint(self) -> str:
        """The text that replaces this model's address in requests: the weights and all that changes the answers."""
        file = self.path.stat()
        which = weights.SHA256[:16] if self._embedded else f"{self.path.resolve()}#{file.st_size}-{file.st_mtime_ns}"
        settings = "&".join(f"{name}={value}" for name, value in self._load.items())
        return f"local:{which}?engine={weights.installed_version(weights.ENGINE)}&{settings}"

    def request(self, messages: Sequence[Mapping[str, Json]], parameters: Mapping[str, Json] | None = None) -> Request:
        """A request to this model that spells its defaults out, so that its key covers them."""
        return Request(self.endpoint, self.name, messages, {**self.defaults, **(parameters or {})})

    async def ask(self, request: Request) -> Reply:
        """The reply to a chat request; its latency has neither queueing nor loading in it."""
        if request.api != "chat":
            raise ConfigurationError(
                f"the local model answers 'chat' requests, not {request.api!r}; 'ringtrue local serve' answers both",
                parameter="api",
                value=request.api,
            )
        patience = request.timeout_seconds or self.timeout_seconds
        whole, seconds = await self._borrow().answer(self._body(request), patience)
        return replace(read_reply(json_bytes(whole)), latency_seconds=seconds, cost=0.0, model=self.name)

    async def close(self) -> None:
        """Let go of the model; its memory is free when all who share it did so. A later `ask` loads again."""
        engine, self._engine = self._engine, None
        if engine is not None and self._process == os.getpid():
            from ringtrue.models.local.engine import give_back

            await asyncio.to_thread(give_back, engine)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _borrow(self) -> Engine:
        if self._engine is None or self._process != os.getpid():
            from ringtrue.models.local.engine import borrow
            from ringtrue.models.local.llama import Settings

            wanted = Settings(None if self._embedded else self.path, **self._load)
            self._engine, self._process = borrow(wanted), os.getpid()
        return self._engine

    def _body(self, request: Request) -> dict[str, Json]:
        given = {name: value for name, value in request.parameters.items() if value is not None}
        if "max_completion_tokens" in given:
            given["max_tokens"] = given.pop("max_completion_tokens")
        body = {"messages": request.messages, **self.defaults, **given}
        if isinstance(body["seed"], int):
            body["seed"] %= SEEDS
        return body
