"""`ROUGE`: ROUGE-L F1 against the expected output."""

from __future__ import annotations

from dataclasses import dataclass, field

from ringtrue.evaluators.rouge_check import RougeCheck, RougeNumbers
from ringtrue.scoring.overlap.rouge import rouge_l


@dataclass(frozen=True)
class ROUGE(RougeCheck):
    """ROUGE-L F1, the best over the expected outputs; `stem` applies the Porter stemmer first."""

    default_name = "rouge_l"
    parts = ("rouge_l",)
    formula = (
        "2 * lcs / (tokens in the output + tokens in the expected output), "
        "lcs = longest common subsequence of the tokens a-z 0-9 in lower case (Unicode words, or characters in scripts "
        "without spaces, where these tokens would lose more than half of the letters)"
    )
    matches = "rouge-score 0.1.2, rougeL"

    threshold: float = 0.5
    stem: bool = field(default=False, kw_only=True)

    def numbers(self, text: str, references: tuple[str, ...], unicode: bool) -> RougeNumbers:
        """F1, with precision and recall beside it."""
        found = rouge_l(text, references, self.stem, unicode)
        return RougeNumbers(found.f1, {}, {"precision": found.precision, "recall": found.recall})
