"""`OnDemand`: an asker that asks only while somebody waits for a result."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from copy import copy

from ringtrue.evaluators.judged.session import Ledger
from ringtrue.models.structured.question import Question
from ringtrue.models.structured.structured_model import Asker, Outcome
from ringtrue.records import Json


class OnDemand(Asker):
    """Another asker with its memory, its model and further parameters; no question starts before it is wanted."""

    def __init__(self, asker: Asker, wanted: asyncio.Event, parameters: Mapping[str, Json]) -> None:
        self.__dict__.update(asker.__dict__)
        self.parameters = {**parameters, **asker.parameters}
        self.wanted = wanted

    async def ask(self, question: Question, model: str = "") -> Outcome:
        """The answer to a question, once it is wanted."""
        await self.wanted.wait()
        return await super().ask(question, model)


def beside(ledger: Ledger, model: str, wanted: asyncio.Event, parameters: Mapping[str, Json] | None = None) -> Ledger:
    """A ledger on the same account and the same limit that asks another model, only when wanted."""
    other = copy(ledger)
    other.model = model
    other.asker = OnDemand(ledger.asker, wanted, parameters or {})
    return other
