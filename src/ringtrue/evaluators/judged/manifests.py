"""`Manifests`: generated descriptions of what assistants can do, each made once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, TypeAlias

from ringtrue.dialects.tools import tools_of
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.session import JudgeSession, value_of

KEPT = 64
_Key: TypeAlias = tuple[str, str, str, str]


class Manifests:
    """Keeps the manifests of the last system prompts and tools; another prompt or tool has another manifest."""

    def __init__(self) -> None:
        self._made: dict[_Key, str] = {}
        self._under_way: dict[tuple[asyncio.AbstractEventLoop, _Key], asyncio.Event] = {}

    async def manifest(self, system: str, tools: Sequence[Any], session: JudgeSession) -> str:
        """The manifest of a system prompt and tools with their parameters; those who want it at once ask once."""
        described = "\n\n".join(tool.text() for tool in tools_of(tools)) or "(no tools)"
        key = (system, described, *session.structured_model.target(session.model))
        place = (asyncio.get_running_loop(), key)
        while (other := self._under_way.get(place)) is not None:
            await other.wait()
        if key not in self._made:
            self._under_way[place] = asyncio.Event()
            try:
                texts = {"system_prompt": system or "(none)", "tools": described}
                made = value_of(await session.ask(prompt("capability_manifest").question(texts, None))).value
            finally:
                self._under_way.pop(place).set()
            while len(self._made) >= KEPT:
                self._made.pop(next(iter(self._made)))
            self._made[key] = str(made)
        return self._made[key]
