"""`IsJSON`: the output is JSON."""

from __future__ import annotations

from dataclasses import dataclass, field

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.jsontext_reader import read_json
from ringtrue.records import Score
from ringtrue.scoring.programs.fences import unfenced_text


@dataclass(frozen=True)
class IsJSON(TextCheck):
    """Passes if the output is one JSON value and nothing else; with `fences`, inside a Markdown code fence too.

    NaN and Infinity are not JSON. Repeated keys pass and are noted.
    """

    default_name = "is_json"
    parts = ("is_json",)
    needs = "nothing but an output"
    formula = "1 if the output is JSON as RFC 8259 defines it, else 0"

    threshold: float = 1.0
    fences: bool = field(default=False, kw_only=True)

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Full marks for JSON."""
        reading = read_json(unfenced_text(text) if self.fences else text)
        if reading.problem:
            return self.fail(f"the output is {reading.problem}")
        if reading.duplicates:
            return self.verdict(1.0, "keys are repeated", duplicate_keys=reading.duplicates)
        return self.full_marks
