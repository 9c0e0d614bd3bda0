"""`BABILong`: whether a reply names the right answer alone, as BABILong's authors decide it."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial
from ringtrue.scoring.long_context.sole_label import LABELS, sole_label_score


@dataclass(frozen=True)
class BABILong(Check):
    """1 if the first sentence of the reply names the answer and no other label of the case's `subtask`."""

    default_name = "babilong"
    parts = ("babilong",)
    needs = "`subtask` (qa1 to qa7, qa9 or qa10), `bare_question`, and an answer"
    formula = "1 if {labels in the first sentence} − {labels in the question} = {answer}, else 0"
    matches = "booydar/babilong, metrics.py"

    threshold: float = 1.0

    def grade(self, trial: Trial) -> Score:
        """The authors' verdict; a task that their table has no labels for is skipped."""
        task, question = (str(trial.case.fields.get(name, "")) for name in ("subtask", "bare_question"))
        answers = [answer for answer in trial.case.expected or () if answer]
        if task not in LABELS or not answers:
            return Score.skipped("the case has no subtask of BABILong with labels, or no answer")
        value = max(sole_label_score(trial.output.text, answer, question, task) for answer in answers)
        return self.verdict(value, "" if value else f"the first sentence does not name {answers[0]!r} alone")
