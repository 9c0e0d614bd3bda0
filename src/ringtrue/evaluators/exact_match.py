"""`ExactMatch`: the output is the expected answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score


@dataclass(frozen=True)
class ExactMatch(TextCheck):
    """Passes if the output equals an expected answer; ignores white space at the ends, and case unless
    `case_sensitive`."""

    default_name = "exact_match"
    parts = ("exact_match",)
    needs = "one or more expected outputs"
    formula = "1 if strip(output) = strip(expected) for any expected output (case-folded), else 0"

    case_sensitive: bool = False
    threshold: float = 1.0

    @cached_property
    def _differs(self) -> Score:
        return self.verdict(0.0, "the output is not the expected one")

    @cached_property
    def _nothing(self) -> Score:
        return Score.skipped("there is no expected output to compare with")

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Full marks if any expected answer is met."""
        if expected is None:
            return self._nothing
        if text in expected:
            return self.full_marks
        bare = text.strip() if self.case_sensitive else text.strip().casefold()
        for answer in expected:
            if bare == (answer.strip() if self.case_sensitive else answer.strip().casefold()):
                return self.full_marks
        return self._differs
