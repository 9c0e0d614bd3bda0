"""Similarity in characters: `Levenshtein` and `ChrfScore`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import ClassVar

from rapidfuzz.distance import Levenshtein as Edits

from multivon_eval.evaluators.base import settable
from multivon_eval.evaluators.deterministic import Expecting
from ringtrue import evaluators as ringtrue
from ringtrue.evaluators.check import require
from ringtrue.evaluators.reference_check import ReferenceCheck
from ringtrue.records import Score
from ringtrue.scoring.overlap.chrf import Chrf

__all__ = ["ChrfScore", "Levenshtein"]


class Levenshtein(Expecting, ringtrue.Levenshtein):
    """Edit similarity to the expected output; two empty texts are equal."""

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """1.0 where both are empty, else the similarity."""
        return _both_empty(self, text, expected) or super().grade_text(text, expected)


@settable
@dataclass(frozen=True)
class ChrfScore(Expecting, ReferenceCheck):
    """chrF of the expected output, sacreBLEU's; letter case and white space count only on request."""

    default_name: ClassVar[str] = "chrf"
    parts: ClassVar[tuple[str, ...]] = ("chrf",)
    formula: ClassVar[str] = ringtrue.ChrF.formula
    max_chars: ClassVar[int] = ringtrue.ChrF.max_chars

    max_n: int = 6
    beta: float = 2.0
    threshold: float = 0.5
    case_sensitive: bool = False
    include_whitespace: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        whole = isinstance(self.max_n, int) and self.max_n >= 1
        require(whole, f"max_n must be >= 1, got {self.max_n!r}", parameter="max_n", value=self.max_n)
        _ = self._chrf

    @cached_property
    def _chrf(self) -> Chrf:
        return Chrf(self.max_n, beta=self.beta, lowercase=not self.case_sensitive, whitespace=self.include_whitespace)

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """1.0 where both are empty, else chrF."""
        bare = text if self.include_whitespace else text.strip()
        return _both_empty(self, bare, expected) or super().grade_text(text, expected)

    def compare(self, text: str, references: tuple[str, ...]) -> Score:
        """chrF, and what it is made of as the reason."""
        counts = self._chrf.counts(text, references)
        usable = [(n, order) for n, order in enumerate(counts, 1) if order.hypothesis and order.reference]
        precision = fsum(order.shared / order.hypothesis for _, order in usable) / max(1, len(usable))
        recall = fsum(order.shared / order.reference for _, order in usable) / max(1, len(usable))
        value = self._chrf.score(counts)
        orders = [n for n, _ in usable]
        made = f"orders={orders}, β={self.beta}, avg_p={precision:.3f}, avg_r={recall:.3f}"
        return self.verdict(value, f"chrF is {value:.3f} ({made})")


def _both_empty(check: ReferenceCheck, text: str, expected: tuple[str, ...] | None) -> Score | None:
    return check.verdict(1.0, "both texts are empty") if not text and expected == ("",) else None


def _levenshtein_distance(a: str, b: str) -> int:
    return Edits.distance(a, b)


def _char_ngrams(s: str, n: int) -> list[str]:
    return [s[start : start + n] for start in range(len(s) - n + 1)]
