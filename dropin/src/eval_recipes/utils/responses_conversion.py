"""Transcripts and tools as text, in the form that `run` and prompts of one's own take."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from ringtrue.dialects.tools import Tool, tools_of
from ringtrue.dialects.transcripts import (
    Turn,
    as_responses,
    content_text,
    last_said,
    since_last_user,
    turns,
    up_to_last_user,
)

# Only what could be read as one of our own tags is escaped, so that code in a message stays as it was written.
_FORGED = re.compile(r"<(?=\s{0,8}/?\s{0,8}(?:message|function_call(?:_output)?|tool|description|parameters)\b)", re.I)


def format_full_history(
    messages: Sequence[Any],
    remove_system_messages: bool = False,
    only_upto_last_user: bool = False,
    remove_last_assistant: bool = False,
) -> str:
    """A transcript as elements: messages with their role, calls with their tool, results; no text forges a tag."""
    story = turns(messages)
    if only_upto_last_user:
        story = up_to_last_user(story)
    if remove_last_assistant and story and (story[-1].role, story[-1].kind) == ("assistant", "message"):
        story = tuple(turn for turn in story if turn.item != story[-1].item)
    return "\n".join(_element(turn) for turn in story if not (remove_system_messages and turn.role == "system"))


def extract_tool_calls(messages: Sequence[Any]) -> dict[str, bool]:
    """The tools called since the user's last message, each True."""
    return {turn.tool: True for turn in since_last_user(turns(messages)) if turn.kind == "call" and turn.tool}


def extract_tool_info(tools: Sequence[Any]) -> dict[str, str]:
    """Each tool as an element with its description and its parameters, by name."""
    return {tool.name: _tool(tool) for tool in tools_of(tools)}


def extract_last_msg(messages: Sequence[Any], role: str) -> str:
    """The whole text of the last message of a role, or the empty string."""
    return last_said(turns(messages), role)


def format_messages_as_context(
    messages: Sequence[Any], ignore_roles: Sequence[str], ignore_tool_names: Sequence[str]
) -> list[dict[str, str]]:
    """Return the sources in a transcript, each with an id and a title: messages, part by part, and tools' results."""
    items = list(messages)
    found: list[dict[str, str]] = []
    for turn in turns(items):
        if turn.kind == "result" and "function_call_output" not in ignore_roles and turn.tool not in ignore_tool_names:
            name = f"function_call_output_{turn.item}{'_' if turn.tool else ''}{turn.tool}"
            found.append({"source_id": str(turn.item), "title": name, "content": turn.text})
        elif turn.kind == "message" and turn.role not in ignore_roles:
            found.extend(_said(turn, items[turn.item]))
    return [source for source in found if source["content"].strip()]


def convert_chat_completion_to_responses(chat_completion: Sequence[Any]) -> list[dict[str, Any]]:
    """Chat-completions messages as Responses input items; a message without text is left out."""
    return as_responses(turn for turn in turns(chat_completion) if turn.kind != "message" or turn.text)


def _element(turn: Turn) -> str:
    if turn.kind == "call":
        names = {"call_id": turn.call_id, "tool_name": turn.tool}
        return _tagged("function_call", names, turn.text)
    if turn.kind == "result":
        return _tagged("function_call_output", {"call_id": turn.call_id}, turn.text)
    return _tagged("message", {"role": turn.role}, turn.text)


def _tool(tool: Tool) -> str:
    parts = []
    if tool.description:
        parts.append(_tagged("description", {}, tool.description))
    if tool.parameters:
        parts.append(_tagged("parameters", {}, json.dumps(dict(tool.parameters), indent=2, default=str)))
    return f"<tool name={quoteattr(tool.name)}>\n" + "".join(f"{part}\n" for part in parts) + "</tool>"


def _tagged(name: str, attributes: Mapping[str, str], body: str) -> str:
    shown = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    return f"<{name}{shown}>\n{_FORGED.sub('&lt;', body)}\n</{name}>"


def _said(turn: Turn, message: Any) -> list[dict[str, str]]:
    content = message.get("content") if isinstance(message, Mapping) else getattr(message, "content", None)
    title = f"{turn.role}_{turn.item}"
    if not isinstance(content, (list, tuple)):
        return [{"source_id": str(turn.item), "title": title, "content": turn.text}]
    texts = [(at, content_text([part])) for at, part in enumerate(content) if _is_text(part)]
    return [
        {"source_id": f"{turn.item}_{at}", "title": f"{title}_part_{number}", "content": text}
        for number, (at, text) in enumerate(texts, start=1)
    ]


def _is_text(part: Any) -> bool:
    said = part.get("text") if isinstance(part, Mapping) else getattr(part, "text", part)
    return isinstance(said, str)
