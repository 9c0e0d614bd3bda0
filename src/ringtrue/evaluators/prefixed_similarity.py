"""`PrefixedSimilarity`: how like a reply is to the expected text, if it begins as instructed."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial


@dataclass(frozen=True)
class PrefixedSimilarity(Check):
    """difflib's ratio of reply and answer after the case's `prefix`; a reply that does not begin with it scores 0."""

    default_name = "prefixed_similarity"
    parts = ("prefixed_similarity",)
    needs = "an answer, and `prefix`, the text a reply is to begin with"
    formula = "2 * matching characters / characters of both, by difflib.SequenceMatcher"
    matches = "openai/mrcr's grade"
    max_chars = 50_000

    threshold: float = 0.9

    def grade(self, trial: Trial) -> Score:
        """The ratio after the prefix."""
        prefix = str(trial.case.fields.get("prefix") or "")
        answers = [answer for answer in trial.case.expected or () if answer]
        if not answers:
            return Score.skipped("there is no answer to compare with")
        text = trial.output.text
        if not text.startswith(prefix):
            return self.fail(f"the reply does not begin with {prefix!r}")
        said = text.removeprefix(prefix)
        value = max(SequenceMatcher(None, said, answer.removeprefix(prefix)).ratio() for answer in answers)
        return self.verdict(value, f"the similarity is {value:.3f}")
