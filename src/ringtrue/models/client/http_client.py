"""`HttpClient`: the one module that speaks HTTP; it needs aiohttp (the extra `models`)."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass

import aiohttp
from yarl import URL

from ringtrue.errors import ModelError
from ringtrue.models.client.retries import Unreachable
from ringtrue.safetext import excerpt


@dataclass(frozen=True, slots=True)
class Response:
    """A complete HTTP response."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(eq=False)
class _Pool:
    """The connections of one event loop; one that is given up ends with the last request that is under way on it."""

    session: aiohttp.ClientSession
    end: AsyncGenerator[None, None]
    under_way: int = 0
    given_up: bool = False

    async def give_up(self) -> None:
        self.given_up = True
        if not self.under_way:
            await self.end.aclose()

    async def leave(self) -> None:
        self.under_way -= 1
        if self.given_up and not self.under_way:
            await self.end.aclose()


class HttpClient:
    """The open connections to one endpoint: one pool for each event loop, closed with its loop.

    Failures are returned, not raised: aiohttp's exceptions contain the request's headers, including the key, so none of
    them leaves this module, not even as the cause of another.
    """

    def __init__(self, headers: Mapping[str, str], *, timeout_seconds: float, max_body_bytes: int) -> None:
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", **headers}
        self._max_body_bytes = max_body_bytes
        self._timeout = _timeout(timeout_seconds)
        self._pools: dict[asyncio.AbstractEventLoop, _Pool] = {}
        self._addresses: dict[str, URL] = {}

    async def post(self, url: str, body: bytes, timeout_seconds: float | None = None) -> Response | ModelError:
        """`send` with POST."""
        return await self.send("POST", url, body, timeout_seconds)

    async def send(
        self,
        method: str,
        url: str,
        body: bytes,
        timeout_seconds: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response | ModelError:
        """Send a body and read the whole response, or say in an error why there is none; redirects are not followed."""
        pool = self._pools.get(asyncio.get_running_loop()) or await self._open()
        address = self._addresses.get(url)
        if address is None:
            address = self._addresses[url] = URL(url)
        timeout = self._timeout if timeout_seconds is None else _timeout(timeout_seconds)
        pool.under_way += 1
        try:
            async with pool.session.request(
                method, address, data=body, timeout=timeout, headers=headers, allow_redirects=False
            ) as response:
                received = await self._read(response)
                if received is not None:
                    return Response(response.status, response.headers, received)
                return ModelError(f"sent more than {self._max_body_bytes:,} bytes", kind="malformed")
        except TimeoutError:
            return ModelError(f"gave no whole answer in {timeout.total:.3g} s", kind="timeout")
        except aiohttp.ClientConnectorError as error:
            return Unreachable(f"cannot be reached: {_reason(error.os_error)}", kind="connection")
        except (aiohttp.ClientError, OSError) as error:
            return ModelError(f"broke the connection: {_describe(error)}", kind="connection")
        finally:
            await pool.leave()

    async def close(self) -> None:
        """Close every connection; requests under way finish first, and a later one opens new connections.

        An endpoint may serve several runs: the first to end breaks nothing that another has sent.
        """
        here = asyncio.get_running_loop()
        while self._pools:
            loop, pool = self._pools.popitem()
            if loop is here:
                await pool.give_up()
            elif loop.is_running():
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(pool.give_up(), loop))

    async def _read(self, response: aiohttp.ClientResponse) -> bytes | None:
        content = response.content
        chunk = await content.readany()
        if content.at_eof() and len(chunk) <= self._max_body_bytes:
            return chunk
        chunks = []
        size = 0
        while chunk:
            chunks.append(chunk)
            size += len(chunk)
            if size > self._max_body_bytes:
                return None
            chunk = await content.readany()
        return b"".join(chunks)

    async def _open(self) -> _Pool:
        for ended in [loop for loop in self._pools if loop.is_closed()]:
            del self._pools[ended]
        # The limiter decides how many are under way; a second queue here would count as latency.
        connector = aiohttp.TCPConnector(limit=0, ttl_dns_cache=300, keepalive_timeout=30)
        session = aiohttp.ClientSession(
            connector=connector, cookie_jar=aiohttp.DummyCookieJar(), headers=self._headers, timeout=self._timeout
        )
        pool = self._pools[asyncio.get_running_loop()] = _Pool(session, _closing(session))
        await anext(pool.end)
        return pool


_OPEN: set[aiohttp.ClientSession] = set()
"""Held until they are closed: one that is collected together with its generator complains before that can close it."""


async def _closing(session: aiohttp.ClientSession) -> AsyncGenerator[None, None]:
    # Event loops finish their generators when they end, and when nothing refers to one any more.
    _OPEN.add(session)
    try:
        yield
    finally:
        await session.close()
        _OPEN.discard(session)


def _timeout(seconds: float) -> aiohttp.ClientTimeout:
    # Above its threshold aiohttp rounds up to whole seconds; a deadline is kept as it is.
    return aiohttp.ClientTimeout(total=seconds, ceil_threshold=float("inf"))


def _reason(error: OSError) -> str:
    """Return why there is no connection, in the system's words: `Connection refused`."""
    if error.errno and error.errno > 0 and not isinstance(error, ssl.SSLError):
        return os.strerror(error.errno)
    return excerpt(error.strerror or str(error))


def _describe(error: Exception) -> str:
    text = str(error)
    return f"{type(error).__name__}: {excerpt(text)}" if text else type(error).__name__
