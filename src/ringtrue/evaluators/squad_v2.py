"""`SQuADv2`: exact match and F1 where some questions have no answer."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial
from ringtrue.scoring.overlap.squad import normalize_answer, overlap

_NO_ANSWER = frozenset(("", "unanswerable", "no answer", "not answerable", "question is unanswerable"))


@dataclass(frozen=True)
class SQuADv2(Check):
    """The official SQuAD 2.0 scores; the reply "unanswerable" is right if `unanswerable` is true."""

    default_name = "squad_v2"
    main = "squad_f1"
    parts = ("squad_exact", "squad_f1")
    needs = "one or more answers, and `unanswerable`: whether there is none"
    formula = "as answer_quality where there is an answer; else 1 for a reply of no answer, else 0"
    matches = "the official SQuAD 2.0 script, without its thresholds on a model's own probability"

    threshold: float = 0.5

    def grade(self, trial: Trial) -> Score:
        """Exact match and F1."""
        declined = normalize_answer(trial.output.text) in _NO_ANSWER
        if trial.case.fields.get("unanswerable"):
            value = float(declined)
            reason = "" if declined else "the reply answers a question that has no answer"
            return self.verdict(value, reason, {"squad_exact": value, "squad_f1": value})
        answers = [answer for answer in trial.case.expected or () if answer]
        if not answers:
            return Score.skipped("there is no answer to compare with")
        if declined:
            return self.fail("the reply says that there is no answer")
        found = overlap(trial.output.text, answers, both_empty=1.0)
        parts = {"squad_exact": found.exact_match, "squad_f1": found.f1}
        return self.verdict(found.f1, "" if found.f1 >= self.threshold else f"F1 is {found.f1:.3f}", parts)
