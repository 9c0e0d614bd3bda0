"""`Answer` and `NoValue`: what becomes of a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ringtrue.models.reply import Reply
from ringtrue.models.structured.features import OutputMode
from ringtrue.models.usage import Usage
from ringtrue.records import Json


@dataclass(frozen=True, slots=True)
class Answer:
    """A value that fits, the reply it was read from, and how it was got."""

    value: Json
    reply: Reply
    usage: Usage
    mode: OutputMode
    start: int = -1
    """Where in the reply's text the value's object begins; -1 where it had to be repaired."""


@dataclass(frozen=True, slots=True)
class NoValue:
    """No usable value; `status` is the HTTP status where there was one.

    `kind` is `unreadable`, `truncated`, `refused`, `no_tools` (the endpoint does not accept functions), or the kind
    of the ModelError: `timeout`, `connection` …  `said` is the beginning of the reply, for a message; `whole` is all
    of it.
    """

    kind: str
    reason: str
    usage: Usage
    said: str = ""
    status: int | None = None
    whole: str = ""


Outcome: TypeAlias = Answer | NoValue
