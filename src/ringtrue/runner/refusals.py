"""`Refusals`: when a system that refuses every question need not be asked the rest."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

from ringtrue.errors import ModelError

ENOUGH = 5
"""How many equal refusals in a row stop the questions."""
FIRST_ANSWER_SECONDS = 1.0
"""How long the questions after the first few wait to see whether an endpoint refuses those."""


@dataclass
class Refusals:
    """Equal refusals of a key, a model or an address in a row; enough of them stop a run.

    A connection that fails counts while nothing was answered at all: later it may be a server that starts again.
    """

    kind: str = ""
    count: int = 0
    answered: bool = False
    stopped_by: str = ""
    patience_seconds: float = 0.0
    _waiting_ends: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait_for_first_answer(self) -> None:
        """Return at the first answer, or after `patience_seconds`: a refusal comes sooner than most answers."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.patience_seconds):
                await self._waiting_ends.wait()

    def end_waiting(self) -> None:
        """Nothing is gained by waiting any longer."""
        self._waiting_ends.set()

    def note_answer(self) -> None:
        """A question was answered."""
        self.answered = True
        self.end_waiting()
        self.count = 0

    def note_failure(self, error: ModelError) -> None:
        """A question was not answered."""
        denied = error.is_denied
        kind = str(error.status) if denied else "connection" if error.kind == "connection" and not self.answered else ""
        self.count = self.count + 1 if kind == self.kind else 1
        self.kind = kind
        if kind and self.count >= ENOUGH and not self.stopped_by:
            self.stopped_by = f"{error}; {ENOUGH} questions in a row ended so, and the rest was not asked"
