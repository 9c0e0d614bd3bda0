"""The JSON Schema of suite files, for editors; made from the tables that reading and building use."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from ringtrue.dialects.fields import ALIASES
from ringtrue.evaluators.built_in import BUILT_IN
from ringtrue.evaluators.combined import CombinedEvaluator
from ringtrue.evaluators.spec import find
from ringtrue.records import Json
from ringtrue.suites.file_format import CASE_KEYS, OPTIONS, PURPOSES, SYSTEMS

_TEXTS: Json = {"type": "array", "items": {"type": "string"}}
_NAMES = {"str": "string", "bool": "boolean", "int": "integer", "float": "number", "None": "null"}
_OPTION_TYPES: dict[str, Json] = {
    "fail_threshold": {"type": "number", "minimum": 0, "maximum": 1},
    "max_error_rate": {"type": "number", "minimum": 0, "maximum": 1},
    "runs": {"type": "integer", "minimum": 1},
    "workers": {"type": "integer", "minimum": 1},
    "timeout": {"type": "number", "exclusiveMinimum": 0},
}
_SYSTEM_TYPES: dict[str, Json] = {
    "function": {"type": "string", "description": "MODULE:FUNCTION"},
    "command": {"type": ["string", "array"], "description": "a program; the input on its standard input"},
    "endpoint": {"type": "string", "description": "the URL of an OpenAI-compatible endpoint"},
    "local": {"type": ["string", "boolean"], "description": "the embedded model, or a GGUF file"},
    "replay": {"type": "string", "description": "a file of stored answers"},
    "max_in_flight": {"type": "integer", "minimum": 1},
    "max_retries": {"type": "integer", "minimum": 0},
    "timeout": {"type": "number", "exclusiveMinimum": 0},
    "parameters": {"type": "object", "description": "sent with every request: temperature, max_tokens …"},
}


def suite_schema() -> dict[str, Json]:
    """The schema that every readable suite file satisfies."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A ringtrue suite",
        "type": "object",
        "required": ["cases"],
        "additionalProperties": False,
        "properties": {
            "$schema": {"type": "string"},
            "name": {"type": "string"},
            "model_id": {"type": "string"},
            "purpose": {"enum": list(PURPOSES)},
            "system": {"anyOf": [{"type": "string", "minLength": 1}, *(_system(kind) for kind in SYSTEMS)]},
            "evaluators": {"type": "array", "items": {"$ref": "#/$defs/evaluator"}},
            "cases": {
                "anyOf": [
                    {"type": "string", "description": "a file of cases: JSONL, JSON, CSV or Parquet"},
                    {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/case"}},
                ]
            },
            "tags": _TEXTS,
            **{key: {**_OPTION_TYPES[key], "description": words} for key, (_, words) in OPTIONS.items()},
        },
        "$defs": {"case": _case(), "evaluator": _evaluator()},
    }


def _system(kind: str) -> Json:
    properties = {key: _SYSTEM_TYPES.get(key, {"type": "string"}) for key in (kind, *SYSTEMS[kind])}
    return {"type": "object", "required": [kind], "additionalProperties": False, "properties": properties}


def _case() -> Json:
    types: dict[str, Json] = {
        "conversation": {"type": "array", "items": {"type": "object"}},
        "metadata": {"type": "object"},
        "tags": _TEXTS,
        "evaluators": {"type": "array", "items": {"$ref": "#/$defs/evaluator"}},
        "source_id": {"type": "string"},
        "reference_output": {"anyOf": [{"type": "string"}, _TEXTS], "description": "known to be right"},
        "wrong_outputs": {"anyOf": [{"type": "string"}, _TEXTS], "description": "known to be wrong"},
        **{alias: {"type": ["string", "integer"]} for alias in ALIASES["id"]},
    }
    return {
        "type": "object",
        "anyOf": [{"required": [alias]} for alias in ALIASES["input"]],
        "additionalProperties": False,
        "properties": {key: types.get(key, {}) for key in CASE_KEYS},
    }


def _evaluator() -> Json:
    return {
        "anyOf": [
            {"type": "string", "description": "a name, or a call such as word_count(max_words=50)"},
            {
                "type": "object",
                "minProperties": 1,
                "maxProperties": 1,
                "properties": {name: _settings(find(name)) for name in BUILT_IN},
            },
        ]
    }


def _settings(kind: Any) -> Json:
    about = (kind.__doc__ or "").strip().partition("\n")[0]
    if isinstance(kind, type) and issubclass(kind, CombinedEvaluator):
        return {"description": about, "type": ["array", "object", "string"]}
    if not is_dataclass(kind):
        return {"description": about}
    given = [item for item in fields(kind) if item.init]
    required = [item.name for item in given if item.default is MISSING and item.default_factory is MISSING]
    properties = {item.name: _type(str(item.type)) for item in given}
    table = {
        "type": "object",
        "additionalProperties": False,
        "required": required,
        "properties": {**properties, "weight": {"type": "number", "exclusiveMinimum": 0}},
    }
    first = next((properties[item.name] for item in given if not item.kw_only), {"type": "object"})
    # A table is always one of settings; anything else stands for the first of them.
    alone = [] if first.get("type") in ("object", ["object", "boolean"]) else [first]
    return {"description": about, "anyOf": [*([] if required else [{"type": "null"}]), *alone, table]}


def _type(annotation: str) -> Json:
    """The JSON type of an annotation; one that says too little for a type allows everything."""
    bare = re.sub(r"\[[^\[\]]*\]", "", re.sub(r"\[[^\[\]]*\]", "", annotation))
    found = []
    for part in (part.strip() for part in bare.split("|")):
        kind = _NAMES.get(part) or {"list": "array", "tuple": "array", "dict": "object"}.get(part.lower())
        if kind is None:
            return {}
        found.append(kind)
    kinds = list(dict.fromkeys(found))
    return {"type": kinds[0] if len(kinds) == 1 else kinds}
