"""The tools that an assistant called, whether they exist, and whether the arguments fit; no model is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ringtrue.dialects.tools import Tool
from ringtrue.dialects.transcripts import Turn
from ringtrue.errors import ConfigurationError
from ringtrue.jsontext_reader import read_json
from ringtrue.scoring.json_values.json_schema import SchemaChecker

_VERSIONED = ("web_search", "computer")
"""Built-in tools that are declared with a version and called without one."""


@dataclass(frozen=True, slots=True)
class Calls:
    """The names called, calls of tools that were not declared, and calls whose arguments do not fit, with why."""

    names: frozenset[str] = frozenset()
    undeclared: tuple[str, ...] = ()
    invalid: tuple[tuple[str, str], ...] = ()
    checked: int = 0
    """How many calls went to tools that say what their arguments are."""


def calls_of(turns: Iterable[Turn], declared: Sequence[Tool]) -> Calls:
    """The calls among turns, compared with the declared tools; a call without a result is a call."""
    checkers = {tool.name: _checker(tool) for tool in declared}
    made = [(_declared_name(turn.tool, declared), turn.text) for turn in turns if turn.kind == "call"]
    invalid = []
    checked = 0
    for name, text in made:
        checker = checkers.get(name)
        if checker is not None:
            checked += 1
            problem = _problem(text, checker)
            if problem:
                invalid.append((name, problem))
    undeclared = tuple(name for name, _ in made if name not in checkers)
    return Calls(frozenset(name for name, _ in made) & set(checkers), undeclared, tuple(invalid), checked)


def _declared_name(called: str, declared: Sequence[Tool]) -> str:
    """The name a called tool was declared under: `web_search` is called where `web_search_preview` was declared."""
    names = [tool.name for tool in declared]
    if called in names or called not in _VERSIONED:
        return called
    return next((name for name in names if name.startswith(f"{called}_")), called)


def _checker(tool: Tool) -> SchemaChecker | None:
    try:
        return SchemaChecker(dict(tool.parameters)) if tool.parameters else None
    except ConfigurationError:  # the callers are not to blame for a tool whose own schema is broken
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
