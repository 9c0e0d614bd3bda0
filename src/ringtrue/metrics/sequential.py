"""When a case has been asked often enough: Wald's sequential test of its passes and failures."""

from __future__ import annotations

from collections.abc import Iterable
from math import log

_CHANCE, _MOSTLY = 0.5, 0.8
_ENOUGH = log((1 - 0.2) / 0.05)
"""Wald's bound with a chance of 0.2 to miss a difference and of 0.05 to see a false one on either side.

A case that passes by chance is called decided in fewer than two of sixteen times, however often it is asked.
"""


def decided(verdicts: Iterable[bool]) -> bool:
    """Whether a case passes, or fails, far more often than by chance; six alike runs in a row show it."""
    found = list(verdicts)
    passed, failed = found.count(True), found.count(False)
    return max(_log_ratio(passed, failed), _log_ratio(failed, passed)) >= _ENOUGH


def _log_ratio(more: int, less: int) -> float:
    return more * log(_MOSTLY / _CHANCE) + less * log((1 - _MOSTLY) / _CHANCE)
