"""Scores by level, each with the share of its answers that people call right: the points of a calibration curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from ringtrue.stats.intervals import wilson

LEVELS = 10
"""Scores of more different values than this are gathered in as many equal parts of [0, 1]."""


@dataclass(frozen=True, slots=True)
class Level:
    """Cases that were scored about the same: their mean score, and the share of them that people call right."""

    score: float
    right: float
    n: int
    interval: tuple[float, float] | None = None


def calibration_levels(scores: Sequence[float], right: Sequence[bool]) -> tuple[Level, ...]:
    """A level for each value that the scores take, or for each tenth of [0, 1] where they take many."""
    exact = len(set(scores)) <= LEVELS
    groups: dict[float, list[tuple[float, bool]]] = {}
    for score, truth in zip(scores, right, strict=True):
        place = score if exact else min(LEVELS - 1, int(score * LEVELS))
        groups.setdefault(place, []).append((score, truth))
    return tuple(_level(groups[place]) for place in sorted(groups))


def _level(own: Sequence[tuple[float, bool]]) -> Level:
    n, passed = len(own), sum(truth for _, truth in own)
    return Level(fsum(score for score, _ in own) / n, passed / n, n, wilson(passed, n))
