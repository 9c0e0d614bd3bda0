"""Asking a model for a value that fits a JSON schema; a reply that cannot be used is an outcome, not an exception."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import orjson

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.models.account import Account
from ringtrue.models.cached import Cached, sent
from ringtrue.models.excerpt import excerpt
from ringtrue.models.found_objects import found_objects
from ringtrue.models.memory import Part, part_for
from ringtrue.models.misfit import misfit
from ringtrue.models.model import Model, layers, place
from ringtrue.models.reply import Reply
from ringtrue.models.request import Api, Request
from ringtrue.models.tool_use import declared, spoken
from ringtrue.models.way import Rung, Way, refuses_tools
from ringtrue.records import Json

NONCE = "nonce"
NO_TOOLS = "no_tools"
DEADLINE_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked and what a usable answer is.

    `schema` is an object's schema with all properties required and no others. With a `nonce`, the reply must repeat it
    in the property of that name, which is not part of the value. `check` says what is wrong with a value that fits the
    schema, or the empty string. Without a schema the value is the reply's text; with `tools` (functions by name,
    description and parameters) it may be empty, and the reply holds the calls. `words` are those of the request.
    """

    messages: Sequence[Mapping[str, Json]]
    schema: Mapping[str, Json] | None = None
    name: str = "verdict"
    nonce: str = ""
    check: Callable[[Json], str] | None = None
    logprobs: bool = False
    prompt_hash: str = ""
    tools: Sequence[Mapping[str, Json]] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A value that fits, the reply it was read from, and how it was got."""

    value: Json
    reply: Reply
    account: Account
    rung: Rung
    retried: bool = False


@dataclass(frozen=True, slots=True)
class Malformed:
    """No usable value.

    `kind` is `unreadable`, `truncated`, `refused`, `no_tools` (the endpoint lets nobody declare functions), or the kind
    of the ModelError: `timeout`, `connection` …
    """

    kind: str
    reason: str
    account: Account
    said: str = ""


Outcome: TypeAlias = Answer | Malformed


class Asker:
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
        if isinstance(model, Asker) or not callable(getattr(model, "ask", None)):
            raise ConfigurationError(
                f"a model is an object with ask(request), such as ringtrue's Endpoint; got {model!r}",
                parameter="model",
                value=model,
            )
        self.model = model
        self.parameters = dict(parameters or {})
        self.deadline_seconds = deadline_seconds
        self.first = Way(api or "chat", switched=api is not None)
        self._ways: dict[tuple[str, str], list[Way]] = {}
        self.remember = remember
        self._remembering: Cached | None = None

    @property
    def asked(self) -> Model:
        """The model as it is asked: behind the memory of this process, where that keeps its replies."""
        part = part_for(self.model) if self.remember else None
        if part is None:
            return self.model
        if self._remembering is None or self._remembering.cache != part:
            self._remembering = Cached(self.model, part)
        return self._remembering

    def target(self, name: str = "") -> tuple[str, str]:
        """The endpoint and the model's name that requests carry; a model that has a name of its own keeps it."""
        return place(self.model), str(getattr(_innermost(self.model), "name", "") or name)

    async def ask(self, question: Question, model: str = "") -> Outcome:
        """The answer to a question, or why there is none; nothing an endpoint does is raised."""
        inquiry = _Inquiry(self, question, *self.target(model))
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

    async def ways(self, endpoint: str, model: str) -> list[Way]:
        """The ways that have worked, from this object or from the cache of an earlier process; the latest first."""
        asked = self.asked
        if (endpoint, model) not in self._ways and isinstance(asked, Cached):
            kept = await asked.cache.get(self._memory(endpoint, model))
            found = [] if kept is None else [self.first.restored(text) for text in kept.text.splitlines()]
            self._ways.setdefault((endpoint, model), found)
        return self._ways.get((endpoint, model)) or [self.first]

    async def learn(self, endpoint: str, model: str, way: Way) -> None:
        """Remember a way that worked; refusals are in no cache, so a cache keeps what they taught."""
        before = await self.ways(endpoint, model)
        now = self._ways[endpoint, model] = [way, *(one for one in before if one != way)]
        kept, known = (list(dict.fromkeys(one.supported() for one in some)) for some in (now, before))
        if isinstance(asked := self.asked, Cached) and kept != known:
            await asked.cache.put(self._memory(endpoint, model), Reply("\n".join(kept)))

    def _memory(self, endpoint: str, model: str) -> str:
        about = orjson.dumps(["ways", self.first.supported(), endpoint, model])
        return hashlib.sha256(about).hexdigest()


@dataclass
class _Inquiry:
    """One question on its way."""

    asker: Asker
    question: Question
    endpoint: str
    model: str
    accounts: list[Account] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)

    async def outcome(self) -> Outcome:
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
                await self.asker.learn(self.endpoint, self.model, way)
                return Answer(reading.value, reply, Account.total(self.accounts), way.rung, retried)
            if retried or self.question.schema is None:
                kind = "truncated" if reply.finish_reason == "length" else "unreadable"
                return self.failed(kind, reading.problem, reply)
            problem, retried = _shown(reading.problem, reply), True
            way = replace(way, spelled=way.spelled or reading.formless, bound=way.bound or reading.wrong_nonce)

    async def way(self) -> Way:
        """The way that worked last, or the one on which this question has its reply in the cache already."""
        ways = await self.asker.ways(self.endpoint, self.model)
        if isinstance(asked := self.asker.asked, Cached):
            missed = set()
            for way in (other for one in (*ways, self.asker.first) for other in one.variants()):
                key = self.request(way, "").key()
                if key not in missed and await asked.cache.get(key) is not None:
                    return way
                missed.add(key)
        return ways[0]

    async def reply(self, way: Way, problem: str) -> tuple[Reply, Way]:
        """The reply on the best way that the endpoint accepts, and that way."""
        while True:
            try:
                request = self.request(way, problem)
                self.requests.append(request)
                reply = await sent(self.asker.asked, request)
            except asyncio.CancelledError:
                self.charge(None)
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

    def charge(self, took: Reply | ModelError | None) -> None:
        self.accounts.append(Account.of(took, self.question.prompt_hash, self.model))

    def request(self, way: Way, problem: str) -> Request:
        question = self.question
        # A model with settings of its own has them in the request, so that its key covers them.
        given = {**getattr(_innermost(self.asker.model), "defaults", {}), **self.asker.parameters}
        messages = spoken(question.messages, way.api)
        if question.schema is None:
            parameters = replace(way, rung="text").parameters(given, {}, "", False)
            if question.tools:
                parameters["tools"] = declared(question.tools, way.api)
            return Request(self.endpoint, self.model, messages, parameters, way.api, question.words)
        schema = _with_nonce(question, way.bound)
        added = []
        if way.rung != "schema" or way.spelled or problem:
            spelled = orjson.dumps(_with_nonce(question, True)).decode()
            added.append(f"Reply with one JSON object and nothing else. It fits this JSON schema:\n{spelled}")
        if problem:
            added.append(f"An earlier reply could not be used: {problem}. Reply again, corrected.")
        if added:
            messages[-1]["content"] = "\n\n".join([messages[-1]["content"], *added])
        parameters = way.parameters(given, schema, question.name, question.logprobs)
        return Request(self.endpoint, self.model, messages, parameters, way.api, question.words)

    def failed(self, kind: str, reason: str, reply: Reply | None = None) -> Malformed:
        asked = self.asker.asked
        if isinstance(asked, Cached) and isinstance(asked.cache, Part):
            asked.cache.forget(request.key() for request in self.requests)  # whoever asks again wants another reply
        said = excerpt(reply.refusal or reply.text) if reply is not None else ""
        return Malformed(kind, reason, Account.total(self.accounts), said)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says: a value, or the problem that leaves it without one."""

    value: Json = None
    problem: str = ""
    formless: bool = False
    """Nothing in it has the form that was asked for: the endpoint may not have looked at the schema."""
    wrong_nonce: bool = False


def read(text: str, question: Question) -> Reading:
    """The last object in a reply that is an answer to the question; the problem names no text of the reply."""
    if question.schema is None:
        return Reading(text) if text.strip() else Reading(problem="it is empty")
    objects = found_objects(text)
    if not objects:
        return Reading(problem="it holds no JSON object" if text.strip() else "it is empty", formless=True)
    readings = [_judged(value, question) for value in reversed(objects)]
    return next((reading for reading in readings if not reading.problem), readings[0])


def _judged(value: dict[str, Json], question: Question) -> Reading:
    rest = dict(value)
    if question.nonce and NONCE not in rest:
        return Reading(problem=f"it has no {NONCE!r}", formless=True)
    if question.nonce and rest.pop(NONCE) != question.nonce:
        return Reading(problem=f"its {NONCE!r} is not the one of this request", wrong_nonce=True)
    assert question.schema is not None
    problem = misfit(rest, orjson.dumps(question.schema))
    if not problem and question.check is not None:
        problem = question.check(rest)
    return Reading(None if problem else rest, problem)


def _with_nonce(question: Question, bound: bool) -> dict[str, Json]:
    schema = dict(question.schema or {})
    if question.nonce:
        only: Json = {"type": "string", "enum": [question.nonce]} if bound else {"type": "string"}
        schema["properties"] = {NONCE: only, **schema["properties"]}
        schema["required"] = [NONCE, *schema["required"]]
    return schema


def _shown(problem: str, reply: Reply) -> str:
    return f"{problem}, and it was cut off: be shorter" if reply.finish_reason == "length" else problem


def _innermost(model: Any) -> Any:
    """The model inside wrappers such as `Cached`."""
    *_, inner = layers(model)
    return inner
