"""`PIIEvaluator`: the output has no personal data; `SchemaEvaluator`: it is JSON of a shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from ringtrue.scoring.json_values.strict_json import JsonReading, read_json

from multivon_eval.evaluators.base import Check, settable
from multivon_eval.exceptions import EvaluatorPrereqMissing
from ringtrue.evaluators.check import require
from ringtrue.evaluators.personal_data import PersonalData
from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score
from ringtrue.scoring.json_values.json_schema import SchemaChecker
from ringtrue.scoring.personal_data import JURISDICTIONS, Finding, find_personal_data

__all__ = ["PIIEvaluator", "SchemaEvaluator"]

_URL = r"https?://[^\s<>\"']+"
_UNMISTAKABLE = frozenset({"gstin", "license_number"})
"""Kinds that are known by their looks, or are called by name (NPI, DEA): a wrong check digit is a slip of the pen."""
SHOWN = 10
SAMPLES = 2


@settable
@dataclass(frozen=True)
class PIIEvaluator(Check, TextCheck):
    """Passes if the output has no personal data; `redact` keeps what was found out of the reason.

    Names of people are not found: `use_ner` raises.
    """

    default_name: ClassVar[str] = "pii_detection"
    parts: ClassVar[tuple[str, ...]] = ("pii_detection",)
    needs: ClassVar[str] = "nothing but an output"
    formula: ClassVar[str] = PersonalData.formula
    max_chars: ClassVar[int] = PersonalData.max_chars

    jurisdiction: str = "all"
    patterns: Mapping[str, str] | None = None
    redact: bool = False
    threshold: float = 1.0
    strict: bool = True
    use_ner: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.use_ner:
            raise EvaluatorPrereqMissing("PIIEvaluator(use_ner=True)", "a recogniser of names, which ringtrue has not")
        _ = self._search

    @cached_property
    def _search(self) -> PersonalData:
        # Addresses on the web are among the identifiers that HIPAA's safe harbor names; elsewhere they tell of nobody.
        named = {"url": _URL} if self.jurisdiction == "hipaa" else {}
        patterns = {**named, **(self.patterns or {})} or None
        return PersonalData(None, self.jurisdiction, patterns, self.threshold, strict=self.strict)

    @property
    def _compiled(self) -> dict[str, PersonalData]:
        # Code that was written for the original asks which kinds are looked for.
        return dict.fromkeys([*JURISDICTIONS[self.jurisdiction], *(self.patterns or {})], self._search)

    def _findings(self, text: str) -> list[Finding]:
        found = self._search.findings(text)
        sure = _UNMISTAKABLE.intersection(JURISDICTIONS[self.jurisdiction])
        known = {(one.start, one.end) for one in found}
        slips = find_personal_data(text, sure, strict=False) if sure and self.strict else []
        return sorted([*found, *(one for one in slips if (one.start, one.end) not in known)], key=lambda one: one.start)

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """1.0 without personal data, else 0.0 and, by kind, what was found."""
        try:
            findings = self._findings(text)
        except TimeoutError as error:
            return self.fail(str(error))
        kinds: dict[str, list[str]] = {}
        for found in findings:
            shown = f"[REDACTED-{found.kind.upper()}]" if self.redact else text[found.start : found.end]
            kinds.setdefault(found.kind, []).append(f'"{shown}"')
        lines = [f"  {kind}: {', '.join(shown[:SAMPLES])} ({len(shown)} match)" for kind, shown in kinds.items()]
        told = [f"PII detected ({len(kinds)} type(s)):", *lines] if lines else ["No PII detected"]
        return self.verdict(float(not lines), "\n".join(told))


@settable
@dataclass(frozen=True)
class SchemaEvaluator(Check, TextCheck):
    """The output, in a code fence or not, is JSON that a JSON Schema or a pydantic model accepts.

    A schema takes a tenth off the score for each error. `strict` refuses properties that the schema does not name.
    """

    default_name: ClassVar[str] = "schema_compliance"
    parts: ClassVar[tuple[str, ...]] = ("schema_compliance",)
    needs: ClassVar[str] = "nothing but an output"
    formula: ClassVar[str] = "max(0, 1 - errors / 10); with a pydantic model, 1 or 0"

    schema: Any
    strict: bool = False
    threshold: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        known = isinstance(self.schema, Mapping) or hasattr(self.schema, "model_validate")
        require(known, f"schema is a dict or a pydantic model; got {self.schema!r}", parameter="schema", value=None)
        if isinstance(self.schema, Mapping):
            _ = self._checker

    def recorded(self) -> dict[str, Any]:
        """The settings as a lock tells them: a schema is told by its hash, a pydantic model cannot be told."""
        name = "_json_schema" if isinstance(self.schema, Mapping) else "_pydantic_model"
        return {"strict": self.strict, name: self.schema}

    @cached_property
    def _checker(self) -> SchemaChecker:
        closed = {"unevaluatedProperties": False} if self.strict and "properties" in self.schema else {}
        return SchemaChecker({**closed, **self.schema}, "draft2020-12", {}, False)

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Full marks for JSON of the shape."""
        reading = read_json(text, fences=True)
        if reading.problem:
            return self.fail(f"Invalid JSON: the output is {reading.problem}")
        errors = self._errors(reading, len(text)) if isinstance(self.schema, Mapping) else self._refusals(reading)
        if not errors:
            return self.full_marks
        value = max(0.0, 1 - len(errors) / 10) if isinstance(self.schema, Mapping) else 0.0
        return self.verdict(round(value, 12), "\n".join(["Schema validation failed:", *errors[:SHOWN]]))

    def _errors(self, reading: JsonReading, chars: int) -> list[str]:
        if self._checker.accepts(reading, chars):
            return []
        return [f"{error['path']}: {error['message']}" for error in self._checker.errors(reading, chars)]

    def _refusals(self, reading: JsonReading) -> list[str]:
        try:
            self.schema.model_validate(reading.value, **({"extra": "forbid"} if self.strict else {}))
        except ValueError as error:
            return str(error).splitlines()
        return []
