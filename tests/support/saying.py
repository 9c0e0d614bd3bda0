"""A judge on loopback that replies in words of the test's choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, repeat
from typing import Any

from support.judge_endpoint import JudgeEndpoint


class SayingEndpoint(JudgeEndpoint):
    """Replies with these texts in order, the last one ever after; or with what a function makes of the prompt."""

    def __init__(self, replies: str | Iterable[str] | Callable[[str], str]) -> None:
        super().__init__("chat")
        texts = [replies] if isinstance(replies, str) else [] if callable(replies) else list(replies)
        self._function = replies if callable(replies) else None
        self._texts = chain(texts, repeat(texts[-1] if texts else ""))

    def text(self, body: dict[str, Any]) -> str:
        prompt = str(body["messages"][-1]["content"])
        return self._function(prompt) if self._function is not None else next(self._texts)

    @property
    def prompts(self) -> list[str]:
        """What it was asked."""
        return [str(body["messages"][-1]["content"]) for body in self.asked]


Judge = Callable[..., SayingEndpoint]
"""Makes an endpoint with these replies the judge of a test."""
