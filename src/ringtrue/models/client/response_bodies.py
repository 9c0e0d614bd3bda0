"""Read an endpoint's response into a Reply or a ModelError: pure functions of the received bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import orjson

from ringtrue.errors import ModelError
from ringtrue.jsontext import json_bytes, json_text
from ringtrue.models.reply import Reply
from ringtrue.models.request import Api
from ringtrue.records import Json
from ringtrue.safetext import excerpt

Fields: TypeAlias = dict[str, Any]
_STATUS_OF_CODE = {
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "insufficient_quota": 429,
    "server_error": 500,
    "internal_server_error": 500,
    "api_error": 500,
    "overloaded_error": 529,
    "invalid_api_key": 401,
    "model_not_found": 404,
    "invalid_request_error": 400,
    "invalid_prompt": 400,
    "context_length_exceeded": 400,
}
_REFUSALS = ("content_filter", "content_policy_violation")


def read_reply(
    body: bytes, api: Api = "chat", *, model: str = "", latency_seconds: float | None = None, secret: str = ""
) -> Reply:
    """The reply in a body of a successful response; anything else raises a ModelError that shows a piece of it.

    `model` is the name asked for, which holds where the body gives none.
    """
    value = _parse(body, secret)
    try:
        said = _chat(value) if api == "chat" else _responses(value)
    except _ErrorInside as found:
        error = error_inside(found.args[0], secret)
    except _MalformedBody as problem:
        error = ModelError(f"{problem}: {excerpt(body, secret)}", kind="malformed")
    else:
        if said.text or said.tool_calls or said.finish_reason != "content_filter":
            return _reply(said, value, model, latency_seconds)
        error = ModelError("withheld the answer (content_filter)", kind="refused")
    raise error


def read_error(status: int, body: bytes, *, secret: str = "") -> ModelError:
    """The error in a body of an unsuccessful response."""
    try:
        error = _parse(body, secret)
    except ModelError:
        error = {}
    inner = error.get("error") or error.get("detail") or error.get("message")
    if not inner:
        shown = excerpt(body, secret) if body.strip() else "with an empty body"
        return ModelError(f"answered {status}: {shown}", kind=_kind(status, ""), status=status)
    message, _, code = _describe(inner, secret)
    return ModelError(f"answered {status}: {message}", kind=_kind(status, code), status=status)


def error_inside(error: Json, secret: str = "") -> ModelError:
    """The error an endpoint put where a reply belongs."""
    message, status, code = _describe(error, secret)
    return ModelError(
        f"put an error inside a successful response: {message}", kind=_kind(status or 0, code), status=status
    )


class _MalformedBody(Exception):
    """The body is JSON, but not a reply."""


class _ErrorInside(Exception):
    """The body is an error."""


class _SaidMessage(NamedTuple):
    text: str
    message: Fields
    tool_calls: list[Fields]
    finish_reason: str
    logprobs: list[Fields] | None


def _parse(body: bytes, secret: str) -> Fields:
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        value = _lenient(body)
    if type(value) is dict:
        return value
    if not body.strip():
        raise ModelError("sent an empty body", kind="malformed")
    looks = "HTML" if body.lstrip()[:1] == b"<" else "something that is not a JSON object"
    raise ModelError(f"sent {looks}: {excerpt(body, secret)}", kind="malformed")


def _lenient(body: bytes) -> Json:
    # Some servers write NaN, a byte order mark or half a surrogate pair, which orjson refuses.
    try:
        value = json.loads(body, parse_constant=lambda _: None)
        whole = json.dumps(value, ensure_ascii=False).encode("utf-16-le", "surrogatepass")
        return orjson.loads(whole.decode("utf-16-le", "replace"))
    except (ValueError, RecursionError):
        return None


def _chat(value: Fields) -> _SaidMessage:
    if value.get("error"):
        raise _ErrorInside(value["error"])
    choices = value.get("choices")
    if type(choices) is not list:
        raise _MalformedBody("sent no choices")
    if not choices:
        raise _MalformedBody("sent an empty list of choices")
    choice = choices[0] if type(choices[0]) is dict else {}
    if choice.get("error"):
        raise _ErrorInside(choice["error"])
    message = choice.get("message")
    if type(message) is not dict:
        raise _MalformedBody("sent a choice without a message")
    reason = choice.get("finish_reason")
    logprobs = choice.get("logprobs")
    return _SaidMessage(
        _text(message.get("content")) or _refusal(message),
        message,
        _tool_calls(message),
        reason if type(reason) is str else "",
        _rows(logprobs.get("content")) if type(logprobs) is dict else None,
    )


def _responses(value: Fields) -> _SaidMessage:
    if value.get("error"):
        raise _ErrorInside(value["error"])
    status = value.get("status")
    if status not in ("completed", "incomplete", None):
        raise _MalformedBody(f"sent a response with the status {status!r}")
    output = value.get("output")
    if type(output) is not list:
        raise _MalformedBody("sent no output")
    parts: list[Fields] = []
    calls: list[Fields] = []
    for item in output:
        kind = item.get("type") if type(item) is dict else None
        if kind == "message":
            parts.extend(_rows(item.get("content")) or ())
        elif kind == "function_call":
            calls.append({"id": item.get("call_id"), "type": "function", "function": _function(item)})
    message: Fields = {"role": "assistant", "content": _text(parts)}
    refusals = [_refusal(part) for part in parts if "refusal" in part]
    if refusals:
        message["refusal"] = "\n".join(refusals)
    if calls:
        message["tool_calls"] = calls
    logprobs = [row for part in parts for row in _rows(part.get("logprobs")) or ()]
    return _SaidMessage(
        message["content"] or _refusal(message), message, calls, _finish_reason_of(value, calls), logprobs or None
    )


def _finish_reason_of(value: Fields, calls: list[Fields]) -> str:
    details = value.get("incomplete_details")
    why = details.get("reason") if type(details) is dict else None
    if why is None:
        return "tool_calls" if calls else "stop"
    return "length" if why == "max_output_tokens" else str(why)


def _reply(said: _SaidMessage, value: Fields, asked: str, latency_seconds: float | None) -> Reply:
    usage = value.get("usage")
    if type(usage) is not dict:
        usage = {}
    details = usage.get("prompt_tokens_details") or usage.get("input_tokens_details")
    model = value.get("model")
    return Reply(
        said.text,
        said.message,
        said.tool_calls,
        said.finish_reason,
        _count(usage.get("prompt_tokens", usage.get("input_tokens"))),
        _count(usage.get("completion_tokens", usage.get("output_tokens"))),
        latency_seconds,
        model=model if type(model) is str and model else asked,
        logprobs=said.logprobs,
        cached_input_tokens=_count(details.get("cached_tokens")) if type(details) is dict else None,
    )


def _refusal(message: Fields) -> str:
    """Return the model's refusal: it is the model's answer, and is scored like one."""
    refusal = message.get("refusal")
    return refusal if type(refusal) is str else ""


def _text(content: Json) -> str:
    if content is None:
        return ""
    if type(content) is str:
        return content
    if type(content) is not list:
        raise _MalformedBody("sent content that is neither text nor a list of parts")
    texts = [part if type(part) is str else part.get("text") for part in content if type(part) in (str, dict)]
    return "".join(text for text in texts if type(text) is str)


def _tool_calls(message: Fields) -> list[Fields]:
    calls = message.get("tool_calls")
    if not calls:
        old = message.get("function_call")
        return [{"id": None, "type": "function", "function": _function(old)}] if type(old) is dict else []
    if type(calls) is not list or not all(type(call) is dict for call in calls):
        raise _MalformedBody("sent tool calls that are not a list of objects")
    return [{**call, "function": _function(call["function"])} if "function" in call else call for call in calls]


def _function(call: Json) -> Fields:
    name = call.get("name") if type(call) is dict else None
    if type(name) is not str:
        raise _MalformedBody("sent a tool call without a name")
    arguments = call.get("arguments")
    if type(arguments) is not str:
        arguments = "" if arguments is None else json_text(arguments)
    return {"name": name, "arguments": arguments}


def _rows(value: Json) -> list[Fields] | None:
    return value if type(value) is list and all(type(item) is dict for item in value) else None


def _count(value: Json) -> int | None:
    if type(value) is float and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value < 2**53 else None


def _describe(error: Json, secret: str) -> tuple[str, int | None, str]:
    """An error object's message, HTTP status and code, as far as it has them."""
    if not isinstance(error, Mapping):
        return excerpt(error if isinstance(error, str) else json_bytes(error), secret), None, ""
    message, code = error.get("message"), error.get("code")
    names = [name for name in (code, error.get("type"), error.get("status")) if isinstance(name, (str, int))]
    status = next((found for found in map(_status, names) if found), None)
    shown = message if isinstance(message, str) and message.strip() else json_bytes(error)
    return excerpt(shown, secret), status, next((name for name in names if isinstance(name, str)), "")


def _status(name: str | int) -> int | None:
    if isinstance(name, str):
        if not (name.isascii() and name.isdecimal() and len(name) == 3):
            return _STATUS_OF_CODE.get(name)
        name = int(name)
    return name if 400 <= name <= 599 else None


def _kind(status: int, code: str) -> str:
    if code in _REFUSALS:
        return "refused"
    # A used-up account also answers 429, but waiting does not fill it.
    return "rate_limit" if status == 429 and code != "insufficient_quota" else "http"
