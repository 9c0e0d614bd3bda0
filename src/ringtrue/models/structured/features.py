"""`Features`: how one endpoint is asked for a value: over which API, bound how tightly, with or without logprobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, TypeAlias

from ringtrue.errors import ModelError
from ringtrue.jsontext import json_text, parse_json
from ringtrue.models.request import Api
from ringtrue.records import Json

OutputMode: TypeAlias = Literal["schema", "json", "text"]
_BELOW: dict[OutputMode, OutputMode] = {"schema": "json", "json": "text"}
_REFUSES_A_PARAMETER = frozenset({400, 415, 422, 501})
"""What says "I do not know this"; a 500 says that something broke, and the same may work in a minute."""
NO_SUCH_CALL = frozenset({404, 405})
REFUSES_A_REQUEST = _REFUSES_A_PARAMETER | NO_SUCH_CALL
_TOO_LONG = (
    "context length",
    "context size",
    "context window",
    "context_length",
    "maximum context",
    "too many tokens",
    "the context holds",
)


@dataclass(frozen=True, slots=True)
class Features:
    """The features to use; each refusal that a feature may have caused leads to lesser features, until there are none.

    `temperature`: verdicts are asked for at temperature 0 where the endpoint takes it. `spelled`: the schema also
    is in the prompt. `bound`: the schema admits only this request's nonce; an endpoint that copies it needs no such
    schema, and keeps one compiled schema for all requests. `tools`: functions may be declared.
    """

    api: Api = "chat"
    mode: OutputMode = "schema"
    logprobs: bool = True
    spelled: bool = False
    bound: bool = False
    switched: bool = False
    tools: bool = True
    temperature: bool = True

    def supported_text(self) -> str:
        """The features that the endpoint was found to support, as text that a cache can keep."""
        return json_text([getattr(self, name) for name in _KEPT])

    def restore(self, text: str) -> Features:
        """These features with what an earlier process found."""
        found = parse_json(text)
        return replace(self, **dict(zip(_KEPT, found, strict=True))) if len(found) == len(_KEPT) else self

    @property
    def is_reduced(self) -> bool:
        """Whether something was given up that the endpoint refused once."""
        return self.mode != "schema" or not (self.logprobs and self.tools and self.temperature)

    def variants(self) -> list[Features]:
        """These first, then those that differ in what is spelled out and bound, which changes in passing."""
        pairs = sorted(product((False, True), repeat=2), key=lambda pair: pair != (self.spelled, self.bound))
        return [replace(self, spelled=spelled, bound=bound) for spelled, bound in pairs]

    def after(self, error: ModelError, wants_logprobs: bool, wants_temperature: bool = False) -> Features | None:
        """The features to try after an error, or None where no others promise more.

        A complaint that names what it is about costs that alone. One that names nothing costs the temperature first,
        which is given back where it was not that.
        """
        message = str(error).lower()
        if error.status in NO_SUCH_CALL or (error.status == 400 and "v1/responses" in message):
            other: Api = "responses" if self.api == "chat" else "chat"
            return None if self.switched else replace(self, api=other, switched=True)
        if error.status not in _REFUSES_A_PARAMETER or error.kind == "refused" or too_long(message):
            return None
        logprobs, temperature = wants_logprobs and self.logprobs, wants_temperature and self.temperature
        if temperature and "temperature" in message:
            return replace(self, temperature=False)
        if logprobs and "logprob" in message:
            return replace(self, logprobs=False)
        names_the_form = any(word in message for word in _OF_THE_FORM)
        if temperature and self.mode == "schema" and not names_the_form:
            return replace(self, temperature=False)
        if self.mode in _BELOW:
            given_back = wants_temperature and self.mode == "schema" and not names_the_form
            return replace(self, mode=_BELOW[self.mode], temperature=self.temperature or given_back)
        if logprobs or temperature:
            return replace(self, logprobs=False, temperature=False)
        return None

    def parameters(
        self,
        given: Mapping[str, Json],
        schema: Mapping[str, Json],
        name: str,
        logprobs: bool,
        temperature: float | None = None,
    ) -> dict[str, Json]:
        """The body's parameters: the given ones in the words of the API, and what binds the reply."""
        if temperature is not None and self.temperature:
            given = {"temperature": temperature, **given}
        bound = {"name": name, "strict": True, "schema": schema}
        if self.api == "chat":
            found = dict(given)
            if self.mode == "schema":
                found["response_format"] = {"type": "json_schema", "json_schema": bound}
            elif self.mode == "json":
                found["response_format"] = {"type": "json_object"}
            return {**found, "logprobs": True, "top_logprobs": 5} if logprobs and self.logprobs else found
        found = {_IN_RESPONSES.get(key, key): value for key, value in given.items() if key != "reasoning_effort"}
        found.setdefault("store", False)
        if "reasoning_effort" in given:
            found["reasoning"] = {"effort": given["reasoning_effort"]}
        if self.mode == "schema":
            found["text"] = {"format": {"type": "json_schema", **bound}}
        elif self.mode == "json":
            found["text"] = {"format": {"type": "json_object"}}
        if logprobs and self.logprobs:
            found |= {"include": ["message.output_text.logprobs"], "top_logprobs": 5}
        return found


def too_long(message: str) -> bool:
    """Whether an endpoint's complaint says that a request is longer than the model's context."""
    lowered = message.lower()
    return any(words in lowered for words in _TOO_LONG)


def refuses_tools(error: ModelError) -> bool:
    """Whether an error may come from functions that a request declares."""
    return error.status in REFUSES_A_REQUEST and not too_long(str(error))


_KEPT = ("api", "mode", "logprobs", "switched", "tools", "temperature")
_OF_THE_FORM = ("response_format", "json_schema", "json_object", "text.format", "schema")
_IN_RESPONSES = {"max_tokens": "max_output_tokens", "max_completion_tokens": "max_output_tokens"}
