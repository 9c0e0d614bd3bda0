"""`Levenshtein`: edit similarity to the expected output."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.reference_check import ReferenceCheck
from ringtrue.records import Score
from ringtrue.scoring.overlap.edits import levenshtein_similarity


@dataclass(frozen=True)
class Levenshtein(ReferenceCheck):
    """The best similarity to an expected output that is not empty; case-insensitive unless `case_sensitive`."""

    default_name = "levenshtein"
    parts = ("levenshtein",)
    formula = "1 - insertions, deletions and substitutions / characters of the longer text"
    matches = "rapidfuzz, Levenshtein.normalized_similarity"
    max_chars = 200_000

    threshold: float = 0.8
    case_sensitive: bool = False

    def compare(self, text: str, references: tuple[str, ...]) -> Score:
        """Similarity to the nearest reference."""
        if not self.case_sensitive:
            text, references = text.lower(), tuple(reference.lower() for reference in references)
        value = max(levenshtein_similarity(text, reference) for reference in references if reference)
        return self.verdict(value, f"the nearest expected output is similar by {value:.3f}")
