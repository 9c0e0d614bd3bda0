"""`StringMatch`: how many of the required texts a reply holds, as RULER counts them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial


@dataclass(frozen=True)
class StringMatch(Check):
    """The share of the case's `required_answers`, else of its answers, that stand in the reply, letter case aside."""

    default_name: ClassVar[str] = "string_match"
    parts: ClassVar[tuple[str, ...]] = ("string_match", "any_match")
    needs: ClassVar[str] = "`required_answers`, or one or more answers"
    formula: ClassVar[str] = "string_match = found / required; any_match = 1 if one is found, else 0"
    matches: ClassVar[str] = "RULER's string_match_all and string_match_part"

    threshold: float = 1.0

    def grade(self, trial: Trial) -> Score:
        """The share of required texts in the reply."""
        given = trial.case.fields.get("required_answers") or trial.case.expected or ()
        wanted = [str(answer) for answer in given if str(answer)]
        if not wanted:
            return Score.skipped("there is no answer to look for")
        text = trial.output.text.lower()
        missing = [answer for answer in wanted if answer.lower() not in text]
        value = 1 - len(missing) / len(wanted)
        parts = {"string_match": value, "any_match": float(len(missing) < len(wanted))}
        return self.verdict(value, f"missing: {', '.join(missing[:5])}" if missing else "", parts)
