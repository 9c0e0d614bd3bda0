"""`CalibrationError`: how far stated confidence is from being right, as Humanity's Last Exam measures it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from operator import itemgetter
from statistics import fmean

from ringtrue.metrics.metric import ComputedMetric
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class CalibrationError(ComputedMetric):
    """The root mean square, over bins of answers of like confidence, of mean confidence minus accuracy.

    Answers are ordered by confidence and cut into bins of `bin_size`; the last bin takes what is left. Fewer rows than
    one bin are one bin. `calibration_error_hle` is without the last bin, as the script of that exam's authors has it.
    """

    correct_field: str = "correct"
    confidence_field: str = "confidence"
    bin_size: int = 100
    name = "calibration_error"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`calibration_error`, and from two bins on `calibration_error_hle`."""
        stated = [
            (row.scores[self.confidence_field], row.scores[self.correct_field])
            for row in rows
            if self.confidence_field in row.scores and self.correct_field in row.scores
        ]
        # By confidence alone: rows of like confidence keep their order, or whole bins would be right and others wrong.
        pairs = sorted(stated, key=itemgetter(0))
        errors = sum(row.status != "ok" for row in rows)
        skipped = max(0, len(rows) - len(pairs) - errors)
        bins = self._bins(pairs) if pairs else []
        squares = [len(part) * _gap(part) ** 2 for part in bins]
        found = {"calibration_error": squares} | ({"calibration_error_hle": squares[:-1]} if len(bins) > 1 else {})
        return {
            name: Summary(
                sqrt(sum(given) / len(pairs)) if pairs else None, n=len(pairs), skipped=skipped, errors=errors
            )
            for name, given in found.items()
        }

    def _bins(self, pairs: list[tuple[float, float]]) -> list[list[tuple[float, float]]]:
        count = max(1, len(pairs) // self.bin_size)
        edges = [place * self.bin_size for place in range(count)] + [len(pairs)]
        return [pairs[start:end] for start, end in pairwise(edges)]


def _gap(part: list[tuple[float, float]]) -> float:
    return fmean(confidence for confidence, _ in part) - fmean(correct for _, correct in part)
