"""`NumericMatch`: whether the number in the output equals the expected one within a tolerance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score
from ringtrue.require import require_number
from ringtrue.scoring.facts.numbers import NumberReading, read_number, within
from ringtrue.scoring.maths import MAX_TEXT


@dataclass(frozen=True)
class NumericMatch(TextCheck):
    """1.0 if the number in the output is within the tolerance of an expected number; units are ignored."""

    default_name = "numeric_match"
    parts = ("numeric_match",)
    needs = "one or more expected outputs with a number in them"
    formula = (
        "|output - expected| <= tolerance, or tolerance * |expected| where it is relative; the number is the boxed, "
        "marked or announced one, else the last one stated; 12.5 kg is 12.5, 50% is 0.5"
    )
    max_chars = MAX_TEXT

    tolerance: float = 0.0
    relative: bool = False
    threshold: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_number("tolerance", self.tolerance, least=0)

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """The nearest of the expected numbers decides."""
        numbers = [number for number in map(read_number, expected or ()) if number is not None]
        if not numbers:
            return Score.skipped("there is no expected number to compare with")
        found = read_number(text)
        if found is None:
            return self.fail("the output holds no number")
        return self._judge_number(found, min(numbers, key=lambda number: abs(number.value - found.value)), numbers)

    def _judge_number(self, found: NumberReading, nearest: NumberReading, numbers: list[NumberReading]) -> Score:
        # Written out, 0.1 means a tenth and not the binary fraction next to it.
        tolerance = Fraction(str(self.tolerance))
        near = any(within(found.value, number.value, tolerance, relative=self.relative) for number in numbers)
        reason = "" if near else f"{found.text!r} is not {nearest.text!r} within {self.tolerance:g}"
        if not near and self.relative:
            reason += " of it"
        return self.verdict(1.0 if near else 0.0, reason, number=found.text, expected=nearest.text)
