"""ringtrue's endpoint over `urllib.request.urlopen`, the call that context-bench's users install openers for."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

from ringtrue import __version__
from ringtrue.errors import ModelError
from ringtrue.models import Endpoint, HttpClient, Response
from ringtrue.sync import in_thread

MAX_BODY_BYTES = 50_000_000
TIMEOUT_SECONDS = 60.0


class Urlopen(HttpClient):
    """One request per call in a thread of its own; failures are returned, not raised."""

    def __init__(self, key: str, timeout_seconds: float) -> None:
        self._key = key
        self._timeout_seconds = timeout_seconds

    async def post(self, url: str, body: bytes, timeout_seconds: float | None = None) -> Response | ModelError:
        """Send a body and read the whole response, or say in an error why there is none."""
        answer: Response | ModelError = await in_thread(self._sent, url, body, timeout_seconds or self._timeout_seconds)
        return answer

    async def close(self) -> None:
        """Nothing is kept open."""

    def _sent(self, url: str, body: bytes, seconds: float) -> Response | ModelError:
        headers = {"Content-Type": "application/json", "User-Agent": f"ringtrue/{__version__}"}
        request = urllib.request.Request(url, body, headers, method="POST")
        if self._key:
            request.add_unredirected_header("Authorization", f"Bearer {self._key}")  # a key is for its own host alone
        try:
            with urllib.request.urlopen(request, timeout=seconds) as response:
                return _whole(200, response.headers, response.read(MAX_BODY_BYTES + 1))
        except urllib.error.HTTPError as error:
            return _whole(error.code, error.headers, _body(error))
        except urllib.error.URLError as error:
            return _failed(error.reason if isinstance(error.reason, Exception) else error)
        except (OSError, http.client.HTTPException) as error:
            return _failed(error)


class UrlopenEndpoint(Endpoint):
    """An endpoint asked through `urlopen`: limits, retries, deadlines and reading are ringtrue's."""

    def __init__(
        self, base_url: str, api_key: str | None = None, *, timeout_seconds: float | None = None, **settings: Any
    ) -> None:
        client = Urlopen(api_key or "", timeout_seconds or TIMEOUT_SECONDS)
        super().__init__(base_url, api_key, timeout_seconds=timeout_seconds, http_client=client, **settings)

    async def pause(self, seconds: float) -> None:
        """Wait before another attempt."""
        await in_thread(time.sleep, seconds)  # the call whose waits a user's own tests take away


def _body(error: urllib.error.HTTPError) -> bytes:
    """Return the body of an error; one that was raised without a stream, or is read already, has none."""
    if error.fp is None or error.fp.closed:
        return b""
    with error:
        return error.read(MAX_BODY_BYTES + 1)


def _whole(status: int, headers: Any, body: bytes) -> Response | ModelError:
    if len(body) > MAX_BODY_BYTES:
        return ModelError(f"sent more than {MAX_BODY_BYTES:,} bytes", kind="malformed")
    known: Mapping[str, str] = {} if headers is None else headers
    return Response(status, known, body)


def _failed(error: Exception) -> ModelError:
    if isinstance(error, TimeoutError):
        return ModelError("gave no whole answer in time", kind="timeout")
    return ModelError(f"broke the connection: {type(error).__name__}: {str(error)[:200]}", kind="connection")
