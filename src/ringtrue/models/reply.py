"""`Reply`: what came back, and what it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

from ringtrue.jsontext import json_bytes, parse_json
from ringtrue.records import Json


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of a model; a value that the endpoint did not report is None.

    `latency_seconds` is the time of the last attempt, without queueing, retries and waits. `cost` is in US dollars.
    `cached` is True if the reply comes from a cache; its tokens and cost are those of the original request.
    """

    text: str
    message: Mapping[str, Json] = field(default_factory=dict)
    tool_calls: Sequence[Mapping[str, Json]] = field(default_factory=list)
    finish_reason: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_seconds: float | None = None
    attempts: int = 1
    cost: float | None = None
    model: str = ""
    logprobs: Sequence[Mapping[str, Json]] | None = None
    cached: bool = False
    timeouts: int = 0
    """How many earlier attempts ended without an answer; their cost is unknown."""
    cached_input_tokens: int | None = None
    """The part of the input tokens that the endpoint had at hand and may charge less for."""
    is_value: bool = False
    """The text is the JSON of a dict that a user's function returned: no judged text can have written it."""

    @property
    def refusal(self) -> str:
        """The model's words instead of an answer, or the empty string."""
        refusal = self.message.get("refusal")
        return refusal if isinstance(refusal, str) else ""

    def to_bytes(self) -> bytes:
        """The reply as JSON, for a store."""
        return json_bytes(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> Reply:
        """The reply that `to_bytes` wrote; fields of a newer version are left out."""
        values = parse_json(data)
        return cls(**{name: values[name] for name in _NAMES if name in values})


_NAMES = tuple(item.name for item in fields(Reply))
