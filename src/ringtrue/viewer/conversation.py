"""A conversation as a page shows it: who said what, which tool was called with what, and what it gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ringtrue.dialects.transcripts import Turn, called_turns, turns
from ringtrue.jsontext import json_text
from ringtrue.records import Row
from ringtrue.reports.answer_text import call_arguments

MOST_TURNS = 200
_WHO = {"call": "calls tool", "result": "tool result"}


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """One line of a conversation; a call has its arguments as pairs, where they can be read."""

    who: str
    text: str
    is_tool: bool = False
    tool: str = ""
    arguments: tuple[tuple[str, str], ...] = ()


def conversation(row: Row) -> list[SaidTurn]:
    """Return the messages of one answer: the case's, then those of the answer; nothing if there are none."""
    found = [_spoken_turn(turn) for turn in turns(_messages(row))]
    if not any(one.is_tool for one in found):
        found += map(_spoken_turn, called_turns(row.trial.output))
    return found


def source_texts(row: Row) -> Iterator[tuple[str, str]]:
    """The sources of claims: the context, and messages that are not the assistant's; each with its name."""
    if row.trial.case.context:
        yield "context", row.trial.case.context
    for turn in conversation(row):
        if turn.who not in ("assistant", _WHO["call"]) and turn.text:
            yield f"{turn.who}, {turn.tool}" if turn.tool else turn.who, turn.text
    for name, value in row.trial.case.fields.items():
        if name in ("sources", "documents", "source_context") and isinstance(value, Sequence):
            yield from ((name, _text(one)) for one in ([value] if isinstance(value, str) else value))


def _messages(row: Row) -> list[Any]:
    given, answered = list(row.trial.case.messages), list(row.trial.output.messages)
    return answered if given and answered[: len(given)] == given else [*given, *answered]


def _spoken_turn(turn: Turn) -> SaidTurn:
    who = _WHO.get(turn.kind, turn.role)
    if turn.kind != "call":
        return SaidTurn(who, turn.text, turn.kind == "result", turn.tool)
    return SaidTurn(who, turn.text, True, turn.tool, tuple(call_arguments(turn.text) or ()))


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        value = value.get("content") or value.get("text") or ""
    return value if isinstance(value, str) else json_text(value)
