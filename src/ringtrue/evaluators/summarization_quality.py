"""`SummarizationQuality`: ROUGE-L precision, recall and F1 of a summary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ringtrue.evaluators.reference_check import ReferenceCheck
from ringtrue.records import Score
from ringtrue.scoring.overlap.rouge import rouge_l, unscorable


@dataclass(frozen=True)
class SummarizationQuality(ReferenceCheck):
    """ROUGE-L against the reference summary, or against the one of several with the best F1."""

    default_name: ClassVar[str] = "summarization_quality"
    main: ClassVar[str] = "rouge_l_f1"
    parts: ClassVar[tuple[str, ...]] = ("rouge_l_precision", "rouge_l_recall", "rouge_l_f1")
    needs: ClassVar[str] = "one or more reference summaries"
    formula: ClassVar[str] = (
        "lcs = longest common subsequence of the tokens a-z 0-9 in lower case; precision = lcs / tokens in response; "
        "recall = lcs / tokens in reference; f1 = their harmonic mean; the value is f1"
    )
    matches: ClassVar[str] = "rouge-score 0.1.2, rougeL without stemmer"
    max_chars: ClassVar[int] = 500_000

    threshold: float = 0.5

    def compare(self, text: str, references: tuple[str, ...]) -> Score:
        """Precision, recall and F1 against the best reference."""
        found = rouge_l(text, references)
        reason = f"ROUGE-L F1 is {found.f1:.3f}" if found.f1 else unscorable(references) or "no token in common"
        return self.verdict(found.f1, reason, dict(zip(self.parts, found, strict=True)))
