"""`Rubric`: the fields an auditor fills in, and the score that follows from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import fsum, isclose
from typing import Literal, TypeAlias

from ringtrue.evaluators.judged.schemas import PERCENT, TEXT, fraction_in, record, several
from ringtrue.jsontext import json_text
from ringtrue.records import Json
from ringtrue.require import require, require_that

Kind: TypeAlias = Literal["boolean", "number", "list", "text"]
SCORE = "score"
_MAX_FIELDS, _MAX_DEPTH, _MAX_CHARS = 100, 4, 40_000
_POINTS = re.compile(r"(?<![\w.,])(\d{1,4}(?:\.\d{1,3})?)[\s-]{0,3}(?:points?|pts?)\b", re.IGNORECASE)
_PENALTY = re.compile(r"(?<!\d)(?<!\d )[-\u2212] ?$")
_WORDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("boolean", re.compile(r"\b(?:boolean|bool|true/false|yes/no)\b", re.IGNORECASE)),
    ("text", re.compile(r"\b(?:string|str|text)\b", re.IGNORECASE)),
    ("number", re.compile(r"\b(?:number|integer|int|float)\b", re.IGNORECASE)),
    ("list", re.compile(r"\b(?:list|array)\b", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to fill in: what kind of value, and how many points it states, if it states them."""

    kind: Kind
    points: float | None

    @classmethod
    def of(cls, description: str) -> Field:
        """The field a description asks for, as in "20 points boolean - does the file exist?"."""
        head, dash, _ = _POINTS.sub("", description[:1_000]).strip(" ,:;()").partition(" - ")
        stated = head if dash else head.partition(" ")[0]
        kind: Kind | None = next((name for name, words in _WORDS if words.search(stated)), None)
        points = _points(description)
        return cls(kind or ("text" if points is None else "number"), points)

    def schema(self) -> dict[str, Json]:
        """The JSON Schema of a text; one that has points states how many of them it gives."""
        if self.kind == "boolean":
            return {"type": "boolean"}
        number = {"type": "number"} if self.points is None else {"type": "number", "minimum": 0, "maximum": self.points}
        if self.kind == "number":
            return number
        words = several(TEXT) if self.kind == "list" else TEXT
        return words if self.points is None else record(assessment=words, points=number)

    def earned_points(self, value: Json) -> float:
        """The points that a filled-in value gives."""
        if self.kind == "boolean":
            return (self.points or 0.0) if value else 0.0
        return float(value if self.kind == "number" else value["points"])


@dataclass(frozen=True)
class Rubric:
    """A rubric: names with descriptions, nested where wanted, and `score`.

    If every field but `score` states its points and they total 100, code sums them and the model gives no score;
    otherwise it is the auditor's number.
    """

    described: Mapping[str, Json]

    def __post_init__(self) -> None:
        given = self.described
        holds = isinstance(given, Mapping) and SCORE in given
        require_that(holds, "rubric", given, f"a dict with the field {SCORE!r} among the others")
        _require_descriptions(given, "rubric", 0)
        count = len(list(_leaves(given)))
        small = 1 < count <= _MAX_FIELDS and len(self.text()) <= _MAX_CHARS
        wanted = f"1 to {_MAX_FIELDS} fields beside {SCORE!r} and at most {_MAX_CHARS:,} characters"
        require(small, f"rubric must have {wanted}; it has {count - 1} fields", parameter="rubric", value=given)

    @property
    def is_summed(self) -> bool:
        """Whether the score is the sum of the points."""
        stated = [Field.of(description).points for _, description in self._asked_fields()]
        known = [points for points in stated if points is not None]
        return len(known) == len(stated) and isclose(fsum(known), 100.0, abs_tol=1e-9)

    def text(self) -> str:
        """The rubric as the auditor reads it."""
        return json_text(dict(self.described), indent=True)

    def schema(self) -> dict[str, Json]:
        """The JSON Schema of a completed rubric, without `score` if code sums the points."""
        fields = _schema({name: item for name, item in self.described.items() if name != SCORE})
        if not self.is_summed:
            fields = record(**fields["properties"], **{SCORE: PERCENT})
        return record(evidence=TEXT, rubric=fields)

    def problem(self, answer: Json) -> str:
        """Return the fault of an answer that fits the schema, or the empty string."""
        return "" if self.is_summed else fraction_in(SCORE, [answer["rubric"][SCORE]])

    def complete(self, filled: Mapping[str, Json]) -> tuple[dict[str, Json], dict[str, float]]:
        """The completed rubric with its score from 0 to 100, and the points of each field where they are summed."""
        if not self.is_summed:
            return dict(filled), {}
        points = {}
        for path, description in self._asked_fields():
            value: Json = filled
            for step in path:
                value = value[step]
            points[".".join(path)] = Field.of(description).earned_points(value)
        return {**filled, SCORE: min(100.0, fsum(points.values()))}, points

    def _asked_fields(self) -> Iterator[tuple[tuple[str, ...], str]]:
        return ((path, description) for path, description in _leaves(self.described) if path != (SCORE,))


def _schema(item: Json) -> dict[str, Json]:
    if isinstance(item, str):
        return Field.of(item).schema()
    return record(**{name: _schema(inner) for name, inner in item.items()})


def _leaves(item: Json, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(item, str):
        yield path, item
        return
    for name, inner in item.items():
        yield from _leaves(inner, (*path, name))


def _require_descriptions(item: Json, where: str, depth: int) -> None:
    named = isinstance(item, Mapping) and all(isinstance(name, str) and name.strip() for name in item)
    holds = depth <= _MAX_DEPTH and ((isinstance(item, str) and bool(item.strip())) or (named and bool(item)))
    message = f"{where} must be a description, or a dict of descriptions up to {_MAX_DEPTH} deep; got {item!r}"
    require(holds, message, parameter="rubric", value=item)
    if isinstance(item, Mapping):
        for name, inner in item.items():
            _require_descriptions(inner, f"{where}[{name!r}]", depth + 1)


def _points(description: str) -> float | None:
    """The points a description states, once and not as a penalty."""
    found = list(_POINTS.finditer(description))
    if len(found) != 1 or _PENALTY.search(description[: found[0].start()]):
        return None
    return float(found[0][1])
