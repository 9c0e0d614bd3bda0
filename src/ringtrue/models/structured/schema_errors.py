"""How a value does not fit a JSON schema, in words that can be shown to whoever wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import jsonschema_rs

from ringtrue.jsontext import json_text, parse_json
from ringtrue.records import Json


def misfit(value: Json, schema: bytes) -> str:
    """The first way in which a value does not fit, in words that hold none of its text: it may be planted."""
    try:
        error = next(iter(_validator(schema).iter_errors(value)), None)
    except ValueError:  # nested too deeply, or a number that is no JSON number
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
