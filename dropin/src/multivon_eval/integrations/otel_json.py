"""OTLP in JSON as the message of protobuf that it stands for.

It is not protobuf's own JSON: identifiers are hexadecimal and enumerations are numbers.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any, NoReturn

from multivon_eval.values import required

__all__ = ["parse_otlp_json"]

_INSTALL = "opentelemetry-proto"
_ID_BYTES = {"traceId": 16, "spanId": 8, "parentSpanId": 8}


def parse_otlp_json(payload: bytes) -> Any:
    """The ExportTraceServiceRequest of an OTLP payload in JSON; fields that are not known are passed over."""
    service = required("opentelemetry.proto.collector.trace.v1.trace_service_pb2", "OTLP", _INSTALL)
    formats = required("google.protobuf.json_format", "OTLP", _INSTALL)
    try:
        data = json.loads(payload, object_pairs_hook=_object, parse_constant=_refused)
    except RecursionError:
        raise ValueError("the OTLP JSON is nested too deep") from None
    if not isinstance(data, dict):
        raise ValueError(f"an OTLP request is an object; got {type(data).__name__}")
    for resource in _members(data, "resourceSpans"):
        for scope in _members(resource, "scopeSpans"):
            for span in _members(scope, "spans"):
                _as_protobuf(span)
    try:
        return formats.ParseDict(data, service.ExportTraceServiceRequest(), ignore_unknown_fields=True)
    except formats.ParseError as error:
        raise ValueError(f"not OTLP: {error}") from error


def _as_protobuf(span: dict[str, Any]) -> None:
    for holder in (span, *_members(span, "links")):
        for name, size in _ID_BYTES.items():
            if holder.get(name):
                holder[name] = base64.b64encode(hex_bytes(holder[name], size, name)).decode("ascii")
    status = span.get("status", {})
    if not isinstance(status, dict):
        raise ValueError("the status of a span is an object")
    for name, value in (("kind", span.get("kind", 0)), ("status.code", status.get("code", 0))):
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"{name} of a span is an integer in OTLP JSON; got {value!r}")


def hex_bytes(value: Any, size: int, name: str) -> bytes:
    """The bytes of an identifier; one of another length, or of nothing but zeros, is a ValueError."""
    try:
        found = bytes.fromhex(value) if isinstance(value, str) and len(value) == 2 * size else b""
    except ValueError:
        found = b""
    if len(found) != size or not any(found):
        raise ValueError(f"{name} has {2 * size} hexadecimal digits, not all of them 0; got {value!r}")
    return found


def _members(holder: dict[str, Any], name: str) -> Iterator[dict[str, Any]]:
    found = holder.get(name, [])
    if not isinstance(found, list):
        raise ValueError(f"{name} is a list of objects in OTLP JSON")
    for one in found:
        if not isinstance(one, dict):
            raise ValueError(f"{name} is a list of objects in OTLP JSON; it holds {one!r}")
        yield one


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object of the OTLP JSON has a field twice")
    return found


def _refused(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
