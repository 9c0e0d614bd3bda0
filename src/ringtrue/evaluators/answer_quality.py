"""`AnswerQuality`: how far a response and an answer agree, as SQuAD measures it."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score
from ringtrue.scoring.overlap.squad import overlap


@dataclass(frozen=True)
class AnswerQuality(TextCheck):
    """Token F1, exact match, recall and containment, each the best over the answers; an empty answer is skipped."""

    default_name = "answer_quality"
    parts = ("f1", "exact_match", "recall", "contains")
    needs = "one or more answers"
    formula = (
        "tokens = lower case, no ASCII punctuation, no a/an/the, split at whitespace; "
        "f1 = 2 * common / (tokens in response + tokens in answer); recall = common / tokens in answer; "
        "contains = the answer is a substring, ignoring case; the value is f1"
    )
    matches = "the official SQuAD v1.1 script (f1, exact_match)"
    skipped_reads_as = 1.0

    threshold: float = 0.5

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """The best of each part over the answers that are not empty."""
        answers = expected if expected is not None and "" not in expected else tuple(filter(None, expected or ()))
        if not answers:
            return Score.skipped("there is no answer to compare with" if expected is None else "the answer is empty")
        if not text:
            return self.fail("the response is empty")
        f1, exact_match, recall, contains = overlap(text, answers)
        parts = {"f1": f1, "exact_match": exact_match, "recall": recall, "contains": contains}
        return self.verdict(f1, "" if f1 >= self.threshold else f"token F1 is {f1:.3f}", parts)
