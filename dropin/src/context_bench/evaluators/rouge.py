"""`SummarizationQuality` and `rouge_l`: a direct `score()` against an empty summary is 1.0."""

from __future__ import annotations

from typing import ClassVar

from ringtrue.evaluators import SummarizationQuality as NativeSummarizationQuality
from ringtrue.records import Score
from ringtrue.scoring.overlap.rouge import loses_letters
from ringtrue.scoring.overlap.rouge import rouge_l as native_rouge_l


class SummarizationQuality(NativeSummarizationQuality):
    """ROUGE-L precision, recall and F1 against the reference summary; an empty one is skipped in a run."""

    skipped_reads_as: ClassVar[float | None] = 1.0

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """ROUGE-L against the best of the summaries."""
        if not any(expected or ()):
            return Score.skipped("there is no summary to compare with")
        return super().grade_text(text, expected)


def rouge_l(prediction: str, reference: str) -> dict[str, float]:
    """ROUGE-L of two texts under the documented keys."""
    found = native_rouge_l(prediction, (reference,), unicode=loses_letters((prediction, reference)))
    return dict(zip(SummarizationQuality.parts, found, strict=True))
