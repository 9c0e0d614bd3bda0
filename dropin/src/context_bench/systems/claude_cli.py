"""`ClaudeCLI`: the `claude` program as a system."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from ringtrue.records import Case
from ringtrue.sync import run_sync
from ringtrue.systems.command import Command, CommandFailed


class ClaudeCLI:
    """Runs `claude -p` once per example, the prompt on its standard input; a program that fails is an error."""

    def __init__(
        self,
        name: str = "claude",
        model: str | None = None,
        max_turns: int | None = None,
        allowed_tools: Sequence[str] | None = None,
        system_prompt: str | None = None,
        timeout: float = 120.0,
        build_prompt: Callable[[dict[str, Any]], str] | None = None,
    ) -> None:
        self.name, self.timeout, self.build_prompt = name, timeout, build_prompt
        options = {
            "--model": model,
            "--system-prompt": system_prompt,
            "--max-turns": None if max_turns is None else str(max_turns),
            "--allowedTools": ",".join(allowed_tools) if allowed_tools else None,
        }
        given = [word for option, value in options.items() if value is not None for word in (option, value)]
        self.words = ["claude", "-p", *given]

    def process(self, example: dict[str, Any]) -> dict[str, Any]:
        """The example with what the program prints as its `response`."""
        prompt = self.build_prompt(example) if self.build_prompt else _prompt(example)
        try:
            return {**example, "response": run_sync(self._answer(prompt)).strip()}
        except CommandFailed as error:
            raise RuntimeError(str(error)) from error

    def __repr__(self) -> str:
        return f"ClaudeCLI({self.name!r}, {self.words!r})"

    async def _answer(self, prompt: str) -> str:
        async with asyncio.timeout(self.timeout):
            return (await Command(self.words).answer(Case(input=prompt))).text


def _prompt(example: dict[str, Any]) -> str:
    context, question = str(example.get("context") or ""), str(example.get("question") or "")
    if not question:
        return context
    return f"{context}\n\nQuestion: {question}\n\nAnswer as briefly as you can.".lstrip()
