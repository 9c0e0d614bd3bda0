"""`JsonApi`: any HTTP API that takes JSON and answers JSON, as a system."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

from ringtrue.dialects.coercion import output_text
from ringtrue.errors import MissingExtra, ModelError
from ringtrue.identity import NamedByClass, canonical_json
from ringtrue.jsontext import json_bytes
from ringtrue.jsontext_reader import read_json
from ringtrue.models.client.endpoint import MAX_BODY_BYTES
from ringtrue.models.client.response_bodies import read_error
from ringtrue.models.client.retries import RetryPolicy, retry_after
from ringtrue.records import Case, Json, Output
from ringtrue.require import require_choice, require_number, require_that
from ringtrue.safetext import excerpt

METHODS = ("POST", "PUT", "PATCH", "GET", "DELETE")


class JsonApi(NamedByClass):
    """Sends `{input_key: input, **extra_body}` and reads the answer at `output_path`, as in `choices.0.text`.

    A path that is missing in the reply is an error, never an empty answer. `timeout_seconds` bounds one attempt;
    429, 5xx and broken connections are tried again.
    """

    name: str
    in_flight = 8

    def __init__(
        self,
        url: str,
        *,
        name: str = "",
        method: str = "POST",
        input_key: str = "message",
        output_path: str = "response",
        extra_body: Mapping[str, Json] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_seconds: float = 30.0,
        retries: RetryPolicy | None = None,
    ) -> None:
        addressed = url.startswith(("http://", "https://"))
        require_that(addressed, "url", url, "an address that begins with http:// or https://")
        self.method = method.upper()
        require_choice("method", self.method, METHODS)
        require_number("timeout_seconds", timeout_seconds, above=0)
        self.url, self.input_key, self.output_path = url, input_key, output_path
        self.take_name(name, f"json_api_{url.partition('://')[2].partition('/')[0]}")
        self.extra_body, self.headers = dict(extra_body or {}), dict(headers or {})
        self.timeout_seconds, self.retries = timeout_seconds, retries or RetryPolicy(2)
        self._connections: Any = None

    async def answer(self, case: Case, repeat: int = 0) -> Output:
        """The answer to a case; a ModelError if there is none."""
        sent = json_bytes({self.input_key: case.input, **self.extra_body})
        attempts = 0
        while True:
            attempts += 1
            began = time.monotonic()
            found, wait = await self._attempt(sent)
            if not isinstance(found, ModelError):
                text, problem = output_text(self._at_path(found))
                return Output(text, problem, latency_seconds=time.monotonic() - began, calls=attempts)
            if attempts > self.retries.max_retries or not self.retries.worth_retrying(found):
                words = f"{self.url} {found} ({attempts} attempts)"
                raise ModelError(words, kind=found.kind, status=found.status, attempts=attempts)
            await asyncio.sleep(self.retries.wait_seconds(attempts, wait))

    async def close(self) -> None:
        """Close the connections."""
        if self._connections is not None:
            await self._connections.close()

    def signature(self) -> str:
        """The fields that are sent and read, without the headers' values, which may be secret."""
        settings = [self.method, self.input_key, self.output_path, self.extra_body, sorted(self.headers)]
        return f"{self.name}={self.url}|{canonical_json(settings)}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r}, output_path={self.output_path!r})"

    async def _attempt(self, body: bytes) -> tuple[Json | ModelError, float | None]:
        """The JSON that came, or why there is none, and how long to wait before the next attempt."""
        response = await self._connect().send(self.method, self.url, body, headers=self.headers)
        if isinstance(response, ModelError):
            return response, None
        secret = max((value.split()[-1] for value in self.headers.values() if value.split()), key=len, default="")
        if not 200 <= response.status < 300:
            wait = retry_after(response.headers, time.time())
            return read_error(response.status, response.body, secret=secret), wait
        found = read_json(response.body.decode("utf-8", "replace"))
        if found.problem:
            words = f"sent no JSON ({found.problem}): {excerpt(response.body, secret)}"
            return ModelError(words, kind="malformed"), None
        return found.value, None

    def _at_path(self, value: Json) -> Json:
        for part in self.output_path.split(".") if self.output_path else ():
            try:
                value = value[int(part)] if isinstance(value, list) else value[part]
            except (LookupError, TypeError, ValueError):
                words = f"{self.url} answered without {self.output_path!r}; output_path says where the text is"
                raise ModelError(words, kind="malformed") from None
        return value

    def _connect(self) -> Any:
        if self._connections is None:
            try:
                from ringtrue.models.client.http_client import HttpClient
            except ImportError as error:
                raise MissingExtra("asking an API", "models") from error
            self._connections = HttpClient({}, timeout_seconds=self.timeout_seconds, max_body_bytes=MAX_BODY_BYTES)
        return self._connections
