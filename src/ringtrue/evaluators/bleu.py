"""`BLEU`: sentence BLEU of order n against the expected output."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ringtrue.evaluators.reference_check import ReferenceCheck
from ringtrue.records import Score
from ringtrue.require import require_count
from ringtrue.scoring.overlap.bleu import Bleu


@dataclass(frozen=True)
class BLEU(ReferenceCheck):
    """Sentence BLEU-n with effective order; several expected outputs are references of the same sentence."""

    default_name = "bleu"
    parts = ("bleu",)
    formula = (
        "brevity penalty * geometric mean of the smoothed precisions of orders 1 to n, "
        "leaving out orders the output is too short for"
    )
    matches = "sacreBLEU 2.6, BLEU(effective_order=True).sentence_score / 100"
    max_chars = 2_000_000

    n: int = 4
    threshold: float = 0.5
    tokenize: str = field(default="13a", kw_only=True)
    smooth: str = field(default="exp", kw_only=True)
    lowercase: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        require_count("n", self.n, most=100)
        _ = self._bleu

    @cached_property
    def _bleu(self) -> Bleu:
        return Bleu(max_order=self.n, tokenize=self.tokenize, smooth=self.smooth, lowercase=self.lowercase)

    def compare(self, text: str, references: tuple[str, ...]) -> Score:
        """BLEU against all references together."""
        value = self._bleu.score(self._bleu.counts(text, references))
        return self.verdict(value, f"BLEU-{self.n} is {value:.3f}")
