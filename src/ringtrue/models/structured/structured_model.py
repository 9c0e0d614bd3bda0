"""Asking a model for a value that fits a JSON schema; a reply that cannot be used is an outcome, not an exception."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.identity import canonical_json, digest
from ringtrue.models.cache import CachedModel, part_for
from ringtrue.models.function_model import as_model
from ringtrue.models.model import Model, innermost, place
from ringtrue.models.patience import deadline_for, judge_seconds
from ringtrue.models.reply import Reply
from ringtrue.models.request import Api
from ringtrue.models.structured.exchange import NO_TOOLS as NO_TOOLS
from ringtrue.models.structured.exchange import Exchange
from ringtrue.models.structured.features import Features, refuses_tools
from ringtrue.models.structured.outcome import Answer as Answer
from ringtrue.models.structured.outcome import NoValue as NoValue
from ringtrue.models.structured.outcome import Outcome as Outcome
from ringtrue.models.structured.question import Question as Question
from ringtrue.records import Json

LEAST_DEADLINE_SECONDS = 600.0
AGAIN_AFTER_SECONDS = 3600.0
"""How long what an endpoint refused is not asked for again: servers are mended and replaced."""
MOST_DENIALS = 5
"""After this many refusals that another question would not change (key, rights, address), nothing more is sent."""
REASONS_BY_ITSELF = re.compile(r"(?:gpt-5|o\d)")
"""Models that are known to take no temperature."""


class StructuredModel:
    """Asks a model for values that fit a schema, with the best feature that the endpoint supports.

    It asks with a strict JSON schema; if the endpoint refuses that, in JSON mode, and then in plain text. It uses chat
    completions, or else the Responses API. A feature that was refused is tried again after a while. If a reply does not
    fit, the model is asked once more and shown what is wrong. The model is any object with `ask(request)`, or a
    function of the prompt that returns text. `parameters` go into every request. `timeout_seconds` limits one attempt
    (by default the endpoint's own limit, or that of judges) and `deadline_seconds` one question with all its attempts.
    `remember` keeps the replies of an endpoint in the memory of this process if no cache does.
    """

    def __init__(
        self,
        model: Any,
        *,
        api: Api | None = None,
        parameters: Mapping[str, Json] | None = None,
        timeout_seconds: float | None = None,
        deadline_seconds: float | None = None,
        remember: bool = True,
    ) -> None:
        if isinstance(model, StructuredModel):
            raise ConfigurationError(
                "a StructuredModel asks a model, not another one of its kind", parameter="model", value=model
            )
        self.model = as_model(model)
        self.parameters = dict(parameters or {})
        self.timeout_seconds = timeout_seconds
        self.deadline_seconds = deadline_seconds
        alone = getattr(innermost(self.model), "speaks_text_alone", False)
        first = Features(api or "chat", switched=api is not None)
        self.first = replace(first, mode="text", logprobs=False, tools=False) if alone else first
        self._features: dict[tuple[str, str], list[Features]] = {}
        self._learned: dict[tuple[str, str], float] = {}
        self._denials: dict[tuple[str, str], int] = {}
        self.remember = remember
        self._remembering: CachedModel | None = None

    @property
    def asked_model(self) -> Model:
        """The model as it is asked: behind the memory of this process, where that keeps its replies."""
        part = part_for(self.model) if self.remember else None
        if part is None:
            return self.model
        if self._remembering is None or self._remembering.cache != part:
            self._remembering = CachedModel(self.model, part)
        return self._remembering

    def target(self, name: str = "") -> tuple[str, str]:
        """The endpoint and the model's name that requests carry; a model that has a name of its own keeps it."""
        return place(self.model), str(getattr(innermost(self.model), "name", "") or name)

    @property
    def given_parameters(self) -> dict[str, Json]:
        """The settings that every request carries: those of the model itself, and the parameters."""
        return {**getattr(innermost(self.model), "defaults", {}), **self.parameters}

    async def ask(
        self,
        question: Question,
        model: str = "",
        *,
        timeout_seconds: float | None = None,
        temperature: float | None = None,
    ) -> Outcome:
        """The answer to a question, or why there is none; nothing an endpoint does is raised.

        `timeout_seconds` wins over this object's; `temperature` is asked for where the endpoint takes it.
        """
        target = self.target(model)
        exchange = Exchange(self, question, *target, timeout_seconds or self._attempt_seconds(), temperature)
        deadline = self.deadline_seconds or max(
            LEAST_DEADLINE_SECONDS, deadline_for(exchange.timeout_seconds or self._own_seconds())
        )
        if self._denials.get(target, 0) >= MOST_DENIALS:
            reason = f"not asked: {place(self.model)} refused {self._denials[target]} questions before this one"
            return exchange.fail("denied", reason)
        try:
            async with asyncio.timeout(deadline):
                outcome = await exchange.outcome()
        except TimeoutError:
            return exchange.fail("timeout", f"no usable answer within {deadline:g} s")
        except ModelError as error:
            if not question.tools or not refuses_tools(error):
                self._denials[target] = self._denials.get(target, 0) + 1 if error.is_denied else 0
                return exchange.fail(error.kind, str(error), status=error.status)
            await self.learn(*target, replace((await self.features(*target))[0], tools=False))
            return exchange.fail(NO_TOOLS, str(error), status=error.status)
        self._denials.pop(target, None)
        return outcome

    def _own_seconds(self) -> float:
        """The seconds for an attempt by the model's own setting, 0 if it has none."""
        return float(getattr(innermost(self.model), "timeout_seconds", 0.0) or 0.0)

    def _attempt_seconds(self) -> float | None:
        """The seconds for one attempt; None if the model has its own limit."""
        if self.timeout_seconds is not None or getattr(innermost(self.model), "timeout_is_given", False):
            return self.timeout_seconds
        return judge_seconds(self.given_parameters)

    def first_for(self, model: str) -> Features:
        """The features a model is first asked with."""
        return replace(self.first, temperature=False) if REASONS_BY_ITSELF.match(model) else self.first

    async def features(self, endpoint: str, model: str) -> list[Features]:
        """The features that have worked, here or in an earlier process, the latest first.

        What was reduced long ago is not among them: the better way is tried again.
        """
        asked, target = self.asked_model, (endpoint, model)
        if target not in self._features and isinstance(asked, CachedModel):
            kept = await asked.cache.get(self._memory(endpoint, model))
            learned, *lines = kept.text.splitlines() if kept is not None else ("0",)
            self._features.setdefault(target, [self.first.restore(text) for text in lines])
            self._learned.setdefault(target, _seconds(learned))
        found = self._features.get(target)
        if found and found[0].is_reduced and time.time() - self._learned.get(target, 0.0) > AGAIN_AFTER_SECONDS:
            self._features[target] = found = []
        return found or [self.first_for(model)]

    async def learn(self, endpoint: str, model: str, worked: Features) -> None:
        """Remember features that worked; refusals are in no cache, so a cache keeps what they taught."""
        target = (endpoint, model)
        before = await self.features(endpoint, model)
        if worked == before[0] and target in self._features and self._features[target]:
            return
        now = self._features[target] = [worked, *(one for one in before if one != worked)]
        self._learned[target] = time.time()
        kept, known = (list(dict.fromkeys(one.supported_text() for one in some)) for some in (now, before))
        if isinstance(asked := self.asked_model, CachedModel) and kept != known:
            lines = [f"{self._learned[target]:.0f}", *kept]
            await asked.cache.put(self._memory(endpoint, model), Reply("\n".join(lines)))

    def _memory(self, endpoint: str, model: str) -> str:
        return digest(canonical_json(["features", self.first.supported_text(), endpoint, model]))


def _seconds(text: str) -> float:
    return float(text) if text.isdigit() else 0.0
