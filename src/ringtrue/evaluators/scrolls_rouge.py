"""`ScrollsRouge`: ROUGE of a summary as SCROLLS computes it."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.rouge_check import RougeCheck, RougeNumbers
from ringtrue.scoring.overlap.rouge import rouge_multi

_KINDS = ("rouge1", "rouge2", "rougeL")


@dataclass(frozen=True)
class ScrollsRouge(RougeCheck):
    """F1 of ROUGE-1, ROUGE-2 and ROUGE-L without stemmer, each against the reference best for it, and their mean.

    SCROLLS takes the geometric mean of the three means over all cases: the metric `scrolls_score`.
    """

    default_name = "scrolls_rouge"
    parts = ("scrolls_rouge", *(f"scrolls_{kind}" for kind in _KINDS))
    needs = "one or more reference summaries"
    formula = "F1 of shared n-grams or subsequences; scrolls_rouge = geometric mean of the three"
    matches = "rouge-score 0.1.2 with the settings of tau/scrolls, metrics/scrolls.py"

    threshold: float = 0.5

    def numbers(self, text: str, references: tuple[str, ...], unicode: bool) -> RougeNumbers:
        """The three F1 and their geometric mean."""
        one, two, longest = (prf.f1 for prf in rouge_multi(text, references, _KINDS, False, unicode).values())
        mean = (one * two * longest) ** (1 / 3)
        return RougeNumbers(mean, dict(zip(self.parts, (mean, one, two, longest), strict=True)), {})
