"""`ROUGE`: ROUGE-L F1 against the expected output."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ringtrue.evaluators.reference_check import ReferenceCheck
from ringtrue.records import Score
from ringtrue.scoring.overlap.rouge import rouge_l, unscorable


@dataclass(frozen=True)
class ROUGE(ReferenceCheck):
    """ROUGE-L F1, the best over the expected outputs; `stem` applies the Porter stemmer first."""

    default_name: ClassVar[str] = "rouge_l"
    parts: ClassVar[tuple[str, ...]] = ("rouge_l",)
    formula: ClassVar[str] = (
        "2 * lcs / (tokens in the output + tokens in the expected output), "
        "lcs = longest common subsequence of the tokens a-z 0-9 in lower case"
    )
    matches: ClassVar[str] = "rouge-score 0.1.2, rougeL"
    max_chars: ClassVar[int] = 500_000

    threshold: float = 0.5
    stem: bool = field(default=False, kw_only=True)

    def compare(self, text: str, references: tuple[str, ...]) -> Score:
        """F1 against the best reference."""
        found = rouge_l(text, references, self.stem)
        reason = f"ROUGE-L F1 is {found.f1:.3f}" if found.f1 else unscorable(references) or "no token in common"
        return self.verdict(found.f1, reason, precision=found.precision, recall=found.recall)
