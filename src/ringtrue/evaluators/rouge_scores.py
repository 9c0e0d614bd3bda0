"""`RougeScores`: ROUGE-1, ROUGE-2 and ROUGE-L of a summary, as papers report them."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.rouge_check import RougeCheck, RougeNumbers
from ringtrue.scoring.overlap.rouge import rouge_multi

_KINDS = ("rouge1", "rouge2", "rougeL", "rougeLsum")


@dataclass(frozen=True)
class RougeScores(RougeCheck):
    """F1 of each kind against the reference that is best for it.

    `stem` applies the Porter stemmer, as the original ROUGE does with -m.
    """

    default_name = "rouge_scores"
    main = "rougeL"
    parts = _KINDS
    needs = "one or more reference summaries"
    formula = "F1 of shared n-grams or subsequences"
    matches = "rouge-score 0.1.2"

    threshold: float = 0.5
    stem: bool = True

    def numbers(self, text: str, references: tuple[str, ...], unicode: bool) -> RougeNumbers:
        """F1 of every kind."""
        found = {kind: prf.f1 for kind, prf in rouge_multi(text, references, _KINDS, self.stem, unicode).items()}
        return RougeNumbers(found[self.main], found, {})
