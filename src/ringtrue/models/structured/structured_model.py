"""Asking a model for a value that fits a JSON schema; a reply that cannot be used is an outcome, not an exception."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.identity import canonical_json, digest
from ringtrue.jsontext import json_text
from ringtrue.models.cache import CachedModel, part_for, sent
from ringtrue.models.model import Model, innermost, place
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
DEADLINE_SECONDS = 600.0
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
    """No usable value.

    `kind` is `unreadable`, `truncated`, `refused`, `no_tools` (the endpoint lets nobody declare functions), or the kind
    of the ModelError: `timeout`, `connection` …
    """

    kind: str
    reason: str
    usage: Usage
    said: str = ""


Outcome: TypeAlias = Answer | Malformed


class StructuredModel:
    """A model asked for values: what its endpoint supports is found out once and remembered.

    First with a strict JSON schema, where that is refused in JSON mode, then as plain text; over chat completions, or
    over the Responses API where there are none. A reply that does not fit is asked for once more, with what is wrong.
    `parameters` go into every request; `deadline_seconds` bounds one question with all that it takes. `remember` keeps
    the replies of a model with an address in the memory of this process, where no cache keeps them.
    """

    def __init__(
        self,
        model: Model,
        *,
        api: Api | None = None,
        parameters: Mapping[str, Json] | None = None,
        deadline_seconds: float = DEADLINE_SECONDS,
        remember: bool = True,
    ) -> None:
        if isinstance(model, StructuredModel) or not callable(getattr(model, "ask", None)):
            raise ConfigurationError(
                f"a model is an object with ask(request), such as ringtrue's Endpoint; got {model!r}",
                parameter="model",
                value=model,
            )
        self.model = model
        self.parameters = dict(parameters or {})
        self.deadline_seconds = deadline_seconds
        self.first = Features(api or "chat", switched=api is not None)
        self._ways: dict[tuple[str, str], list[Features]] = {}
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

    async def ask(self, question: Question, model: str = "") -> Outcome:
        """The answer to a question, or why there is none; nothing an endpoint does is raised."""
        inquiry = _Exchange(self, question, *self.target(model))
        try:
            async with asyncio.timeout(self.deadline_seconds):
                return await inquiry.outcome()
        except TimeoutError:
            return inquiry.failed("timeout", f"no usable answer within {self.deadline_seconds:g} s")
        except ModelError as error:
            if not question.tools or not refuses_tools(error):
                return inquiry.failed(error.kind, str(error))
            target = self.target(model)
            await self.learn(*target, replace((await self.ways(*target))[0], tools=False))
            return inquiry.failed(NO_TOOLS, str(error))

    async def ways(self, endpoint: str, model: str) -> list[Features]:
        """The ways that have worked, from this object or from the cache of an earlier process; the latest first."""
        asked = self.asked
        if (endpoint, model) not in self._ways and isinstance(asked, CachedModel):
            kept = await asked.cache.get(self._memory(endpoint, model))
            found = [] if kept is None else [self.first.restored(text) for text in kept.text.splitlines()]
            self._ways.setdefault((endpoint, model), found)
        return self._ways.get((endpoint, model)) or [self.first]

    async def learn(self, endpoint: str, model: str, way: Features) -> None:
        """Remember a way that worked; refusals are in no cache, so a cache keeps what they taught."""
        before = await self.ways(endpoint, model)
        now = self._ways[endpoint, model] = [way, *(one for one in before if one != way)]
        kept, known = (list(dict.fromkeys(one.supported() for one in some)) for some in (now, before))
        if isinstance(asked := self.asked, CachedModel) and kept != known:
            await asked.cache.put(self._memory(endpoint, model), Reply("\n".join(kept)))

    def _memory(self, endpoint: str, model: str) -> str:
        return digest(canonical_json(["ways", self.first.supported(), endpoint, model]))


@dataclass
class _Exchange:
    """One question on its way."""

    structured_model: StructuredModel
    question: Question
    endpoint: str
    model: str
    usages: list[Usage] = field(default_factory=list)
    repeat: int = 0

    async def outcome(self) -> Outcome:
        """The outcome; replies of an earlier asking that could not be used are passed over, and others asked for."""
        found = await self.told()
        while _is_stale(found) and self.repeat < PASSED_OVER:
            self.repeat += 1
            self.usages.clear()
            found = await self.told()
        return found

    async def told(self) -> Outcome:
        way = await self.way()
        if self.question.tools and not way.tools:
            return self.failed(NO_TOOLS, "this endpoint was found to refuse functions")
        problem, retried = "", False
        while True:
            reply, way = await self.reply(way, problem)
            if reply.refusal:
                return self.failed("refused", "the model refused to answer", reply)
            reading = read(reply.text, self.question)
            if not reading.problem or self.question.tools:
                await self.structured_model.learn(self.endpoint, self.model, way)
                return Answer(reading.value, reply, Usage.total(self.usages), way.mode, retried, reading.start)
            if retried or self.question.schema is None:
                kind = "truncated" if reply.finish_reason == "length" else "unreadable"
                return self.failed(kind, reading.problem, reply)
            problem, retried = _shown(reading.problem, reply), True
            way = replace(way, spelled=way.spelled or reading.formless, bound=way.bound or reading.wrong_nonce)

    async def way(self) -> Features:
        """The way that worked last, or the one on which this question has its reply in the cache already."""
        ways = await self.structured_model.ways(self.endpoint, self.model)
        if isinstance(asked := self.structured_model.asked, CachedModel):
            missed = set()
            for way in (other for one in (*ways, self.structured_model.first) for other in one.variants()):
                key = self.request(way, "").key(self.repeat)
                if key not in missed and await asked.cache.get(key) is not None:
                    return way
                missed.add(key)
        return ways[0]

    async def reply(self, way: Features, problem: str) -> tuple[Reply, Features]:
        """The reply on the best way that the endpoint accepts, and that way."""
        while True:
            try:
                reply = await self.sent(self.request(way, problem))
            except asyncio.CancelledError as left:
                self.charge(left)
                raise
            except ModelError as error:
                self.charge(error)
                other = way.after(error, self.question.logprobs) if self.question.schema is not None else None
                if other is None and error.status in (404, 405) and self.question.schema is None:
                    other = way.after(error, False)
                if other is None:
                    raise
                way = other
            else:
                self.charge(reply)
                return reply, way

    async def sent(self, request: Request) -> Reply:
        asked = self.structured_model.asked
        return await (
            asked.ask(request, repeat=self.repeat) if isinstance(asked, CachedModel) else sent(asked, request)
        )

    def charge(self, took: Reply | ModelError | asyncio.CancelledError) -> None:
        self.usages.append(Usage.of(took, self.question.prompt_hash, self.model))

    def request(self, way: Features, problem: str) -> Request:
        question = self.question
        given = self.structured_model.given  # with a model's own settings, so that the key covers them
        messages = spoken(question.messages, way.api)
        if question.schema is None:
            parameters = replace(way, mode="text").parameters(given, {}, "", False)
            if question.tools:
                parameters["tools"] = declared(question.tools, way.api)
            return Request(self.endpoint, self.model, messages, parameters, way.api, question.words)
        schema = question.sent_schema(way.bound)
        added = []
        if way.mode != "schema" or way.spelled or problem:
            spelled = json_text(question.sent_schema(True))
            added.append(f"Reply with one JSON object and nothing else. It fits this JSON schema:\n{spelled}")
        if problem:
            added.append(f"An earlier reply could not be used: {problem}. Reply again, corrected.")
        if added:
            messages[-1]["content"] = "\n\n".join([messages[-1]["content"], *added])
        parameters = way.parameters(given, schema, question.name, question.logprobs)
        return Request(self.endpoint, self.model, messages, parameters, way.api, question.words)

    def failed(self, kind: str, reason: str, reply: Reply | None = None) -> Malformed:
        said = excerpt(reply.refusal or reply.text) if reply is not None else ""
        return Malformed(kind, reason, Usage.total(self.usages), said)


def _is_stale(outcome: Outcome) -> bool:
    took = outcome.usage
    return isinstance(outcome, Malformed) and took.cache_hits > 0 and took.calls == 0


def _shown(problem: str, reply: Reply) -> str:
    return f"{problem}, and it was cut off: be shorter" if reply.finish_reason == "length" else problem
