"""`ChrF`: character n-gram F-score against the expected output."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ringtrue.evaluators.reference_check import ReferenceCheck
from ringtrue.records import Score
from ringtrue.scoring.overlap.chrf import Chrf


@dataclass(frozen=True)
class ChrF(ReferenceCheck):
    """Sentence chrF, the best over the expected outputs; `word_order=2` makes it chrF++."""

    default_name = "chrf"
    parts = ("chrf",)
    formula = "F-beta of the mean precision and the mean recall of character n-grams of orders 1 to 6"
    matches = "sacreBLEU 2.6, CHRF().sentence_score / 100"
    max_chars = 500_000

    threshold: float = 0.5
    char_order: int = field(default=6, kw_only=True)
    word_order: int = field(default=0, kw_only=True)
    beta: float = field(default=2.0, kw_only=True)
    lowercase: bool = field(default=False, kw_only=True)
    whitespace: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._chrf

    @cached_property
    def _chrf(self) -> Chrf:
        return Chrf(self.char_order, self.word_order, self.beta, self.lowercase, self.whitespace)

    def compare(self, text: str, references: tuple[str, ...]) -> Score:
        """chrF against the best reference."""
        value = self._chrf.score(self._chrf.counts(text, references))
        return self.verdict(value, f"{'chrF++' if self.word_order else 'chrF'} is {value:.3f}")
