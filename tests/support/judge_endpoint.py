"""An OpenAI-compatible judge on loopback: to every JSON schema it answers with something that fits."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Self

from support.json_server import Answer, JsonServer, Sent

_NONCE = re.compile(r'Put "([0-9a-f]+)" into the field nonce')
_PATHS = {"chat": "/v1/chat/completions", "responses": "/v1/responses"}

Acting = Callable[[dict[str, Any]], list[dict[str, Any]]]
"""A request's body -> the tool calls to make, as [{"name": …, "arguments": {…}}]; none: answer."""


class JudgeEndpoint(JsonServer):
    """`with JudgeEndpoint(api, says={"probability": 0.2}) as judge: … judge.base_url …`.

    A field that `says` names gets that value, or what a function makes of its schema and its entry's place in a list;
    any other gets the first that its schema allows, the highest of a range. Only the named API is served, both without
    a name. `asked` has the requests' bodies.
    """

    def __init__(
        self, api: str | None = None, says: Mapping[str, Any] | None = None, acting: Acting | None = None
    ) -> None:
        super().__init__(self._answered)
        self.paths = [path for name, path in _PATHS.items() if api in (None, name)]
        self.says = dict(says or {})
        self.acting = acting
        self.asked: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        super().__enter__()
        self.base_url = f"{self.root}/v1"
        return self

    def _answered(self, sent: Sent) -> Answer:
        if sent.path not in self.paths:
            return 404, {"error": {"message": "no such path"}}, {}
        return 200, self.reply(sent.body), {"Content-Type": "application/json"}

    def reply(self, body: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(body)
        calls = self.acting(body) if self.acting and body.get("tools") else []
        text = "" if calls else self.text(body)
        return (chat if "messages" in body else responses)(body["model"], text, calls)

    def text(self, body: dict[str, Any]) -> str:
        bound = body.get("response_format", {}).get("json_schema") or body.get("text", {}).get("format", {})
        schema = bound.get("schema")
        if schema is None:
            return "## Can\n- read text"
        said = (body.get("messages") or body["input"])[-1]["content"]
        nonces = _NONCE.findall(said)
        fitting = self.fitting(schema)
        return json.dumps({**fitting, "nonce": nonces[-1]} if nonces else fitting)

    def fitting(self, schema: Mapping[str, Any], name: str = "", at: int = 0) -> Any:
        if name in self.says:
            said = self.says[name]
            return said(schema, at) if callable(said) else said
        kind = schema.get("type")
        if kind == "object":
            return {key: self.fitting(inner, key, at) for key, inner in schema["properties"].items()}
        if kind == "array":
            return [self.fitting(schema["items"], "", position) for position in range(schema.get("minItems", 1))]
        if "enum" in schema:
            # Where a list asks for one entry of each number, every entry has another one.
            return schema["enum"][at % len(schema["enum"]) if kind == "integer" else 0]
        if kind in ("number", "integer"):
            return schema.get("maximum", schema.get("minimum", 0))
        return True if kind == "boolean" else "It is as the judge says."


def chat(model: str, text: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
    made = [
        {
            "id": f"call_{at}",
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])},
        }
        for at, call in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text or None, **({"tool_calls": made} if made else {})}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if made else "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def responses(model: str, text: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
    made = [
        {
            "type": "function_call",
            "call_id": f"call_{at}",
            "name": call["name"],
            "arguments": json.dumps(call["arguments"]),
        }
        for at, call in enumerate(calls)
    ]
    part = {"type": "output_text", "text": text, "annotations": []}
    said = [{"type": "message", "role": "assistant", "content": [part]}] if text else []
    return {
        "id": "resp_1",
        "object": "response",
        "status": "completed",
        "model": model,
        "output": [*said, *made],
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }
