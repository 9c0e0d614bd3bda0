"""A model whose replies say what they took."""

from __future__ import annotations

from dataclasses import replace

from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.scripted import ScriptedModel


class Counted:
    """Asks another model; each reply took that many tokens."""

    def __init__(self, asked: ScriptedModel, tokens: int) -> None:
        self.asked, self.tokens = asked, tokens

    async def ask(self, request: Request) -> Reply:
        return replace(await self.asked.ask(request), input_tokens=self.tokens, output_tokens=0)
