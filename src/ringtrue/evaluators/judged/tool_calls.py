"""What an assistant called: which tools, whether they exist, whether the arguments fit; no model is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ringtrue.dialects.messages import Turn
from ringtrue.dialects.tools import Tool
from ringtrue.errors import ConfigurationError
from ringtrue.scoring.json_schema import SchemaChecker
from ringtrue.scoring.strict_json import read_json


@dataclass(frozen=True, slots=True)
class Calls:
    """The names called, calls of tools that were not declared, and calls whose arguments do not fit, with why."""

    names: frozenset[str] = frozenset()
    undeclared: tuple[str, ...] = ()
    invalid: tuple[tuple[str, str], ...] = ()
    checked: int = 0
    """How many calls went to tools that say what their arguments are."""


def calls_of(turns: Iterable[Turn], declared: Sequence[Tool]) -> Calls:
    """The calls among turns, held against the declared tools; a call without a result is a call."""
    checkers = {tool.name: _checker(tool) for tool in declared}
    made = [turn for turn in turns if turn.kind == "call"]
    invalid = []
    checked = 0
    for turn in made:
        checker = checkers.get(turn.tool)
        if checker is not None:
            checked += 1
            problem = _problem(turn.text, checker)
            if problem:
                invalid.append((turn.tool, problem))
    undeclared = tuple(turn.tool for turn in made if turn.tool not in checkers)
    return Calls(frozenset(turn.tool for turn in made) & set(checkers), undeclared, tuple(invalid), checked)


def _checker(tool: Tool) -> SchemaChecker | None:
    try:
        return SchemaChecker(dict(tool.parameters)) if tool.parameters else None
    except ConfigurationError:  # a tool whose own schema is broken cannot be held against its callers
        return None


def _problem(arguments: str, checker: SchemaChecker) -> str:
    text = arguments.strip() or "{}"  # several APIs leave out the arguments of a call without any
    reading = read_json(text)
    if reading.problem:
        return f"the arguments are {reading.problem}"
    if checker.accepts(reading, len(text)):
        return ""
    error = checker.errors(reading, len(text))[0]
    return f"{error['path']}: {error['message']}"
