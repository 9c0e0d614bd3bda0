"""A system's answer as every surface shows it: its text, or the tools it called instead."""

from __future__ import annotations

from ringtrue.dialects.transcripts import called_turns
from ringtrue.jsontext import json_text, parse_json
from ringtrue.records import Output, Row


def answer_text(output: Output) -> str:
    """The text of an answer; of one that only calls tools `calls search(query: magic)`, a line for each call."""
    if output.text or output.error:
        return output.text
    calls = [turn for turn in called_turns(output) if turn.kind == "call"]
    return "\n".join(f"calls {turn.tool}({_arguments(turn.text)})" for turn in calls)


def answer_problem(output: Output) -> str:
    """Return why there is no answer; empty if a tool call is the answer."""
    return output.problem if output.error or not answer_text(output) or output.text else ""


def row_traceback(row: Row) -> str:
    """Return the traceback of the user's code that raised: the system, else each evaluator that did."""
    own = (str(score.metadata.get("traceback") or "") for score in row.scores.values())
    return row.trial.output.traceback or "\n".join(filter(None, own))


def call_arguments(text: str) -> list[tuple[str, str]] | None:
    """The arguments of a tool call, by name; None if they cannot be read."""
    try:
        found = parse_json(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    return [(str(name), value if isinstance(value, str) else json_text(value)) for name, value in found.items()]


def _arguments(text: str) -> str:
    found = call_arguments(text)
    return text if found is None else ", ".join(f"{name}: {value}" for name, value in found)
