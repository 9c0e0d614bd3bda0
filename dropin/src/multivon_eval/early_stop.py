"""When a case has been asked often enough: Wald's sequential test of its passes and failures."""

from __future__ import annotations

from collections.abc import Iterable

_CHANCE, _MOSTLY = 0.5, 0.8
_ENOUGH = (1 - 0.2) / 0.05
"""The likelihood ratio at which a missed difference has a chance of 0.2, and a false one of 0.05."""


def decided(verdicts: Iterable[bool]) -> bool:
    """Whether a case passes, or fails, far more often than by chance; six alike runs in a row show it."""
    found = list(verdicts)
    passed, failed = found.count(True), found.count(False)
    return max(_ratio(passed, failed), _ratio(failed, passed)) >= _ENOUGH


def _ratio(more: int, less: int) -> float:
    return (_MOSTLY / _CHANCE) ** more * ((1 - _MOSTLY) / _CHANCE) ** less
