"""Edit distance as a similarity."""

from __future__ import annotations

from rapidfuzz.distance import Levenshtein


def levenshtein_similarity(first: str, second: str) -> float:
    """1 - insertions, deletions and substitutions needed / length of the longer text; two empty texts are equal."""
    return Levenshtein.normalized_similarity(first, second)
