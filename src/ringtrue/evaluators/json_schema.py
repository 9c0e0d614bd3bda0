"""`JSONSchemaEval`: the output is JSON that conforms to a schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.jsontext_reader import (
    NOT_AS_WRITTEN,
    JsonReading,
    as_written,
    read_carefully,
    read_json,
    written_blocks,
)
from ringtrue.records import Json, Score
from ringtrue.require import require_that
from ringtrue.scoring.json_values.json_schema import Draft, SchemaChecker
from ringtrue.scoring.programs.fences import unfenced_text


class LazyScore(Score):
    """A score whose reason and metadata are computed when they are first read.

    Most failures are counted and never read, and saying what is wrong may take longer than finding that it is.
    """

    __slots__ = ("_explain",)

    _explain: Callable[[], tuple[str, Mapping[str, Json]]]

    @classmethod
    def of(cls, value: float, passed: bool, explain: Callable[[], tuple[str, Mapping[str, Json]]]) -> Score:
        """A score whose reason and metadata are what `explain` returns."""
        if not 0.0 <= value <= 1.0:
            return Score(value)  # which raises
        score = _new(cls)
        _set(score, "value", value)
        _set(score, "status", "scored")
        _set(score, "passed", passed)
        _set(score, "parts", _NO_PARTS)
        _set(score, "calls", 0)
        _set(score, "tokens", 0)
        _set(score, "_explain", explain)
        return score

    @property
    def caveat(self) -> str:
        """Nothing: reading the metadata for it would compute them."""
        return ""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # Python comes here only for a slot that is empty, or for a name that there is not.
            if name not in ("reason", "metadata"):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            reason, metadata = found = self._explain()
            _set(self, "_explain", lambda: found)  # lets go of the text it was computed from; another thread may ask
            _set(self, "reason", reason)
            _set(self, "metadata", metadata)
            return reason if name == "reason" else metadata

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return _values(self) == _values(other)

    __hash__ = Score.__hash__


_new, _set = object.__new__, object.__setattr__
_NO_PARTS: Mapping[str, float] = {}
_values = attrgetter(*(item.name for item in fields(Score)))


@dataclass(frozen=True)
class JSONSchemaEval(TextCheck):
    """Passes if the output is JSON that conforms to the JSON Schema; the errors, with their paths, are in the metadata.

    The draft is the one `$schema` names, else `draft`. `formats` asserts `format`; `fences` allows a Markdown code
    fence. Nothing is ever fetched: a schema that refers elsewhere needs `remotes`, a dict from address to schema.
    """

    default_name = "json_schema"
    parts = ("json_schema",)
    needs = "nothing but an output"
    formula = "1 if the output is JSON (RFC 8259, integers exact) that the schema accepts, else 0"
    matches = "JSON-Schema-Test-Suite, drafts 7 and 2020-12"

    schema: dict[str, Json] | bool
    threshold: float = 1.0
    fences: bool = field(default=False, kw_only=True)
    formats: bool = field(default=False, kw_only=True)
    remotes: Mapping[str, Json] | None = field(default=None, kw_only=True)
    draft: Draft = field(default="draft2020-12", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        mapped = self.remotes is None or isinstance(self.remotes, Mapping)
        require_that(mapped, "remotes", self.remotes, "a dict from address to schema")
        _ = self._checker

    @cached_property
    def _checker(self) -> SchemaChecker:
        return SchemaChecker(self.schema, self.draft, self.remotes or {}, self.formats)

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Full marks for JSON the schema accepts."""
        return self._grade_reading(read_json(unfenced_text(text) if self.fences else text), len(text))

    def grade_texts(self, texts: Sequence[str], expected: Sequence[tuple[str, ...] | None]) -> list[Score]:
        """The scores of texts; most of a faultless one's time is otherwise spent between two calls."""
        accepts = self._checker.accepts_plain
        if self.fences or accepts is None:
            return super().grade_texts(texts, expected)
        accepts_all, full_marks = self._checker.accepts_all, self.full_marks
        graded, later = self._grade_reading, self._refuse_lazily
        scores: list[Score] = []
        for block, values in written_blocks(texts):
            if values is None:
                scores += [
                    graded(read_carefully(text), len(text))
                    if (value := as_written(text)) is NOT_AS_WRITTEN
                    else (full_marks if accepts(value) else later(text))
                    for text in block
                ]
            elif accepts_all(values):
                scores += [full_marks] * len(block)
            else:
                scores += [
                    full_marks if accepts(value) else later(text) for text, value in zip(block, values, strict=True)
                ]
        return scores

    def _grade_reading(self, reading: JsonReading, chars: int) -> Score:
        if not reading.problem and self._checker.accepts(reading, chars):
            if reading.duplicates:
                return self.verdict(1.0, "keys are repeated", duplicate_keys=reading.duplicates)
            return self.full_marks
        return self._refuse(reading, chars)

    def _refuse(self, reading: JsonReading, chars: int) -> Score:
        if reading.problem:
            return self.fail(f"the output is {reading.problem}")
        reason, metadata = self._explain(reading, chars)
        return self.verdict(0.0, reason, **metadata)

    def _refuse_lazily(self, text: str) -> Score:
        # The text is there anyway; keeping what was read of it would cost more than reading it again.
        return LazyScore.of(0.0, self.threshold <= 0.0, lambda: self._explain(read_json(text), len(text)))

    def _explain(self, reading: JsonReading, chars: int) -> tuple[str, dict[str, Json]]:
        errors = self._checker.errors(reading, chars)
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        metadata: dict[str, Json] = {"errors": errors}
        if reading.duplicates:
            metadata["duplicate_keys"] = reading.duplicates
        return f"{errors[0]['path']}: {errors[0]['message']}{more}", metadata
