"""`MathEquivalence`: a direct `score()` against an empty answer is 1.0."""

from __future__ import annotations

import re
from typing import ClassVar

from ringtrue.evaluators import MathEquivalence as NativeMathEquivalence
from ringtrue.scoring.facts.numbers import read_number

_NAMED = re.compile(r"\\(?:text|mathrm|mbox)\s*\{([^{}]*)\}")
_SHAPING = re.compile(r"\\(?:left|right|displaystyle)(?![a-z])|\\[,;:! ]|\$")


class MathEquivalence(NativeMathEquivalence):
    """1.0 if the response's answer is mathematically equal to the gold answer."""

    skipped_reads_as: ClassVar[float | None] = 1.0


def _normalize_latex(text: str) -> str:
    """A text without what only shapes it."""
    return _SHAPING.sub("", _NAMED.sub(r"\1", text)).strip()


def _try_parse_number(text: str) -> float | None:
    """The real number a text states, or None."""
    found = read_number(text)
    return None if found is None else float(found.value)
