"""`CalibrationError`: how far stated confidence is from being right, as Humanity's Last Exam measures it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from operator import itemgetter
from statistics import fmean
from typing import ClassVar

from ringtrue.metrics.metric import Computed
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class CalibrationError(Computed):
    """The root mean square, over bins of answers of like confidence, of mean confidence minus accuracy.

    Answers are ordered by confidence and cut into bins of `bin_size`; the last bin takes what is left. Fewer rows than
    one bin are one bin.
    """

    correct_field: str = "correct"
    confidence_field: str = "confidence"
    bin_size: int = 100
    name: ClassVar[str] = "calibration_error"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`calibration_error`."""
        stated = [
            (row.scores[self.confidence_field], row.scores[self.correct_field])
            for row in rows
            if self.confidence_field in row.scores and self.correct_field in row.scores
        ]
        # By confidence alone: rows of like confidence keep their order, or whole bins would be right and others wrong.
        pairs = sorted(stated, key=itemgetter(0))
        errors = sum(row.status != "ok" for row in rows)
        skipped = max(0, len(rows) - len(pairs) - errors)
        if not pairs:
            return {"calibration_error": Summary(None, n=0, skipped=skipped, errors=errors)}
        squares = [len(part) * _gap(part) ** 2 for part in self._bins(pairs)]
        return {
            "calibration_error": Summary(sqrt(sum(squares) / len(pairs)), n=len(pairs), skipped=skipped, errors=errors)
        }

    def _bins(self, pairs: list[tuple[float, float]]) -> list[list[tuple[float, float]]]:
        count = max(1, len(pairs) // self.bin_size)
        edges = [place * self.bin_size for place in range(count)] + [len(pairs)]
        return [pairs[start:end] for start, end in pairwise(edges)]


def _gap(part: list[tuple[float, float]]) -> float:
    return fmean(confidence for confidence, _ in part) - fmean(correct for _, correct in part)
