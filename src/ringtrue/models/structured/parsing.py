"""`Reading`: what a reply says to a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import jsonschema_rs

from ringtrue.jsontext import json_bytes, json_text, parse_json
from ringtrue.models.structured.json_in_text import FoundValue, places_of_objects
from ringtrue.models.structured.question import NONCE, Question
from ringtrue.records import Json


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of a reply: a value and its place in the reply, or the problem that leaves it without one."""

    value: Json = None
    problem: str = ""
    formless: bool = False
    """Nothing in it has the form that was asked for: the endpoint may not have looked at the schema."""
    wrong_nonce: bool = False
    start: int = -1
    """Where the accepted object begins in the reply; -1 where it had to be repaired, so that no place is its own."""


def read(text: str, question: Question) -> Reading:
    """The answer in a reply: the object that fits and ends with this request's nonce; the problem names no text of it.

    The nonce is the last field, so that an object that quoted text closes too early has none. Objects that are answers
    and decide differently are not an answer.
    """
    if question.schema is None:
        return Reading(text) if text.strip() else Reading(problem="it is empty")
    first: Reading | None = None
    for objects in places_of_objects(text):
        readings = [_reading(one, question) for one in reversed(objects)]
        answers = [one for one in readings if not one.problem]
        if answers:
            differ = any(_decisive(one.value, question.schema) != _decisive(answers[0].value, question.schema)
                         for one in answers)  # fmt: skip
            return Reading(problem="it holds several verdicts that differ") if differ else answers[0]
        first = first or readings[0]
        if not question.nonce or not all(one.formless or one.wrong_nonce for one in readings):
            break  # what has the nonce is the judge's own word; thoughts before it are not looked at
    if first is None and question.bare is not None and (value := question.bare(text)) is not None:
        return Reading(value)
    if first is None:
        return Reading(problem="it holds no JSON object" if text.strip() else "it is empty", formless=True)
    return first


def read_value(value: Mapping[str, Json], question: Question) -> Reading:
    """The answer in a dict that a user's function returned: it needs no nonce, and texts may be left out."""
    if question.schema is None:
        return Reading(problem="it is a dict where a text is wanted")
    texts = {name: "" for name, part in question.schema["properties"].items() if part == {"type": "string"}}
    given = {name: item for name, item in value.items() if name != NONCE}
    return _reading(FoundValue({**texts, **given}, -1), replace(question, nonce=""))


def _reading(found: FoundValue, question: Question) -> Reading:
    rest = dict(found.value)
    if question.nonce and NONCE not in rest:
        return Reading(problem=f"it has no {NONCE!r}", formless=True)
    is_last = next(reversed(rest), "") == NONCE
    if question.nonce and rest.pop(NONCE) != question.nonce:
        return Reading(problem=f"its {NONCE!r} is not the one of this request", wrong_nonce=True)
    if question.nonce and not is_last:
        return Reading(problem=f"its last field is not {NONCE!r}")
    assert question.schema is not None
    problem = schema_error(rest, json_bytes(question.schema))
    if problem:
        return Reading(problem=problem)
    value = _whole(rest, question.schema)
    problem = question.check(value) if question.check is not None else ""
    return Reading(problem=problem) if problem else Reading(value, start=found.start)


def _decisive(value: Json, schema: Mapping[str, Json]) -> Json:
    """Return the part of an answer that decides: all but the properties that are free text, such as a reasoning."""
    if isinstance(value, dict):
        parts = schema.get("properties", {})
        kept = {name: item for name, item in value.items() if parts.get(name) != {"type": "string"}}
        return {name: _decisive(item, parts.get(name, {})) for name, item in kept.items()}
    if isinstance(value, list):
        return [_decisive(item, schema.get("items", {})) for item in value]
    return value


def _whole(value: Json, schema: Mapping[str, Json]) -> Json:
    """A value that fits with its integers as such: JSON does not distinguish 2 and 2.0, but counting does."""
    if isinstance(value, dict):
        return {name: _whole(item, schema.get("properties", {}).get(name, {})) for name, item in value.items()}
    if isinstance(value, list):
        return [_whole(item, schema.get("items", {})) for item in value]
    return int(value) if isinstance(value, float) and schema.get("type") == "integer" else value


def schema_error(value: Json, schema: bytes) -> str:
    """The first way in which a value does not fit, in words that hold none of its text: it may be planted."""
    try:
        error = next(iter(_validator(schema).iter_errors(value)), None)
    except ValueError:  # nested too deeply, or a number that is not a JSON number
        return "it is nested too deeply or holds a number out of range"
    if error is None:
        return ""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path)
    rule = _part(parse_json(schema), error.schema_path)
    wanted = f" {json_text(rule)}" if rule is not None and error.kind.name != "additionalProperties" else ""
    return f"at {'the top' if not path else path[1:]} the schema's {error.kind.name!r}{wanted} is not kept"


def _part(schema: Json, path: Sequence[Any]) -> Json:
    for step in path:
        try:
            schema = schema[step]
        except (KeyError, IndexError, TypeError):
            return None
    return schema


@lru_cache(maxsize=256)
def _validator(schema: bytes) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(parse_json(schema))
