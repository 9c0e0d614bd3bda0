"""`OnDemand`: a structured model that asks only while a result is awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from copy import copy

from ringtrue.evaluators.judged.session import JudgeSession
from ringtrue.models.structured.question import Question
from ringtrue.models.structured.structured_model import Outcome, StructuredModel
from ringtrue.records import Json


class OnDemand(StructuredModel):
    """Another one with its memory, its model and more parameters; no question starts before it is wanted."""

    def __init__(
        self, structured_model: StructuredModel, wanted: asyncio.Event, parameters: Mapping[str, Json]
    ) -> None:
        self.__dict__.update(structured_model.__dict__)
        self.parameters = {**parameters, **structured_model.parameters}
        self.wanted = wanted

    async def ask(self, question: Question, model: str = "", **limits: float | None) -> Outcome:
        """The answer to a question, once it is wanted."""
        await self.wanted.wait()
        return await super().ask(question, model, **limits)


def beside(
    session: JudgeSession, model: str, wanted: asyncio.Event, parameters: Mapping[str, Json] | None = None
) -> JudgeSession:
    """A session with the same bill and the same limit that asks another model, only when wanted."""
    other = copy(session)
    other.model = model
    other.structured_model = OnDemand(session.structured_model, wanted, parameters or {})
    return other
