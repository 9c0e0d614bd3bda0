"""`MathEquivalence`: whether the answer in a response is mathematically equal to the gold answer."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score
from ringtrue.safetext import shorten
from ringtrue.scoring.maths import MAX_TEXT, compare

_SHOWN = 200
"""Characters of an answer that a score repeats."""


@dataclass(frozen=True)
class MathEquivalence(TextCheck):
    """1.0 if the response's last box, `####`, announced answer or last statement equals an answer; else 0.0."""

    default_name = "math_equivalence"
    parts = ("math_equiv",)
    needs = "one or more answers: numbers, LaTeX, sets, intervals, words; boxed, after `####` or bare"
    formula = (
        "both answers are read as expressions and compared exactly where they are rational, modulo a large prime where "
        "they are rational functions, to 50 digits at several points elsewhere; 50% is 1/2 and not 50; a decimal of "
        "three significant digits or more, or one called approximate, equals an exact answer that rounds to it; "
        "repetitions count in lists and points, and not in sets"
    )
    max_chars = MAX_TEXT

    threshold: float = 1.0

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Equal to any of the answers that are not empty."""
        answers = [answer for answer in expected or () if answer.strip()]
        if not answers:
            return Score.skipped("there is no answer to compare with")
        verdicts = map(compare, answers, repeat(text))
        first = next(verdicts)
        best = first if first.equal else next((verdict for verdict in verdicts if verdict.equal), first)
        gold, extracted = shorten(best.gold, _SHOWN), shorten(best.candidate, _SHOWN)
        reason = best.reason if best.equal else f"{best.reason}: {extracted!r}"
        return self.verdict(float(best.equal), reason, gold=gold, extracted=extracted)
