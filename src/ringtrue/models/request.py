"""`Request`: everything that decides what a model is asked, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal, TypeAlias

from ringtrue.errors import ConfigurationError
from ringtrue.identity import digest
from ringtrue.jsontext import json_bytes
from ringtrue.records import Json

Api: TypeAlias = Literal["chat", "responses"]
_WORD = re.compile(r"[0-9a-f]{12,}")


@dataclass(frozen=True, slots=True)
class Request:
    """One question to one model; two requests with equal keys would be sent as equal bytes to the same place.

    `parameters` go into the body as they are (`temperature`, `max_tokens`, `tools`, `response_format` …). The API key
    is not part of a request. `words` occur in the messages and are replaced by random ones when the request is sent;
    the key contains the original words. `timeout_seconds`, the time limit of one attempt, is not part of the key; None
    leaves it to the endpoint.
    """

    endpoint: str
    model: str
    messages: Sequence[Mapping[str, Json]]
    parameters: Mapping[str, Json] = field(default_factory=dict)
    api: Api = "chat"
    words: tuple[str, ...] = field(default=(), compare=False)
    timeout_seconds: float | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        _require_json(self.messages, "messages")
        _require_json(self.parameters, "parameters")
        for name, allowed in (("endpoint", str), ("model", str), ("messages", (list, tuple)), ("parameters", dict)):
            value = getattr(self, name)
            if not isinstance(value, allowed):
                raise _wrong(f"has the type {type(value).__name__}", name, value)
        if self.api not in ("chat", "responses"):
            raise _wrong("must be 'chat' or 'responses'", "api", self.api)
        for word in self.words:
            if not _WORD.fullmatch(word):
                raise _wrong("must have twelve or more hexadecimal digits each", "words", word)
        if self.parameters.get("stream"):
            raise _wrong("must be absent: replies are read whole", "parameters.stream", True)

    def body(self) -> bytes:
        """The JSON that is sent; a parameter wins over the field of the same name."""
        messages = "messages" if self.api == "chat" else "input"
        return json_bytes({"model": self.model, messages: self.messages, **self.parameters})

    def key(self, repeat: int = 0) -> str:
        """The SHA-256 of all that decides the reply, and of which repetition this is."""
        parts = [self.endpoint, self.model, self.messages, self.parameters, self.api, repeat]
        return digest(json_bytes(parts, sort_keys=True))


def _require_json(value: Json, where: str, depth: int = 0) -> None:
    """Raise a ConfigurationError that names the first value below `where` that JSON cannot hold."""
    if depth > 200:
        raise _wrong("is nested deeper than 200 levels", where[:80] + "…", None)
    if value is None or isinstance(value, (str, int)):
        return
    if isinstance(value, float):
        if not isfinite(value):
            raise _wrong("is not a finite number", where, value)
    elif isinstance(value, dict):
        for name, item in value.items():
            if not isinstance(name, str):
                raise _wrong("has a key that is not a string", where, name)
            if not isinstance(item, str):
                _require_json(item, f"{where}.{name}", depth + 1)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            _require_json(item, f"{where}[{index}]", depth + 1)
    else:
        raise _wrong(f"is a {type(value).__name__}, which JSON does not have", where, value)


def _wrong(why: str, where: str, value: object) -> ConfigurationError:
    shown = repr(value)
    return ConfigurationError(
        f"a request's {where} {why}: {shown if len(shown) <= 80 else shown[:80] + '…'}", parameter=where, value=value
    )
