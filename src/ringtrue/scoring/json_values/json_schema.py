"""JSON Schema validation around `jsonschema-rs`: compiled once, offline, and with an end to every check."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, Literal, TypeAlias, get_args

import jsonschema_rs

from ringtrue.errors import ConfigurationError
from ringtrue.jsontext_reader import JsonReading
from ringtrue.records import Json
from ringtrue.safetext import shorten
from ringtrue.scoring.json_values.schema_shape import depth, has_costly_pattern, is_recursive, subvalues

Draft: TypeAlias = Literal["draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"]

MAX_WIDE_NUMBERS = 500
"""A value with more numbers beyond 64 bits is not checked against a schema with `uniqueItems`."""

MAX_ERRORS = 20
DETAILED_CHARS = 50_000
DETAILED_WORK = 2_000_000
"""Errors are described for texts up to this length, and where that cannot take more steps than this."""

_VALIDATORS: dict[str, type[jsonschema_rs.Validator]] = {
    "draft4": jsonschema_rs.Draft4Validator,
    "draft6": jsonschema_rs.Draft6Validator,
    "draft7": jsonschema_rs.Draft7Validator,
    "draft2019-09": jsonschema_rs.Draft201909Validator,
    "draft2020-12": jsonschema_rs.Draft202012Validator,
}
_BACKTRACKS = 1_000_000
_COSTLY_READS = 250_000_000
_MESSAGE_CHARS = 200
_DEFINITIONS = ("$defs", "definitions")
_POINTERS = tuple(f"#/{name}/" for name in _DEFINITIONS)
_MOVABLE = frozenset({"$defs", "$ref", "$comment"})


@dataclass(frozen=True)
class SchemaChecker:
    """A JSON Schema ready to check values.

    The draft is the one `$schema` names, else `draft`. References lead into the schema, the meta-schemas and `remotes`
    (address -> schema) and nowhere else: no network is ever touched. `formats` asserts `format`.
    """

    schema: dict[str, Json] | bool
    draft: Draft = "draft2020-12"
    remotes: Mapping[str, Json] = field(default_factory=dict)
    formats: bool = False

    def __post_init__(self) -> None:
        # A copy: what the caller does to a schema later does not reach a checker in use.
        object.__setattr__(self, "schema", _copy_json(self.schema, "schema"))
        if self.draft not in get_args(Draft):
            names = ", ".join(map(repr, get_args(Draft)))
            raise ConfigurationError(
                f"draft must be one of {names}; got {self.draft!r}", parameter="draft", value=self.draft
            )
        remotes = {address: _copy_json(schema, f"remotes[{address!r}]") for address, schema in self.remotes.items()}
        object.__setattr__(self, "remotes", remotes)
        _ = self._plain

    @cached_property
    def accepts_plain(self) -> Callable[[Json], bool] | None:
        """Whether a value without numbers beyond 64 bits conforms; None where that depends on the text's length."""
        return None if self._costly else self._plain.is_valid

    @cached_property
    def accepts_all(self) -> Callable[[list[Json]], bool]:
        """Whether all of many values without numbers beyond 64 bits conform, in one call where the schema allows it."""
        if isinstance(self.schema, bool) or self.remotes or not all(map(self._is_movable, self._objects)):
            accepts = self._plain.is_valid
            return lambda values: all(map(accepts, values))
        inner = dict(self.schema)
        outer = {key: inner.pop(key) for key in ("$schema", *_DEFINITIONS) if key in inner}
        return _compile(self, _BACKTRACKS, {**outer, "items": inner}).is_valid

    def accepts(self, reading: JsonReading, chars: int) -> bool:
        """Whether a value that was read from a text of this length conforms to the schema."""
        if self._costly or reading.wide_numbers:
            return not self._too_wide(reading) and self._validator(chars).is_valid(reading.value)
        return self._plain.is_valid(reading.value)

    def errors(self, reading: JsonReading, chars: int) -> list[dict[str, Json]]:
        """Return the faults of a value that is not accepted: path, keyword and message of the first errors."""
        if self._too_wide(reading):
            return [_error(f"it holds more than {MAX_WIDE_NUMBERS:,} numbers beyond 64 bits, too many to compare")]
        general = "it does not conform to the schema"
        if chars > DETAILED_CHARS or self._detail_work(reading.value, chars) > DETAILED_WORK:
            return [_error(f"{general} (details are left out: there may be too many to list)")]
        try:
            found = list(self._validator(chars).iter_errors(reading.value))[:MAX_ERRORS]
        except ValueError:  # nested too deeply to be described
            found = []
        return [_error_record(error) for error in found] or [_error(general)]

    def _detail_work(self, value: Json, chars: int) -> int:
        # Every branch of a choice has its own errors, and has them again at each level where the schema is recursive.
        again = self._references ** depth(value, 10) if self._recursive else 1
        return int(chars * self._size * again)

    @cached_property
    def _tiers(self) -> dict[int, jsonschema_rs.Validator]:
        return {}

    @cached_property
    def _objects(self) -> list[dict[str, Json]]:
        return [part for part in subvalues([self.schema, *self.remotes.values()]) if isinstance(part, dict)]

    @cached_property
    def _size(self) -> int:
        return len(self._objects)

    @cached_property
    def _references(self) -> int:
        return sum("$ref" in part or "$dynamicRef" in part or "$recursiveRef" in part for part in self._objects)

    @cached_property
    def _recursive(self) -> bool:
        return is_recursive(self.schema)

    @cached_property
    def _costly(self) -> bool:
        return any(map(has_costly_pattern, self._objects))

    def _is_movable(self, part: dict[str, Json]) -> bool:
        # Inside another schema, an address or a reference to more than a definition says something else.
        reference = part.get("$ref", _POINTERS[0])
        return (
            all(key in _MOVABLE or key[:1] != "$" or (key == "$schema" and part is self.schema) for key in part)
            and isinstance(reference, str)
            and reference.startswith(_POINTERS)
            and not isinstance(part.get("id"), str)
        )

    @cached_property
    def _plain(self) -> jsonschema_rs.Validator:
        return _compile(self, _BACKTRACKS, self.schema)

    def _too_wide(self, reading: JsonReading) -> bool:
        if reading.wide_numbers <= MAX_WIDE_NUMBERS:
            return False
        return any(part.get("uniqueItems") is True for part in self._objects)

    def _validator(self, chars: int) -> jsonschema_rs.Validator:
        # Where each step of a pattern may read the whole text, the steps allowed are fewer the longer it is.
        if not self._costly:
            return self._plain
        allowed = _BACKTRACKS
        while allowed * chars > _COSTLY_READS and allowed > 10:
            allowed //= 4
        if allowed not in self._tiers:
            self._tiers[allowed] = _compile(self, allowed, self.schema)
        return self._tiers[allowed]


def _compile(checker: SchemaChecker, backtracks: int, schema: dict[str, Json] | bool) -> jsonschema_rs.Validator:
    absent: list[str] = []

    def retrieve(address: str) -> Json:
        # The address jsonschema-rs gives to a reference without a base is not one its author knows.
        address = address.removeprefix("json-schema:///")
        if address not in checker.remotes:
            absent.append(address)
            raise KeyError(address)
        return checker.remotes[address]

    dialect = schema.get("$schema") if isinstance(schema, dict) else None
    options: dict[str, Any] = {
        "validate_formats": checker.formats,
        "pattern_options": jsonschema_rs.FancyRegexOptions(backtrack_limit=backtracks),
    }
    try:
        if isinstance(dialect, str) and dialect in checker.remotes:
            options["registry"] = jsonschema_rs.Registry([(dialect, checker.remotes[dialect])], retriever=retrieve)
        else:
            options["retriever"] = retrieve
        if dialect is None:
            return _VALIDATORS[checker.draft](schema, **options)
        return jsonschema_rs.validator_for(schema, **options)
    except (ValueError, jsonschema_rs.ReferencingError) as trouble:
        raise _schema_error(schema, trouble, absent) from trouble


def _schema_error(schema: Json, trouble: Exception, absent: list[str]) -> ConfigurationError:
    if absent:
        return ConfigurationError(
            f"the schema refers to {absent[0]!r}, which was not supplied, and ringtrue fetches nothing: "
            f"pass remotes={{{absent[0]!r}: <the schema found there>}}",
            parameter="remotes",
            value=absent[0],
        )
    message = getattr(trouble, "message", None) or str(trouble)
    steps = getattr(trouble, "instance_path", ())
    where = f" at {_path(steps)}" if steps else ""
    return ConfigurationError(
        f"schema is not a valid JSON Schema{where}: {shorten(message, _MESSAGE_CHARS)}",
        parameter="schema",
        value=schema,
    )


def _copy_json(value: Json, parameter: str) -> Json:
    if not isinstance(value, (dict, bool)):
        raise ConfigurationError(
            f"{parameter} must be a dict (or True or False); got {type(value).__name__}"
            + ("; json.loads() turns text into one" if isinstance(value, str) else ""),
            parameter=parameter,
            value=value,
        )
    try:
        copy = json.loads(json.dumps(value, allow_nan=False))
        if any(isinstance(part, dict) and not all(isinstance(key, str) for key in part) for part in subvalues(value)):
            raise TypeError("keys must be strings")
        return copy
    except (TypeError, ValueError, RecursionError) as trouble:
        raise ConfigurationError(f"{parameter} is not JSON: {trouble}", parameter=parameter, value=value) from trouble


def _error_record(error: jsonschema_rs.ValidationError) -> dict[str, Json]:
    return _error(error.message, _path(error.instance_path), error.kind.name)


def _error(message: str, path: str = "$", keyword: str = "") -> dict[str, Json]:
    return {"path": path, "keyword": keyword, "message": shorten(message, _MESSAGE_CHARS)}


def _path(steps: Any) -> str:
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f"[{quoted(step)}]" for step in steps)
