"""Requests and responses as provider events: hooks for httpx clients, and those of ringtrue's own endpoints."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit
from uuid import uuid4

from multivon_eval.provider_evidence import ProviderCapture, active_capture, active_operation

__all__ = ["google_http_options", "provider_http_hooks", "request_seen", "response_seen", "sdk_http_client"]

_KEPT_HEADERS = frozenset(
    (
        "content-type", "anthropic-version", "anthropic-beta", "openai-beta", "request-id", "x-request-id",
        "retry-after", "retry-after-ms", "x-should-retry",
    )
)  # fmt: skip
_SECRETS = ("key", "token", "auth", "password", "secret", "sig", "signature", "credential")
_ID = "multivon_eval_request_id"
_STREAMED = "a streamed body is not kept, nor what it took"


def provider_http_hooks(*, asynchronous: bool = False) -> dict[str, list[Callable[..., Any]]]:
    """`event_hooks` of an httpx client, such as the one given to a vendor's: what it sends is captured, no key is."""
    if asynchronous:
        return {"request": [_awaited_request], "response": [_awaited_response]}
    return {"request": [_request], "response": [_response]}


def sdk_http_client(sdk: Any, *, asynchronous: bool = False) -> Any:
    """The HTTP client of OpenAI's or Anthropic's package, for `http_client=` of theirs, with these hooks in it."""
    kind = sdk.DefaultAsyncHttpxClient if asynchronous else sdk.DefaultHttpxClient
    return kind(event_hooks=provider_http_hooks(asynchronous=asynchronous))


def google_http_options(timeout: float | None = None) -> dict[str, Any]:
    """`http_options=` of a client of google-genai with these hooks; its own choice for awaited calls is left alone."""
    waits = {} if timeout is None else {"timeout": int(timeout * 1000)}
    return {"client_args": {"event_hooks": provider_http_hooks()}, **waits}


def request_seen(
    capture: ProviderCapture, method: str, url: str, body: bytes, headers: Mapping[str, str], timeout: Any
) -> str:
    """Keep a request before it goes out; the name it has from then on."""
    name = uuid4().hex
    shown, redacted = _bare(url)
    told = {
        "method": method,
        "url": shown,
        "headers": _kept(headers),
        "body": _body(body),
        "timeout": timeout,
        "redacted": redacted,
        "capture_gap": None,
    }
    capture.emit("http_request", **active_operation(), request_id=name, request=told)
    return name


def response_seen(capture: ProviderCapture, name: str, **response: Any) -> None:
    """Keep the response to a request: `status_code`, `headers`, `body`, `usage`; `capture_gap` is what is missing."""
    operation = active_operation()["operation_id"]
    capture.emit("http_response", request_id=name, operation_id=operation, response=response)


def _request(request: Any) -> None:
    capture = active_capture()
    if capture is not None:
        waits = request.extensions.get("timeout")
        body = request.read()
        request.extensions[_ID] = request_seen(capture, request.method, str(request.url), body, request.headers, waits)


def _response(response: Any) -> None:
    capture, name = active_capture(), response.request.extensions.get(_ID)
    if capture is not None and name is not None:
        body = None if _streams(response) else response.read()
        _keep(capture, name, response, body)


async def _awaited_request(request: Any) -> None:
    await request.aread()
    _request(request)


async def _awaited_response(response: Any) -> None:
    capture, name = active_capture(), response.request.extensions.get(_ID)
    if capture is not None and name is not None:
        body = None if _streams(response) else await response.aread()
        _keep(capture, name, response, body)


def _keep(capture: ProviderCapture, name: str, response: Any, raw: bytes | None) -> None:
    body = None if raw is None else _body(raw)
    value = body["value"] if body is not None else None
    usage = value.get("usage", value.get("usageMetadata")) if isinstance(value, dict) else None
    response_seen(
        capture,
        name,
        status_code=response.status_code,
        headers=_kept(response.headers),
        body=body,
        usage=usage,
        capture_gap=_STREAMED if body is None else None,
    )


def _streams(response: Any) -> bool:
    return "text/event-stream" in response.headers.get("content-type", "")


def _kept(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() in _KEPT_HEADERS}


def _body(raw: bytes) -> dict[str, Any]:
    about = {"sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)}
    try:
        return {"encoding": "json", "value": json.loads(raw), **about}
    except ValueError:
        return {"encoding": "base64", "value": base64.b64encode(raw).decode("ascii"), **about}


def _bare(url: str) -> tuple[str, list[str]]:
    """The address without anything that opens a door, and what was taken away."""
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    secret = [name for name, _ in pairs if any(word in name.lower() for word in _SECRETS)]
    query = urlencode([(name, "[redacted]" if name in secret else value) for name, value in pairs])
    host = parts.netloc.rpartition("@")[2]
    taken = [f"query.{name}" for name in secret] + (["url.userinfo"] if "@" in parts.netloc else [])
    return parts._replace(netloc=host, query=query, fragment="").geturl(), taken
