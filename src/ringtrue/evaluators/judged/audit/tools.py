"""`Tools`: what an auditor may do, how it is declared, and how a call is read and carried out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ringtrue.evaluators.judged.audit.commands import Commands
from ringtrue.evaluators.judged.audit.snapshot import Snapshot
from ringtrue.evaluators.judged.audit.views import Mistaken, listing, reading, searching
from ringtrue.evaluators.judged.schemas import TEXT, choice, record
from ringtrue.jsontext import parse_json
from ringtrue.records import Json

FINISH = "finish"
UNKNOWN = "unknown"
_LINE: dict[str, Json] = {"type": "integer", "minimum": 1}
_PARAMETERS: dict[str, dict[str, Json]] = {
    "list": {"path": TEXT},
    "read": {"path": TEXT, "start_line": _LINE},
    "grep": {"path": TEXT, "pattern": TEXT},
    "run": {"command": TEXT},
    FINISH: {},
}
_DESCRIPTIONS = {
    "list": "Everything below a folder.",
    "read": "The text of a file from a line on.",
    "grep": "The lines of the files below a path in which a regular expression is found.",
    "run": "What a shell command prints in a fresh copy of the folder.",
    FINISH: "Enough was seen to fill in the whole rubric.",
}
DECLARED = [
    {"name": name, "description": _DESCRIPTIONS[name], "parameters": record(**parameters)}
    for name, parameters in _PARAMETERS.items()
]
ACTION = record(thought=TEXT, tool=choice(*_PARAMETERS), path=TEXT, start_line=_LINE, pattern=TEXT, command=TEXT)
"""The same tools for a model that cannot call any: it fills in what it wants done."""


@dataclass(frozen=True, slots=True)
class Call:
    """One use of a tool; `problem` says why its arguments cannot be read."""

    tool: str
    arguments: Mapping[str, Json]
    problem: str = ""

    @classmethod
    def of_action(cls, action: Mapping[str, Json]) -> Call:
        """The call that a filled-in action asks for."""
        tool = action["tool"]
        return cls(tool, {name: action[name] for name in _PARAMETERS[tool]})

    @classmethod
    def of_reply(cls, call: Mapping[str, Json]) -> Call:
        """A call as either API's reply holds it."""
        function = call.get("function") or {}
        tool = function.get("name", "")
        if tool not in _PARAMETERS:
            return cls(UNKNOWN, {}, f"there is no such tool; there are {', '.join(_PARAMETERS)}")
        try:
            arguments = parse_json(function.get("arguments") or "{}")
        except ValueError:
            arguments = None
        if not isinstance(arguments, dict):
            return cls(tool, {}, "the arguments are not a JSON object")
        return cls(tool, {name: arguments[name] for name in _PARAMETERS[tool] if name in arguments})


@dataclass(frozen=True)
class Tools:
    """The tools of one audit; whatever is asked of them, they answer with a text of bounded length."""

    snapshot: Snapshot
    commands: Commands
    most: int

    async def result(self, call: Call, seconds: float) -> str:
        """The result of a call; a command has a time limit in seconds."""
        try:
            if call.problem:
                raise Mistaken(call.problem)
            text = await self._use(call, seconds)
        except Mistaken as mistake:
            text = f"error: {mistake}"
        return text if len(text) <= self.most + 400 else f"{text[: self.most]}\n… cut off"

    async def _use(self, call: Call, seconds: float) -> str:
        given = call.arguments
        if call.tool == "run":
            return await self.commands.run(_text(given, "command"), seconds, self.most)
        path = _text(given, "path", ".")
        if call.tool == "list":
            return listing(self.snapshot, path)
        if call.tool == "read":
            return reading(self.snapshot, path, _line(given.get("start_line", 1)), self.most)
        return await asyncio.to_thread(searching, self.snapshot, _text(given, "pattern"), path, self.most)


def _text(arguments: Mapping[str, Any], name: str, default: str = "") -> str:
    value = arguments.get(name, default)
    if not isinstance(value, str) or not (value or default):
        raise Mistaken(f"{name} must be a text")
    return value


def _line(value: Json) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise Mistaken("start_line must be a whole number, 1 or more")
    return value
