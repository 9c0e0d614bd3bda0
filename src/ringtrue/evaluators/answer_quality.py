"""`AnswerQuality`: how far a response and an answer agree, as SQuAD measures it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score
from ringtrue.scoring.overlap.squad import Overlap, overlap


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
        return self._grade(text, expected, {})

    def grade_texts(self, texts: Sequence[str], expected: Sequence[tuple[str, ...] | None]) -> list[Score]:
        """The scores of a column, in which equal overlaps share one: building a score costs as much as comparing."""
        shared: dict[Overlap, Score] = {}
        return [self._grade(text, answers, shared) for text, answers in zip(texts, expected, strict=True)]

    def _grade(self, text: str, expected: tuple[str, ...] | None, shared: dict[Overlap, Score]) -> Score:
        answers = expected if expected is not None and "" not in expected else tuple(filter(None, expected or ()))
        if not answers:
            return Score.skipped("there is no answer to compare with" if expected is None else "the answer is empty")
        if not text:
            return self.fail("the response is empty")
        found = overlap(text, answers)
        score = shared.get(found)
        if score is None:
            reason = "" if found.f1 >= self.threshold else f"token F1 is {found.f1:.3f}"
            score = shared[found] = self.verdict(found.f1, reason, found._asdict())
        return score
