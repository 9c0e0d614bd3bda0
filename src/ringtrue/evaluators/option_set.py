"""`OptionSet`: whether a reply names exactly the options that are right."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial

_LISTED = re.compile(r"answers?\s*(?:is|are)?\s*:?\s*\**\s*([A-Z](?:\s*(?:,|;|and|&|\s)\s*[A-Z])*)\b(?!\w)", re.I)
_LETTER = re.compile(r"\b[A-Z]\b")


@dataclass(frozen=True)
class OptionSet(Check):
    """F1 of the letters after the last "Answer:", against those of `correct_letters`; exact where they are the same."""

    default_name = "option_set"
    parts = ("option_set", "option_f1")
    needs = "`correct_letters`, the letters of all right options"
    formula = "option_set = 1 if the letters are exactly the right ones; option_f1 = F1 of the two sets"

    threshold: float = 1.0

    def grade(self, trial: Trial) -> Score:
        """The letters that are named against those that are right."""
        right = {str(letter) for letter in trial.case.fields.get("correct_letters") or ()}
        if not right:
            return Score.skipped("there are no correct letters to compare with")
        said = named_letters(trial.output.text)
        exact = float(said == right)
        parts = {"option_set": exact, "option_f1": 2 * len(said & right) / (len(said) + len(right))}
        reason = (
            ""
            if exact
            else f"the reply names {', '.join(sorted(said)) or 'none'}; {', '.join(sorted(right))} are right"
        )
        return self.verdict(exact, reason, parts)


def named_letters(reply: str) -> set[str]:
    """The letters listed after the last "Answer:", or a reply that is nothing but a list of letters."""
    listed = _LISTED.findall(reply)
    text = listed[-1] if listed else reply
    letters = _LETTER.findall(text.upper() if listed else text)
    bare = re.sub(r"\band\b|[\s,;&.()*]", "", text, flags=re.I)
    return set(letters) if listed or len(bare) == len(letters) else set()
