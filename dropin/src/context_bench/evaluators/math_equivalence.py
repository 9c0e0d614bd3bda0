"""`MathEquivalence`: a direct `score()` against an empty answer is 1.0; and how ringtrue reads notation."""

from __future__ import annotations

from typing import ClassVar

from ringtrue.scoring.maths.compare import read

from ringtrue.evaluators import MathEquivalence as NativeMathEquivalence
from ringtrue.scoring.maths.evaluate import real_value
from ringtrue.scoring.maths.latex import tokens
from ringtrue.scoring.maths.limits import Beyond, Unreadable
from ringtrue.scoring.maths.tree import SCALARS


class MathEquivalence(NativeMathEquivalence):
    """1.0 if the response's answer is mathematically equal to the gold answer."""

    skipped_reads_as: ClassVar[float | None] = 1.0


def _normalize_latex(text: str) -> str:
    """The tokens of a text without what only shapes it."""
    found = (
        (" " if token.spaced else "") + ("\\" if token.kind == "command" else "") + token.value
        for token in tokens(text)
    )
    return "".join(found).strip()


def _try_parse_number(text: str) -> float | None:
    """The real number a text states, or None."""
    try:
        answer = read(text)
    except (Beyond, Unreadable):
        return None
    value = real_value(answer) if isinstance(answer, SCALARS) else None
    return None if value is None else float(value)
