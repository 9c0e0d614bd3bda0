"""`LenientAnswer`: whether what a reply finally says is the expected answer, however it is dressed."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.final_answer import FinalAnswer
from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score
from ringtrue.scoring.prose.lenient_answer import is_lenient_answer


@dataclass(frozen=True)
class LenientAnswer(TextCheck):
    """1.0 if the final answer of a reply is an expected one; it accepts everything that `FinalAnswer` accepts, and
    more."""

    default_name = "lenient_answer"
    parts = ("lenient_answer",)
    needs = "one or more answers; (A) for an option"
    formula = (
        "the last box, else what follows the last 'answer is' or 'answer:', else the last line, equals an answer; "
        "letter case, quotation marks, commas, final stops and what follows the sentence do not count"
    )
    max_chars = 1_000_000

    threshold: float = 1.0

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Whether the final answer is one of the expected ones."""
        exact = FinalAnswer().grade_text(text, expected)
        if exact.value is None or exact.value == 1.0:
            return exact
        right = any(is_lenient_answer(text, answer) for answer in expected or () if answer.strip())
        return self.verdict(float(right), "" if right else exact.reason)
