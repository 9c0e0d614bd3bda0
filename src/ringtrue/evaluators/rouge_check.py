"""`RougeCheck`: what the ROUGE evaluators share: which tokens they compare, and that every score says so."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

from ringtrue.evaluators.reference_check import ReferenceCheck
from ringtrue.records import Json, Score
from ringtrue.scoring.overlap.rouge import loses_letters, unscorable

UNICODE = "unicode words"


class RougeNumbers(NamedTuple):
    """ROUGE-L's F1, and the numbers beside it."""

    f1: float
    parts: dict[str, float]
    metadata: dict[str, Json]


@dataclass(frozen=True)
class RougeCheck(ReferenceCheck):
    """ROUGE of rouge-score's tokens (a-z, 0-9), and of Unicode words where those would lose more than half the letters.

    In scripts without spaces the words are characters. The metadata of such a score says `tokens: unicode words`.
    """

    max_chars = 500_000

    @abstractmethod
    def numbers(self, text: str, references: tuple[str, ...], unicode: bool) -> RougeNumbers:
        """The numbers of a text against the best of the references."""

    def compare(self, text: str, references: tuple[str, ...]) -> Score:
        """The score of these numbers; it names the tokens where they are not rouge-score's."""
        unicode = loses_letters((text, *references))
        found = self.numbers(text, references, unicode)
        reason = f"ROUGE-L F1 is {found.f1:.3f}" if found.f1 else unscorable(references, unicode)
        tokens: dict[str, Json] = {"tokens": UNICODE} if unicode else {}
        return self.verdict(found.f1, reason or "no token in common", found.parts, **found.metadata, **tokens)

    def signature(self) -> str:
        """Class, parameters and version, and which tokens are compared."""
        return f"{super().signature()}|tokens:a-z0-9, unicode words where these lose half the letters"
