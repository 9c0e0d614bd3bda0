"""The tools an assistant is given, in the shapes of either API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ringtrue.dialects.coercion import plain_text
from ringtrue.records import Json


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its name, what it says of itself, and the JSON schema of its arguments where it has one."""

    name: str
    description: str = ""
    parameters: Mapping[str, Json] | None = None

    def text(self) -> str:
        """The tool as a judge reads it: name, description and parameters."""
        lines = [self.name, self.description, "" if self.parameters is None else plain_text(dict(self.parameters))]
        return "\n".join(line for line in lines if line)


def tools_of(tools: Iterable[Any] | None) -> tuple[Tool, ...]:
    """The tools in a list: nested under `function`, flat, or built in (named by their type); each name once."""
    found: dict[str, Tool] = {}
    for item in tools or ():
        dump = getattr(item, "model_dump", None)
        fields = (
            item if isinstance(item, Mapping) else dump() if callable(dump) and not isinstance(item, type) else None
        )
        if isinstance(fields, Mapping):
            tool = _tool(fields)
            if tool.name:
                found.setdefault(tool.name, tool)
    return tuple(found.values())


def _tool(fields: Mapping[str, Any]) -> Tool:
    inner = fields.get("function") or fields.get("custom")
    said = inner if isinstance(inner, Mapping) else fields
    name = said.get("name") or fields.get("type")
    parameters = said.get("parameters", said.get("input_schema"))
    description = said.get("description")
    return Tool(
        name if isinstance(name, str) else "",
        description if isinstance(description, str) else "",
        dict(parameters) if isinstance(parameters, Mapping) else None,
    )
