"""`Usage`: what answers took."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Iterable
from dataclasses import dataclass

from ringtrue.errors import ModelError
from ringtrue.models.reply import Reply
from ringtrue.records import Json


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls that reached an endpoint, with their tokens and dollars; what a cache answered is a hit and took nothing.

    Tokens and cost are None where an endpoint did not say; a sum with an unknown in it is unknown.
    """

    calls: int = 0
    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cost: float | None = 0.0
    cache_hits: int = 0
    models: tuple[str, ...] = ()
    prompt_hashes: tuple[str, ...] = ()

    @classmethod
    def of(cls, took: Reply | ModelError | CancelledError, prompt_hash: str = "", model: str = "") -> Usage:
        """The usage of one reply, or of the attempts at one; that of a cancelled or timed-out call is unknown
        what: endpoints charge for answers that come too late.

        `model` is the name asked for, which holds where no reply names another.
        """
        hashes = (prompt_hash,) if prompt_hash else ()
        answered = took.model if isinstance(took, Reply) else ""
        models = (answered or model,) if answered or model else ()
        if isinstance(took, CancelledError):
            attempts = getattr(took, "attempts", 1)
            spent = None if attempts else 0
            return cls(attempts, spent, spent, spent, 0, models, hashes)
        if isinstance(took, ModelError):
            unknown = None if took.timeouts else 0
            return cls(took.attempts, unknown, unknown, unknown, models=models, prompt_hashes=hashes)
        if took.cached:
            return cls(cache_hits=1, models=models, prompt_hashes=hashes)
        if took.timeouts:
            return cls(took.attempts, None, None, None, 0, models, hashes)
        return cls(took.attempts, took.input_tokens, took.output_tokens, took.cost, 0, models, hashes)

    @classmethod
    def total(cls, usages: Iterable[Usage]) -> Usage:
        """The sum of usages."""
        several = list(usages)
        return cls(
            sum(one.calls for one in several),
            _sum([one.input_tokens for one in several]),
            _sum([one.output_tokens for one in several]),
            _cost([one.cost for one in several]),
            sum(one.cache_hits for one in several),
            _distinct(name for one in several for name in one.models),
            _distinct(name for one in several for name in one.prompt_hashes),
        )

    @property
    def tokens(self) -> int | None:
        """Tokens sent and received."""
        return (
            None if self.input_tokens is None or self.output_tokens is None else self.input_tokens + self.output_tokens
        )

    def metadata(self) -> dict[str, Json]:
        """The usage as a result carries it."""
        return {
            "calls": self.calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "tokens": self.tokens,
            "cost": self.cost,
            "cache_hits": self.cache_hits,
            "model": ", ".join(self.models),
            "prompt_hash": ", ".join(self.prompt_hashes),
        }


def _sum(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _cost(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known, 0.0) if len(known) == len(values) else None


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
