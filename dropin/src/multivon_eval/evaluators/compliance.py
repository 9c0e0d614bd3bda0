"""`PIIEvaluator`: the output has no personal data; `SchemaEvaluator`: it is JSON of a shape."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.exceptions import EvaluatorPrereqMissing
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import IsJSON, JSONSchemaEval, PersonalData

__all__ = ["PIIEvaluator", "SchemaEvaluator"]

_URL = r"https?://[^\s<>\"']+"
_FENCE = re.compile(r"\s*```\w*\s*(.*?)\s*```\s*", re.DOTALL)
SHOWN = 10
SAMPLES = 2


class PIIEvaluator(Evaluator):
    """Passes if the output has no personal data; `redact` keeps what was found out of the reason.

    Names of people are not found: `use_ner` raises.
    """

    name = "pii_detection"

    def __init__(
        self,
        jurisdiction: str = "all",
        patterns: Mapping[str, str] | None = None,
        redact: bool = False,
        threshold: float = 1.0,
        strict: bool = True,
        use_ner: bool = False,
    ) -> None:
        super().__init__(threshold)
        if use_ner:
            raise EvaluatorPrereqMissing("PIIEvaluator(use_ner=True)", "a recogniser of names, which ringtrue has not")
        self.jurisdiction, self.patterns, self.redact, self.strict = jurisdiction, patterns, redact, strict
        # Addresses on the web are among the identifiers that HIPAA's safe harbor names; elsewhere they are harmless.
        own = {**({"url": _URL} if jurisdiction == "hipaa" else {}), **(patterns or {})}
        self._check = PersonalData(None, jurisdiction, own or None, threshold, strict=strict)

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """1.0 without personal data, else 0.0 and, by kind, what was found."""
        found = self._check.evaluate(case, output)
        kinds: dict[str, list[str]] = {}
        for item in self._check.findings(output) if found.metadata.get("findings") else ():
            shown = f"[REDACTED-{item.kind.upper()}]" if self.redact else output[item.start : item.end]
            kinds.setdefault(item.kind, []).append(f'"{shown}"')
        if not kinds:
            return self._result(found.score or 0.0, found.reason or "No PII detected")
        lines = [f"  {kind}: {', '.join(shown[:SAMPLES])} ({len(shown)} match)" for kind, shown in kinds.items()]
        return self._result(0.0, "\n".join([f"PII detected ({len(kinds)} type(s)):", *lines]))


class SchemaEvaluator(Evaluator):
    """The output, in a code fence or not, is JSON that a JSON Schema or a pydantic model accepts.

    A schema takes a tenth off the score for each error. `strict` refuses properties that the schema does not name.
    """

    name = "schema_compliance"

    def __init__(self, schema: Any, strict: bool = False, threshold: float = 1.0) -> None:
        super().__init__(threshold)
        self.schema, self.strict = schema, strict
        self._check: IsJSON | JSONSchemaEval = IsJSON(fences=True)
        if isinstance(schema, Mapping):
            closed = {"unevaluatedProperties": False} if strict and "properties" in schema else {}
            self._check = JSONSchemaEval({**closed, **schema}, fences=True)
        elif not hasattr(schema, "model_validate_json"):
            words = f"schema is a dict or a pydantic model; got {schema!r}"
            raise ConfigurationError(words, parameter="schema", value=schema)

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """Full marks for JSON of the shape."""
        found = self._check.evaluate(case, output)
        if found.passed:
            errors = [] if isinstance(self.schema, Mapping) else self._model_errors(output)
            return self._failed(errors, 0.0) if errors else self._result(1.0)
        if "errors" not in found.metadata:
            return self._result(0.0, f"Invalid JSON: {found.reason}")
        errors = [f"{error['path']}: {error['message']}" for error in found.metadata["errors"]]
        return self._failed(errors, max(0, 10 - len(errors)) / 10)

    def _model_errors(self, output: str) -> list[str]:
        fenced = _FENCE.fullmatch(output)
        closed = {"extra": "forbid"} if self.strict else {}
        try:
            self.schema.model_validate_json(fenced[1] if fenced else output, **closed)
        except ValueError as error:
            return str(error).splitlines()
        return []

    def _failed(self, errors: list[str], score: float) -> EvalResult:
        return self._result(score, "\n".join(["Schema validation failed:", *errors[:SHOWN]]))
