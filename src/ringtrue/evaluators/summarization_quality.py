"""`SummarizationQuality`: ROUGE-L precision, recall and F1 of a summary."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.rouge_check import RougeCheck, RougeNumbers
from ringtrue.scoring.overlap.rouge import rouge_l


@dataclass(frozen=True)
class SummarizationQuality(RougeCheck):
    """ROUGE-L against the reference summary, or against the one of several with the best F1."""

    default_name = "summarization_quality"
    main = "rouge_l_f1"
    parts = ("rouge_l_precision", "rouge_l_recall", "rouge_l_f1")
    needs = "one or more reference summaries"
    formula = (
        "lcs = longest common subsequence of the tokens a-z 0-9 in lower case; precision = lcs / tokens in response; "
        "recall = lcs / tokens in reference; f1 = their harmonic mean; the value is f1; Unicode words, or characters "
        "in scripts without spaces, where the tokens a-z 0-9 would lose more than half of the letters"
    )
    matches = "rouge-score 0.1.2, rougeL without stemmer"

    threshold: float = 0.5

    def numbers(self, text: str, references: tuple[str, ...], unicode: bool) -> RougeNumbers:
        """Precision, recall and F1."""
        found = rouge_l(text, references, unicode=unicode)
        return RougeNumbers(found.f1, dict(zip(self.parts, found, strict=True)), {})
