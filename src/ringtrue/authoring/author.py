"""`Author`: a model that writes what it is asked for, within a budget."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from ringtrue.authoring.writing import Item, WritingTask
from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.evaluators.judged.session import JudgeSession
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.client.prices import Prices
from ringtrue.models.client.providers import from_env
from ringtrue.models.model import is_local
from ringtrue.models.reply import Reply
from ringtrue.models.structured.structured_model import NoValue, StructuredModel
from ringtrue.models.usage import Usage
from ringtrue.reports.number import count, number
from ringtrue.require import require_number
from ringtrue.runner.judges import IN_FLIGHT, LOCAL, JudgeModel, require_price, structured_model_of, with_cache
from ringtrue.store.database import Database
from ringtrue.store.responses import Responses


@dataclass(frozen=True)
class CostEstimate:
    """About what some writing takes: questions, tokens, and dollars where the model has a price."""

    questions: int
    tokens: int
    cost: float | None

    def line(self, model: str) -> str:
        """The estimate in words."""
        price = "the price is not known" if self.cost is None else f"about {number(self.cost, 'dollars', marked=True)}"
        tokens = number(self.tokens, "tokens", marked=True)
        return f"{count(self.questions, 'question')} to {model}, about {tokens}, {price}"


class Author:
    """Asks a model for what is to be written; what it cannot write is nothing, and `problems` says why.

    A limit that is passed ends the asking; what was written before stays.
    """

    def __init__(
        self,
        structured_model: StructuredModel,
        model: str = "",
        *,
        max_concurrency: int | None = None,
        max_cost: float | None = None,
        max_tokens: int | None = None,
        seed: int = 0,
    ) -> None:
        for name, limit in (("max_cost", max_cost), ("max_tokens", max_tokens)):
            if limit is not None:
                require_number(name, limit, least=0)
        self.structured_model, self.max_cost, self.max_tokens = structured_model, max_cost, max_tokens
        self.endpoint, self.model = structured_model.target(model or BaseEvaluatorConfig.model)
        self.in_flight = max_concurrency or (1 if is_local(structured_model.model) else IN_FLIGHT)
        self.seed = f"seed {seed}" if seed else ""
        self.problems: list[str] = []
        self.session = JudgeSession(structured_model, self.model, max_concurrency=self.in_flight)
        require_price(max_cost, self.endpoint, self.model, "the author", Prices.from_env())

    @property
    def usage(self) -> Usage:
        """The tokens, calls and cost of all writing so far."""
        return self.session.usage()

    @property
    def spent(self) -> str:
        """The limit that is exceeded, or the empty string."""
        took = self.usage
        for name, used, limit in (("cost", took.cost, self.max_cost), ("tokens", took.tokens, self.max_tokens)):
            if limit is not None and (used or 0) >= limit and took.calls:
                return f"--max-{name} {limit:g} is used up"
        return ""

    def estimate(self, some: Sequence[WritingTask], more_sent: int = 0) -> CostEstimate:
        """About what this writing takes, without asking anybody."""
        counts = [one.tokens() for one in some]
        sent, received = (sum(count[at] for count in counts) for at in (0, 1))
        sent += more_sent
        free = self.endpoint.startswith(f"{LOCAL}:")
        reply = Reply("", input_tokens=sent, output_tokens=received)
        cost = 0.0 if free else Prices.from_env().cost(reply, self.model, self.endpoint)
        return CostEstimate(len(some), sent + received, cost)

    async def write(self, some: Sequence[WritingTask]) -> list[list[Item]]:
        """Return what the model writes for each task; if it writes nothing, raise the first problem."""
        before = len(self.problems)
        places = asyncio.Semaphore(self.in_flight)

        async def write_one(writing: WritingTask) -> list[Item]:
            async with places:  # so that a limit is looked at when its turn comes, not before
                items, problem = await self.one(writing)
            self.problems += [problem] if problem else []
            return items

        found = await asyncio.gather(*map(write_one, some))
        if some and not any(found):
            why = self.problems[before] if len(self.problems) > before else "it wrote nothing"
            raise ModelError(f"{self.model} wrote nothing that can be used: {why}", kind="malformed")
        return found

    async def one(self, writing: WritingTask) -> tuple[list[Item], str]:
        """Return what the model writes for one task, or the reason why it wrote nothing."""
        if self.spent:
            return [], self.spent
        try:
            outcome = await self.session.ask(writing.question(self.seed))
        except Exception as error:  # a user's model may raise anything; it costs this writing and no other
            return [], f"{type(error).__name__}: {error}"
        if isinstance(outcome, NoValue):
            said = f"; it said {outcome.said}" if outcome.said else ""
            return [], f"{outcome.kind}: {outcome.reason}{said}"
        return writing.items(outcome.value), ""


def author_of(judge: JudgeModel | None, model: str = "", **settings: Any) -> Author:
    """The author that is a model, stands for one (`local`, an address), or that the environment names."""
    if judge is not None:
        return Author(structured_model_of(judge), model, **settings)
    try:
        named = from_env("openai")
    except ConfigurationError as error:
        words = f"no model is named to write: give an address or 'local', or set the environment ({error})"
        raise ConfigurationError(words, parameter="author") from error
    return Author(StructuredModel(named), model, **settings)


@asynccontextmanager
async def keeping(author: Author, store: str | None) -> AsyncIterator[None]:
    """Within, the author's replies are kept in a store, so that nothing is asked twice; its connections end with it."""
    structured_model = author.structured_model
    with Database(store) if store else nullcontext() as database:
        author.session.structured_model = with_cache(structured_model, Responses(database) if database else None)
        try:
            yield
        finally:
            author.session.structured_model = structured_model
            if isinstance(structured_model.model, Endpoint):
                await structured_model.model.close()
