"""`LoCoMo`: answers about long conversations, scored as its authors do."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial
from ringtrue.scoring.long_context.locomo import locomo_score


@dataclass(frozen=True)
class LoCoMo(Check):
    """F1 of stemmed words by the kind of question, `locomo_category`; without one it is skipped."""

    default_name = "locomo"
    parts = ("locomo",)
    needs = "`locomo_category`, 1 to 5, and an answer"
    formula = (
        "F1 of stemmed words; category 1: the mean, over the answers between commas, of the best F1 of a part of the "
        "reply; category 5: 1 if the reply says that there is no information"
    )
    matches = "snap-research/locomo, evaluation.py"
    max_chars = 100_000

    threshold: float = 0.5

    def grade(self, trial: Trial) -> Score:
        """The score by the kind of question."""
        category = trial.case.fields.get("locomo_category")
        answers = [answer for answer in trial.case.expected or () if answer]
        if not isinstance(category, int) or not answers:
            return Score.skipped("the case has no locomo_category, or no answer")
        value = max(locomo_score(trial.output.text, answer, category) for answer in answers)
        return self.verdict(value, "" if value >= self.threshold else f"the score is {value:.3f}")
