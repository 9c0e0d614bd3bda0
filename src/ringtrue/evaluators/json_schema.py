"""`JSONSchemaEval`: the output is JSON that conforms to a schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

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
from ringtrue.scoring.programs.fences import unfenced


@dataclass(frozen=True)
class JSONSchemaEval(TextCheck):
    """Passes if the output is JSON that conforms to the JSON Schema; the errors, with their paths, are in the metadata.

    The draft is the one `$schema` names, else `draft`. `formats` asserts `format`; `fences` allows a Markdown code
    fence. Nothing is ever fetched: a schema that refers elsewhere needs `remotes`, a dict from address to schema.
    """

    default_name: ClassVar[str] = "json_schema"
    parts: ClassVar[tuple[str, ...]] = ("json_schema",)
    needs: ClassVar[str] = "nothing but an output"
    formula: ClassVar[str] = "1 if the output is JSON (RFC 8259, integers exact) that the schema accepts, else 0"
    matches: ClassVar[str] = "JSON-Schema-Test-Suite, drafts 7 and 2020-12"

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
        return self._graded(read_json(unfenced(text) if self.fences else text), len(text))

    def grade_texts(self, texts: Sequence[str], expected: Sequence[tuple[str, ...] | None]) -> list[Score]:
        """The scores of texts; most of a faultless one's time is otherwise spent between two calls."""
        accepts = self._checker.accepts_plain
        if self.fences or accepts is None:
            return super().grade_texts(texts, expected)
        accepts_all, full_marks = self._checker.accepts_all, self.full_marks
        graded, later = self._graded, self._refused_later
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

    def _graded(self, reading: JsonReading, chars: int) -> Score:
        if not reading.problem and self._checker.accepts(reading, chars):
            if reading.duplicates:
                return self.verdict(1.0, "keys are repeated", duplicate_keys=reading.duplicates)
            return self.full_marks
        return self._refused(reading, chars)

    def _refused(self, reading: JsonReading, chars: int) -> Score:
        if reading.problem:
            return self.fail(f"the output is {reading.problem}")
        reason, metadata = self._told(reading, chars)
        return self.verdict(0.0, reason, **metadata)

    def _refused_later(self, text: str) -> Score:
        # The text is there anyway; keeping what was read of it would cost more than reading it again.
        return Score.told_later(0.0, self.threshold <= 0.0, lambda: self._told(read_json(text), len(text)))

    def _told(self, reading: JsonReading, chars: int) -> tuple[str, dict[str, Json]]:
        errors = self._checker.errors(reading, chars)
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        metadata: dict[str, Json] = {"errors": errors}
        if reading.duplicates:
            metadata["duplicate_keys"] = reading.duplicates
        return f"{errors[0]['path']}: {errors[0]['message']}{more}", metadata
