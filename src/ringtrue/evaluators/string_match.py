"""`StringMatch`: how many of the required texts a reply holds, as RULER counts them."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial


@dataclass(frozen=True)
class StringMatch(Check):
    """The share of the case's `required_answers`, or else of its answers, that occur in the reply, ignoring case.

    Of a case with `accepted_answers` one is enough.
    """

    default_name = "string_match"
    parts = ("string_match", "any_match")
    needs = "`required_answers`, `accepted_answers`, or one or more answers"
    formula = (
        "string_match = found / required, any_match where answers are accepted; any_match = 1 if one is found, else 0"
    )
    matches = "RULER's string_match_all and string_match_part"

    threshold: float = 1.0

    def grade(self, trial: Trial) -> Score:
        """The share of required texts in the reply."""
        fields = trial.case.fields
        accepted = fields.get("accepted_answers")
        given = accepted or fields.get("required_answers") or trial.case.expected or ()
        wanted = [str(answer) for answer in given if str(answer)]
        if not wanted:
            return Score.skipped("there is no answer to look for")
        text = trial.output.text.lower()
        missing = [answer for answer in wanted if answer.lower() not in text]
        some = float(len(missing) < len(wanted))
        value = some if accepted else 1 - len(missing) / len(wanted)
        parts = {"string_match": value, "any_match": some}
        return self.verdict(value, f"missing: {', '.join(missing[:5])}" if value < 1 else "", parts)
