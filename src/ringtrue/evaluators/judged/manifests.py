"""`Manifests`: generated descriptions of what assistants can do, each made once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ringtrue.dialects.tools import tools_of
from ringtrue.evaluators.judged.ledger import Ledger, value_of
from ringtrue.evaluators.judged.prompt import prompt

KEPT = 64


class Manifests:
    """Keeps the manifests of the last system prompts and tools; another prompt or tool has another manifest."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str, str, str], str] = {}

    async def manifest(self, system: str, tools: Sequence[Any], ledger: Ledger) -> str:
        """The manifest of a system prompt and tools with their parameters."""
        described = "\n\n".join(tool.text() for tool in tools_of(tools)) or "(no tools)"
        key = (system, described, *ledger.asker.target(ledger.model))
        found = self._made.get(key)
        if found is None:
            texts = {"system_prompt": system or "(none)", "tools": described}
            found = str(value_of(await ledger.ask(prompt("capability_manifest").question(texts, None))).value)
            if len(self._made) >= KEPT:
                self._made.pop(next(iter(self._made)))
            self._made[key] = found
        return found
