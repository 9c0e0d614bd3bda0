"""`InfiniteBench`: each of its tasks scored by its authors' rule."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial
from ringtrue.scoring.long_context.infinitebench import RULES, matching_prefix


@dataclass(frozen=True)
class InfiniteBench(Check):
    """The authors' score of a reply to the task that the case's `subtask` names; without one it is skipped.

    `repeats_first` is for replies to the authors' own prompt of math_calc, which begin with the first operand.
    """

    default_name = "infinitebench"
    parts = ("infinitebench",)
    needs = "`subtask`, an answer, and for the two choice tasks `correct_letter`"
    formula = (
        "passkey, number_string: the first integer; kv_retrieval, longdialogue_qa_eng: the word; code_run: the last "
        "integer; math_find: the first number; math_calc: matching prefix / length; longbook_sum_eng: ROUGE-Lsum; "
        "longbook_qa_eng: token F1; longbook_qa_chn: character F1; longbook_choice_eng, code_debug: the option"
    )
    matches = "OpenBMB/InfiniteBench, compute_scores.py"
    max_chars = 500_000

    threshold: float = 0.5
    repeats_first: bool = False

    def grade(self, trial: Trial) -> Score:
        """The score by the rule of the case's task."""
        task = str(trial.case.fields.get("subtask", ""))
        gold = [answer for answer in trial.case.expected or () if answer]
        if task not in RULES or not gold:
            return Score.skipped("the case has no subtask of InfiniteBench, or no answer")
        letter = trial.case.fields.get("correct_letter")
        answers = [*gold, str(letter)] if letter else gold
        text = trial.output.text
        if task == "math_calc":
            value = matching_prefix(text, answers, repeats_first=self.repeats_first)
        else:
            value = RULES[task](text, answers)
        return self.verdict(value, "" if value >= self.threshold else f"{task}: {value:.3f}")
