"""Asking a model for a value that fits a JSON schema; a reply that cannot be used is an outcome, not an exception."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import orjson

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.models.cache import CachedModel, part_for, sent
from ringtrue.models.function_model import as_model
from ringtrue.models.model import Model, innermost, place
from ringtrue.models.patience import deadline_for, judge_seconds
from ringtrue.models.reply import Reply
from ringtrue.models.request import Api, Request
from ringtrue.models.structured.features import Features, OutputMode, refuses_tools
from ringtrue.models.structured.parsing import read
from ringtrue.models.structured.question import Question as Question
from ringtrue.models.structured.tool_use import declared, spoken
from ringtrue.models.usage import Usage
from ringtrue.records import Json
from ringtrue.safetext import excerpt

NO_TOOLS = "no_tools"
LEAST_DEADLINE_SECONDS = 600.0
AGAIN_AFTER_SECONDS = 3600.0
"""How long what an endpoint refused is not asked for again: servers are mended and replaced."""
MOST_DENIALS = 5
"""After so many refusals that no other question would change (key, rights, address), nothing more is sent."""
_DENIED = frozenset({401, 403, 404})
_REASONS_BY_ITSELF = re.compile(r"(?:gpt-5|o\d)")
"""Models that are known to take no temperature."""
PASSED_OVER = 100
"""How many earlier askings that came to nothing a cache may hold before it is believed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A value that fits, the reply it was read from, and how it was got."""

    value: Json
    reply: Reply
    usage: Usage
    mode: OutputMode
    retried: bool = False
    start: int = -1
    """Where in the reply's text the value's object begins; -1 where it had to be repaired."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """No usable value; `status` is the HTTP status where there was one.

    `kind` is `unreadable`, `truncated`, `refused`, `no_tools` (the endpoint lets nobody declare functions), or the kind
    of the ModelError: `timeout`, `connection` …
    """

    kind: str
    reason: str
    usage: Usage
    said: str = ""
    status: int | None = None


Outcome: TypeAlias = Answer | Malformed


class StructuredModel:
    """A model asked for values: what its endpoint supports is found out, remembered, and tried anew after a while.

    First with a strict JSON schema, where that is refused in JSON mode, then as plain text; over chat completions, or
    over the Responses API where there are none. A reply that does not fit is asked for once more, with what is wrong.
    The model is any object with `ask(request)`, or a function of the prompt that returns text. `parameters` go into
    every request; `timeout_seconds` bounds one attempt (an endpoint's own time where it was given one, else that of
    judges) and `deadline_seconds` one question with all that it takes. `remember` keeps the replies of a model with an
    address in the memory of this process, where no cache keeps them.
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
    def asked(self) -> Model:
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
    def given(self) -> dict[str, Json]:
        """What every request carries: the settings that a model has of its own, and the parameters."""
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
        exchange = _Exchange(self, question, *target, timeout_seconds or self._attempt_seconds(), temperature)
        deadline = self.deadline_seconds or max(
            LEAST_DEADLINE_SECONDS, deadline_for(exchange.timeout_seconds or self._own_seconds())
        )
        if self._denials.get(target, 0) >= MOST_DENIALS:
            reason = f"not asked: {place(self.model)} refused {self._denials[target]} questions before this one"
            return exchange.failed("denied", reason)
        try:
            async with asyncio.timeout(deadline):
                outcome = await exchange.outcome()
        except TimeoutError:
            return exchange.failed("timeout", f"no usable answer within {deadline:g} s")
        except ModelError as error:
            if not question.tools or not refuses_tools(error):
                self._denials[target] = self._denials.get(target, 0) + 1 if error.status in _DENIED else 0
                return exchange.failed(error.kind, str(error), status=error.status)
            await self.learn(*target, replace((await self.features(*target))[0], tools=False))
            return exchange.failed(NO_TOOLS, str(error), status=error.status)
        self._denials.pop(target, None)
        return outcome

    def _own_seconds(self) -> float:
        """How long an attempt may take by the model's own setting, 0 where it has none."""
        return float(getattr(innermost(self.model), "timeout_seconds", 0.0) or 0.0)

    def _attempt_seconds(self) -> float | None:
        """How long one attempt may take; None where the model was told so itself."""
        if self.timeout_seconds is not None or getattr(innermost(self.model), "timeout_is_given", False):
            return self.timeout_seconds
        return judge_seconds(self.given)

    def first_for(self, model: str) -> Features:
        """The features a model is first asked with."""
        return replace(self.first, temperature=False) if _REASONS_BY_ITSELF.match(model) else self.first

    async def features(self, endpoint: str, model: str) -> list[Features]:
        """The features that have worked, here or in an earlier process, the latest first.

        What was reduced long ago is not among them: the better way is tried again.
        """
        asked, target = self.asked, (endpoint, model)
        if target not in self._features and isinstance(asked, CachedModel):
            kept = await asked.cache.get(self._memory(endpoint, model))
            learned, *lines = kept.text.splitlines() if kept is not None else ("0",)
            self._features.setdefault(target, [self.first.restored(text) for text in lines])
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
        kept, known = (list(dict.fromkeys(one.supported() for one in some)) for some in (now, before))
        if isinstance(asked := self.asked, CachedModel) and kept != known:
            lines = [f"{self._learned[target]:.0f}", *kept]
            await asked.cache.put(self._memory(endpoint, model), Reply("\n".join(lines)))

    def _memory(self, endpoint: str, model: str) -> str:
        about = orjson.dumps(["features", self.first.supported(), endpoint, model])
        return hashlib.sha256(about).hexdigest()


@dataclass
class _Exchange:
    """One question on its way."""

    structured_model: StructuredModel
    question: Question
    endpoint: str
    model: str
    timeout_seconds: float | None = None
    temperature: float | None = None
    usages: list[Usage] = field(default_factory=list)
    repeat: int = 0

    async def outcome(self) -> Outcome:
        """The outcome; replies of an earlier asking that could not be used are passed over, and others asked for."""
        found = await self.asked_once()
        while _is_stale(found) and self.repeat < PASSED_OVER:
            self.repeat += 1
            self.usages.clear()
            found = await self.asked_once()
        return found

    async def asked_once(self) -> Outcome:
        features = await self.known_features()
        if self.question.tools and not features.tools:
            return self.failed(NO_TOOLS, "this endpoint was found to refuse functions")
        problem, retried = "", False
        while True:
            reply, features = await self.reply(features, problem)
            if reply.refusal:
                return self.failed("refused", "the model refused to answer", reply)
            reading = read(reply.text, self.question)
            if not reading.problem or self.question.tools:
                await self.structured_model.learn(self.endpoint, self.model, features)
                return Answer(reading.value, reply, Usage.total(self.usages), features.mode, retried, reading.start)
            if retried or self.question.schema is None:
                kind = "truncated" if reply.finish_reason == "length" else "unreadable"
                return self.failed(kind, reading.problem, reply)
            problem, retried = _shown(reading.problem, reply), True
            features = replace(
                features,
                spelled=features.spelled or reading.formless,
                bound=features.bound or reading.wrong_nonce,
            )

    async def known_features(self) -> Features:
        """Those that worked last, or those with which this question has its reply in the cache already."""
        known = await self.structured_model.features(self.endpoint, self.model)
        if isinstance(asked := self.structured_model.asked, CachedModel):
            missed = set()
            first = self.structured_model.first_for(self.model)
            for one in (other for some in (*known, first) for other in some.variants()):
                key = self.request(one, "").key(self.repeat)
                if key not in missed and await asked.cache.get(key) is not None:
                    return one
                missed.add(key)
        return known[0]

    async def reply(self, features: Features, problem: str) -> tuple[Reply, Features]:
        """The reply with the best features that the endpoint accepts, and those."""
        while True:
            try:
                reply = await self.sent(self.request(features, problem))
            except asyncio.CancelledError as left:
                self.charge(left)
                raise
            except ModelError as error:
                self.charge(error)
                asks_for_temperature = self.temperature is not None and "temperature" not in self.structured_model.given
                logprobs = self.question.schema is not None and self.question.logprobs
                other = features.after(error, logprobs, asks_for_temperature)
                if other is None or (self.question.schema is None and not _concerns_text(features, other)):
                    raise
                if self.question.tools and _names_tools(error):
                    raise
                features = other
            else:
                self.charge(reply)
                return reply, features

    async def sent(self, request: Request) -> Reply:
        asked = self.structured_model.asked
        if hasattr(innermost(asked), "timeout_seconds"):  # it keeps times itself
            return await self._sent(asked, request)
        try:
            async with asyncio.timeout(self.timeout_seconds) as limit:
                return await self._sent(asked, request)
        except TimeoutError as error:
            if not limit.expired():
                raise
            late = f"gave no answer in {self.timeout_seconds:g} s"
            raise ModelError(late, kind="timeout", timeouts=1) from error

    async def _sent(self, asked: Model, request: Request) -> Reply:
        return await (
            asked.ask(request, repeat=self.repeat) if isinstance(asked, CachedModel) else sent(asked, request)
        )

    def charge(self, took: Reply | ModelError | asyncio.CancelledError) -> None:
        self.usages.append(Usage.of(took, self.question.prompt_hash, self.model))

    def request(self, features: Features, problem: str) -> Request:
        question = self.question
        given = self.structured_model.given  # with a model's own settings, so that the key covers them
        messages = spoken(question.messages, features.api)
        if question.schema is None:
            parameters = replace(features, mode="text").parameters(given, {}, "", False, self.temperature)
            if question.tools:
                parameters["tools"] = declared(question.tools, features.api)
            return self._addressed(messages, parameters, features)
        schema = question.sent_schema(features.bound)
        added = []
        if features.mode != "schema" or features.spelled or problem:
            spelled = orjson.dumps(question.sent_schema(True)).decode()
            added.append(f"Reply with one JSON object and nothing else. It fits this JSON schema:\n{spelled}")
        if problem:
            added.append(f"An earlier reply could not be used: {problem}. Reply again, corrected.")
        if added:
            messages[-1]["content"] = "\n\n".join([messages[-1]["content"], *added])
        parameters = features.parameters(given, schema, question.name, question.logprobs, self.temperature)
        return self._addressed(messages, parameters, features)

    def _addressed(self, messages: list[dict[str, Json]], parameters: dict[str, Json], features: Features) -> Request:
        words, seconds = self.question.words, self.timeout_seconds
        return Request(self.endpoint, self.model, messages, parameters, features.api, words, seconds)

    def failed(self, kind: str, reason: str, reply: Reply | None = None, status: int | None = None) -> Malformed:
        said = excerpt(reply.refusal or reply.text) if reply is not None else ""
        return Malformed(kind, reason, Usage.total(self.usages), said, status)


def _is_stale(outcome: Outcome) -> bool:
    took = outcome.usage
    return isinstance(outcome, Malformed) and took.cache_hits > 0 and took.calls == 0


def _shown(problem: str, reply: Reply) -> str:
    return f"{problem}, and it was cut off: be shorter" if reply.finish_reason == "length" else problem


def _concerns_text(before: Features, after: Features) -> bool:
    """Whether another try differs in what a question without a schema sends."""
    return (before.api, before.temperature) != (after.api, after.temperature)


def _names_tools(error: ModelError) -> bool:
    named = any(word in str(error).lower() for word in ("tool", "function"))
    return named and error.status not in (404, 405) and refuses_tools(error)


def _seconds(text: str) -> float:
    return float(text) if text.isdigit() else 0.0
