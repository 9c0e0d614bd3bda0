"""`Endpoint`: one OpenAI-compatible address and key, asked with limits, retries and deadlines."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ringtrue._version import __version__
from ringtrue.errors import ConfigurationError, MissingExtra, ModelError
from ringtrue.identity import digest
from ringtrue.models.client.limiter import Limiter, News
from ringtrue.models.client.prices import Prices
from ringtrue.models.client.response_bodies import read_error, read_reply
from ringtrue.models.client.retries import RetryPolicy, Tries, Unreachable, exhausted_for, retry_after
from ringtrue.models.client.shared_limiter import SharedLimiter
from ringtrue.models.client.silence import unless_silent
from ringtrue.models.client.urls import api_root, call_url
from ringtrue.models.patience import ENDPOINT_SECONDS, AnswerTimes, deadline_for
from ringtrue.models.reply import Reply
from ringtrue.models.request import Api, Request
from ringtrue.records import Json
from ringtrue.require import require_number
from ringtrue.safetext import excerpt

if TYPE_CHECKING:
    from ringtrue.models.client.http_client import HttpClient, Response

OPENAI = "https://api.openai.com/v1"
MAX_BODY_BYTES = 50_000_000
LEAST_SHARE = 0.02
"""Of a call's whole time, what must be left for another attempt to begin."""
_CALLS: dict[Api, str] = {"chat": "chat/completions", "responses": "responses"}


class Endpoint:
    """A model behind HTTP: every `ask` ends within its deadline with a Reply or a ModelError.

    `timeout_seconds` limits one attempt (by default 60, or what a request says); after a timeout the next attempt may
    take twice as long. `deadline_seconds` limits the whole call from its first attempt on: by default five times the
    timeout, or three times a timeout above 60 s. Time in the queue counts for neither. A request that is silent far
    longer than answers usually take is given up before its timeout and asked again. At most `max_in_flight` requests
    are in flight, and fewer if the endpoint cannot handle them; all objects of this process with the same address and
    key share this limit, unless a `limiter` is given. Your own `http_client` sends the requests, including the key.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        timeout_seconds: float | None = None,
        deadline_seconds: float | None = None,
        max_retries: int = 5,
        retries: RetryPolicy | None = None,
        max_in_flight: int = 100,
        limiter: Limiter | None = None,
        prices: Prices | None = None,
        http_client: HttpClient | None = None,
    ) -> None:
        self.base_url = api_root(base_url)
        self.timeout_is_given = timeout_seconds is not None
        if timeout_seconds is not None:
            require_number("timeout_seconds", timeout_seconds, above=0)
        self.timeout_seconds = float(ENDPOINT_SECONDS if timeout_seconds is None else timeout_seconds)
        if deadline_seconds is not None:
            require_number("deadline_seconds", deadline_seconds, above=0)
        self._deadline = None if deadline_seconds is None else float(deadline_seconds)
        self.retries = RetryPolicy(max_retries) if retries is None else retries
        self.prices = Prices.from_package() if prices is None else prices
        self._key = _key(api_key)
        self.limiter = SharedLimiter(self.base_url, self._key, maximum=max_in_flight) if limiter is None else limiter
        self._times: dict[str, AnswerTimes] = {}
        self._was_reached = False
        self._urls = {api: call_url(self.base_url, call) for api, call in _CALLS.items()}
        self._connections = self._connect() if http_client is None else http_client

    @classmethod
    def from_env(cls, base_url: str | None = None, api_key: str | None = None, **settings: Any) -> Self:
        """The endpoint that OPENAI_BASE_URL and OPENAI_API_KEY name; arguments win."""
        url = base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI
        key = api_key or os.environ.get("OPENAI_API_KEY")
        if api_root(url) == OPENAI and not key:
            raise ConfigurationError(
                "no API key: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs none; "
                "--judge-url (judge= in Python) also names a judge",
                parameter="api_key",
            )
        return cls(url, key, **settings)

    def allow_in_flight(self, count: int) -> None:
        """Allow this many requests at once, if fewer were allowed; a limiter that was handed in decides for itself."""
        if isinstance(self.limiter, SharedLimiter):
            self.limiter.widen(count)

    @property
    def deadline_seconds(self) -> float:
        """The seconds that a call may take in all, unless its request limits an attempt."""
        return self._deadline_for(self.timeout_seconds)

    @property
    def owner(self) -> str:
        """The hash of the key: whose replies these are, without telling it."""
        return digest(self._key)

    def request(
        self,
        model: str,
        messages: Sequence[Mapping[str, Json]],
        parameters: Mapping[str, Json] | None = None,
        api: Api = "chat",
    ) -> Request:
        """A request to this endpoint."""
        return Request(self.base_url, model, messages, {} if parameters is None else parameters, api)

    async def ask(self, request: Request) -> Reply:
        """The reply to a request, after as many attempts as it is worth; a ModelError says why there is none."""
        if request.endpoint != self.base_url and api_root(request.endpoint) != self.base_url:
            raise ConfigurationError(
                f"the request is for {request.endpoint!r}, this endpoint is {self.base_url!r}",
                parameter="endpoint",
                value=request.endpoint,
            )
        body = request.body()
        seconds = request.timeout_seconds or self.timeout_seconds
        whole = self._deadline_for(seconds)
        tries = Tries()
        try:
            started = await self.limiter.acquire(patience_seconds=whole)
            deadline = time.monotonic() + whole
            while True:
                tries.attempts += 1
                result = await self._attempt(request, body, started, deadline, tries, seconds)
                if isinstance(result, Reply):
                    more = tries.attempts > 1
                    return replace(result, attempts=tries.attempts, timeouts=tries.timeouts) if more else result
                started = await self._again(*result, tries, deadline, whole)
        except ModelError as error:
            problem = self._named_error(error, tries)
        except asyncio.CancelledError as left:
            left.attempts = tries.attempts  # type: ignore[attr-defined]  # for the account of requests that were given up
            raise
        raise problem

    async def close(self) -> None:
        """Close the connections; a later `ask` opens new ones."""
        await self._connections.close()
        if isinstance(self.limiter, SharedLimiter):
            self.limiter.leave()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"Endpoint({self.base_url!r}{', api_key=…' if self._key else ''})"

    async def _attempt(
        self, request: Request, body: bytes, started: float, deadline: float, tries: Tries, seconds: float
    ) -> Reply | tuple[ModelError, float | None]:
        """One request and its reading; the place is given back whatever happens."""
        news: News = "none"
        pause = 0.0
        try:
            begun = time.monotonic()
            left = deadline - begun
            seconds = tries.attempt_seconds(seconds)
            response = await self._post(request, body, max(min(seconds, left), 0.001), tries)
            self._was_reached = self._was_reached or not isinstance(response, Unreachable)
            if isinstance(response, ModelError):
                if response.kind == "timeout" and left >= seconds:
                    news = "silent"
                return response, None
            if 200 <= response.status < 300:
                result = self._reply(request, response, time.monotonic() - begun)
                limited = not isinstance(result, Reply) and result[0].kind == "rate_limit"
                news = "refused" if limited else "answered"
                pause = exhausted_for(response.headers, time.time())
                return result
            error = self._error(response)
            said = retry_after(response.headers, time.time())
            if response.status == 429 and said is None:
                said = exhausted_for(response.headers, time.time()) or None
            if response.status == 429 or said:
                news, pause = "refused", said or 0.0
            return error, said
        finally:
            self.limiter.release(started, news, pause)

    async def _post(self, request: Request, body: bytes, seconds: float, tries: Tries) -> Response | ModelError:
        times = self._times.get(request.model)
        if times is None:
            times = self._times[request.model] = AnswerTimes()
        sending = self._connections.post(self._urls[request.api], body, seconds)
        if seconds <= times.FLOOR_SECONDS or not self.retries.max_retries:
            return await sending
        begun = time.monotonic()
        response = await unless_silent(sending, times, tries.given_up)
        if not isinstance(response, ModelError) and response.status == 200:
            times.note(time.monotonic() - begun)
        return response

    def _reply(self, request: Request, response: Response, seconds: float) -> Reply | tuple[ModelError, None]:
        try:
            reply = read_reply(
                response.body, request.api, model=request.model, latency_seconds=seconds, secret=self._key
            )
        except ModelError as error:
            return error, None
        cost = self.prices.cost(reply, request.model, self.base_url)
        return reply if cost is None else replace(reply, cost=cost)

    def _error(self, response: Response) -> ModelError:
        status = response.status
        if 300 <= status < 400:
            there = excerpt(response.headers.get("Location", "nowhere"), self._key)
            return ModelError(
                f"answered {status} and points to {there}; redirects are not followed: use that address",
                kind="http",
                status=status,
            )
        return read_error(status, response.body, secret=self._key)

    async def _again(self, error: ModelError, said: float | None, tries: Tries, deadline: float, whole: float) -> float:
        """Wait until the next attempt may start and take a place for it; raise if there is to be none."""
        tries.note(error, said)
        wait = self.retries.wait_after(error, tries, said)
        is_absent = isinstance(error, Unreachable) and not self._was_reached and tries.attempts > 1
        if wait is None or is_absent:
            raise error
        left = deadline - time.monotonic()
        left -= LEAST_SHARE * whole  # an attempt that is left no time is a paid one in vain
        if wait < left:
            try:
                async with asyncio.timeout(left):
                    await self.pause(wait)
                    return await self.limiter.acquire(again=True, patience_seconds=left)
            except TimeoutError:
                pass
        late = f"{error}; another attempt would not end within {whole:g} s"
        raise ModelError(late, kind=error.kind, status=error.status)

    async def pause(self, seconds: float) -> None:
        """Wait before another attempt."""
        await asyncio.sleep(seconds)

    def _deadline_for(self, attempt_seconds: float) -> float:
        return deadline_for(attempt_seconds) if self._deadline is None else self._deadline

    def _named_error(self, error: ModelError, tries: Tries) -> ModelError:
        """The error with the endpoint's name, its attempts, and what to do about it."""
        said = f" ({tries.attempts} attempts)" if tries.attempts > 1 else ""
        hint = _HINTS.get(error.status or 0, "")
        return ModelError(
            f"{self.base_url} {error}{said}{hint}",
            kind=error.kind,
            status=error.status,
            attempts=tries.attempts,
            timeouts=tries.timeouts,
        )

    def _connect(self) -> HttpClient:
        try:
            from ringtrue.models.client.http_client import HttpClient
        except ImportError as error:
            raise MissingExtra("asking an endpoint", "models") from error
        headers = {"User-Agent": f"ringtrue/{__version__}"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        return HttpClient(headers, timeout_seconds=self.timeout_seconds, max_body_bytes=MAX_BODY_BYTES)


_HINTS = {
    401: "; check the API key (OPENAI_API_KEY, or api_key= in Python)",
    403: "; check what the API key may do",
    404: "; check the address and the model's name",
}


def _key(api_key: str | None) -> str:
    if api_key is None:
        return ""
    key = api_key.strip() if isinstance(api_key, str) else ""
    if not key.isascii() or not key.isprintable() or (not key and api_key != ""):
        # The message does not show the value: it may be a key with one wrong letter.
        raise ConfigurationError("api_key must be printable ASCII text", parameter="api_key")
    return key
