"""Functions a model may call, and conversations in which it did, in the words of either API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ringtrue.models.request import Api
from ringtrue.records import Json


def declare(tools: Iterable[Mapping[str, Json]], api: Api) -> list[dict[str, Json]]:
    """Functions (name, description, parameters) as a request declares them."""
    if api == "chat":
        return [{"type": "function", "function": dict(tool)} for tool in tools]
    return [{"type": "function", **tool} for tool in tools]


def spoken(messages: Sequence[Mapping[str, Json]], api: Api) -> list[dict[str, Json]]:
    """Messages of chat completions as a request carries them; over the Responses API calls and results are items."""
    if api == "chat":
        return [dict(message) for message in messages]
    return [item for message in messages for item in _items(message)]


def _items(message: Mapping[str, Json]) -> list[dict[str, Json]]:
    if message["role"] == "tool":
        return [
            {"type": "function_call_output", "call_id": message["tool_call_id"], "output": message["content"]},
        ]
    calls = message.get("tool_calls") or ()
    said = [{"role": message["role"], "content": message["content"]}] if message.get("content") or not calls else []
    made = [
        {
            "type": "function_call",
            "call_id": call["id"],
            "name": call["function"]["name"],
            "arguments": call["function"]["arguments"],
        }
        for call in calls
    ]
    return [*said, *made]
