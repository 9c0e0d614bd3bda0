"""`Exchange`: one question on its way to one model, over the features that its endpoint accepts."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ringtrue.errors import ModelError
from ringtrue.jsontext import json_text, parse_json
from ringtrue.models.cache import CachedModel, sent
from ringtrue.models.model import Model, innermost
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.structured.features import NO_SUCH_CALL, REFUSES_A_REQUEST, Features, refuses_tools
from ringtrue.models.structured.outcome import Answer, NoValue, Outcome
from ringtrue.models.structured.parsing import read, read_value
from ringtrue.models.structured.question import Question
from ringtrue.models.structured.tool_use import declare, spoken
from ringtrue.models.usage import Usage
from ringtrue.records import Json
from ringtrue.safetext import excerpt

if TYPE_CHECKING:
    from ringtrue.models.structured.structured_model import StructuredModel

NO_TOOLS = "no_tools"
PASSED_OVER = 100
"""How many earlier askings that came to nothing a cache may hold before it is believed."""


@dataclass
class Exchange:
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
            return self.fail(NO_TOOLS, "this endpoint was found to refuse functions")
        problem, retried = "", False
        while True:
            reply, features = await self.reply(features, problem)
            if reply.refusal:
                return self.fail("refused", "the model refused to answer", reply)
            question = self.question
            reading = read_value(parse_json(reply.text), question) if reply.is_value else read(reply.text, question)
            if not reading.problem or self.question.tools:
                await self.structured_model.learn(self.endpoint, self.model, features)
                return Answer(reading.value, reply, Usage.total(self.usages), features.mode, reading.start)
            if retried or self.question.schema is None:
                kind = "truncated" if reply.finish_reason == "length" else "unreadable"
                is_function = getattr(innermost(self.structured_model.asked_model), "speaks_text_alone", False)
                hint = "; a function may return its verdict as a dict" if is_function and reading.formless else ""
                return self.fail(kind, f"{reading.problem}{hint}", reply)
            problem, retried = _problem_text(reading.problem, reply), True
            features = replace(
                features,
                spelled=features.spelled or reading.formless,
                bound=features.bound or reading.wrong_nonce,
            )

    async def known_features(self) -> Features:
        """Those that worked last, or those with which this question has its reply in the cache already."""
        known = await self.structured_model.features(self.endpoint, self.model)
        if isinstance(asked := self.structured_model.asked_model, CachedModel):
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
        first: ModelError | None = None
        while True:
            try:
                reply = await self.sent(self.request(features, problem))
            except asyncio.CancelledError as left:
                self.charge(left)
                raise
            except ModelError as error:
                self.charge(error)
                asks_for_temperature = (
                    self.temperature is not None and "temperature" not in self.structured_model.given_parameters
                )
                logprobs = self.question.schema is not None and self.question.logprobs
                other = features.after(error, logprobs, asks_for_temperature)
                if other is None or (self.question.schema is None and not _concerns_text(features, other)):
                    raise _with_first_words(error, first) from None
                if self.question.tools and _names_tools(error):
                    raise
                if other.api != features.api:
                    first = error
                features = other
            else:
                self.charge(reply)
                return reply, features

    async def sent(self, request: Request) -> Reply:
        asked = self.structured_model.asked_model
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
        given = self.structured_model.given_parameters  # with a model's own settings, so that the key covers them
        messages = spoken(question.messages, features.api)
        if question.schema is None:
            parameters = replace(features, mode="text").parameters(given, {}, "", False, self.temperature)
            if question.tools:
                parameters["tools"] = declare(question.tools, features.api)
            return self._request(messages, parameters, features)
        schema = question.sent_schema(features.bound)
        added = []
        if features.mode != "schema" or features.spelled or problem:
            spelled = json_text(question.sent_schema(True))
            added.append(f"Reply with one JSON object and nothing else. It fits this JSON schema:\n{spelled}")
        if problem:
            added.append(f"An earlier reply could not be used: {problem}. Reply again, corrected.")
        if added:
            messages[-1]["content"] = "\n\n".join([messages[-1]["content"], *added])
        parameters = features.parameters(given, schema, question.name, question.logprobs, self.temperature)
        return self._request(messages, parameters, features)

    def _request(self, messages: list[dict[str, Json]], parameters: dict[str, Json], features: Features) -> Request:
        words, seconds = self.question.words, self.timeout_seconds
        return Request(self.endpoint, self.model, messages, parameters, features.api, words, seconds)

    def fail(self, kind: str, reason: str, reply: Reply | None = None, status: int | None = None) -> NoValue:
        whole = (reply.refusal or reply.text) if reply is not None else ""
        return NoValue(kind, reason, Usage.total(self.usages), excerpt(whole) if whole else "", status, whole)


def _is_stale(outcome: Outcome) -> bool:
    took = outcome.usage
    return isinstance(outcome, NoValue) and took.cache_hits > 0 and took.calls == 0


def _problem_text(problem: str, reply: Reply) -> str:
    return f"{problem}, and it was cut off: be shorter" if reply.finish_reason == "length" else problem


def _with_first_words(error: ModelError, first: ModelError | None) -> ModelError:
    """Add the endpoint's first message to the error, if the other API only says that it is not there."""
    if first is None or error.status not in REFUSES_A_REQUEST:
        return error
    if error.status in NO_SUCH_CALL:
        return first
    return ModelError(f"{first}; over the other API: {error}", kind=first.kind, status=first.status)


def _concerns_text(before: Features, after: Features) -> bool:
    """Whether another try differs in what a question without a schema sends."""
    return (before.api, before.temperature) != (after.api, after.temperature)


def _names_tools(error: ModelError) -> bool:
    named = any(word in str(error).lower() for word in ("tool", "function"))
    return named and error.status not in (404, 405) and refuses_tools(error)
