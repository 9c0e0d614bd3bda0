"""`LongBench`: each of its tasks scored by its authors' metric."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial
from ringtrue.scoring.long_context.longbench import RULES, score


@dataclass(frozen=True)
class LongBench(Check):
    """The authors' metric of a reply to the task that the case's `subtask` names; without one it is skipped."""

    default_name = "longbench"
    parts = ("longbench",)
    needs = "`subtask`, one or more answers, and `all_classes` for trec and lsht"
    formula = (
        "questions: token F1; multifieldqa_zh: character F1; summaries: ROUGE-L over distinct words, Chinese ones over "
        "distinct characters; trec, lsht: 1 / classes named, if the right one is; passage_*: share of the numbers that "
        "are right; code: edit similarity of the first line of code"
    )
    matches = (
        "THUDM/LongBench, metrics.py with python-Levenshtein; Chinese text by characters where the authors take words"
    )
    max_chars = 100_000

    threshold: float = 0.5

    def grade(self, trial: Trial) -> Score:
        """The score by the metric of the case's task."""
        task = str(trial.case.fields.get("subtask", ""))
        gold = [answer for answer in trial.case.expected or () if answer]
        if task.removesuffix("_e") not in RULES or not gold:
            return Score.skipped("the case has no subtask of LongBench, or no answer")
        classes = [str(name) for name in trial.case.fields.get("all_classes") or ()]
        value = score(task, trial.output.text, gold, classes)
        return self.verdict(value, "" if value >= self.threshold else f"{task}: {value:.3f}")
