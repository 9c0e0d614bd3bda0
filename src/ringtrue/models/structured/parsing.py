"""`Reading`: what a reply says to a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jsonschema_rs
import orjson

from ringtrue.models.structured.json_in_text import found_objects
from ringtrue.models.structured.question import NONCE, Question
from ringtrue.records import Json


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says: a value, or the problem that leaves it without one."""

    value: Json = None
    problem: str = ""
    formless: bool = False
    """Nothing in it has the form that was asked for: the endpoint may not have looked at the schema."""
    wrong_nonce: bool = False


def read(text: str, question: Question) -> Reading:
    """The last object in a reply that is an answer to the question; the problem names no text of the reply."""
    if question.schema is None:
        return Reading(text) if text.strip() else Reading(problem="it is empty")
    objects = found_objects(text)
    if not objects:
        return Reading(problem="it holds no JSON object" if text.strip() else "it is empty", formless=True)
    readings = [_judged(value, question) for value in reversed(objects)]
    return next((reading for reading in readings if not reading.problem), readings[0])


def _judged(value: dict[str, Json], question: Question) -> Reading:
    rest = dict(value)
    if question.nonce and NONCE not in rest:
        return Reading(problem=f"it has no {NONCE!r}", formless=True)
    if question.nonce and rest.pop(NONCE) != question.nonce:
        return Reading(problem=f"its {NONCE!r} is not the one of this request", wrong_nonce=True)
    assert question.schema is not None
    problem = misfit(rest, orjson.dumps(question.schema))
    if problem:
        return Reading(problem=problem)
    told = _whole(rest, question.schema)
    problem = question.check(told) if question.check is not None else ""
    return Reading(None if problem else told, problem)


def _whole(value: Json, schema: Mapping[str, Json]) -> Json:
    """A value that fits with its integers as such: JSON knows no difference between 2 and 2.0, whoever counts does."""
    if isinstance(value, dict):
        return {name: _whole(item, schema.get("properties", {}).get(name, {})) for name, item in value.items()}
    if isinstance(value, list):
        return [_whole(item, schema.get("items", {})) for item in value]
    return int(value) if isinstance(value, float) and schema.get("type") == "integer" else value


def misfit(value: Json, schema: bytes) -> str:
    """The first way in which a value does not fit, in words that hold none of its text: it may be planted."""
    try:
        error = next(iter(_validator(schema).iter_errors(value)), None)
    except ValueError:  # nested too deeply, or a number that is no JSON number
        return "it is nested too deeply or holds a number out of range"
    if error is None:
        return ""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path)
    rule = _part(orjson.loads(schema), error.schema_path)
    wanted = f" {orjson.dumps(rule).decode()}" if rule is not None and error.kind.name != "additionalProperties" else ""
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
    return jsonschema_rs.validator_for(orjson.loads(schema))
