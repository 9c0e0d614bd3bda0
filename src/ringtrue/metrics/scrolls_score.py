"""`ScrollsScore`: what SCROLLS reports of a summarization task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from operator import mul
from statistics import fmean

from ringtrue.metrics.metric import ComputedMetric, summary_of_ratio
from ringtrue.records import EvalRow, Summary

_FIELDS = ("scrolls_rouge1", "scrolls_rouge2", "scrolls_rougeL")


@dataclass(frozen=True)
class ScrollsScore(ComputedMetric):
    """The geometric mean of the means of ROUGE-1, ROUGE-2 and ROUGE-L over all rows, as `scrolls_rouge` gives them."""

    name = "scrolls_score"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`scrolls_score`; its interval is that of the mean it equals to first order."""
        found = [_rouge(row) for row in rows]
        means = [fmean(column) for column in zip(*filter(None, found), strict=True)]
        score = prod(means) ** (1 / 3)
        slopes = [score / mean / len(means) if mean else 0.0 for mean in means]

        def row_share(row: EvalRow) -> tuple[float, float] | None:
            numbers = _rouge(row)
            return (sum(map(mul, slopes, numbers)), 1.0) if numbers else None

        return {"scrolls_score": summary_of_ratio(rows, row_share, unit="score")}


def _rouge(row: EvalRow) -> list[float]:
    """The three numbers of a row; none where one is absent."""
    found = [row.scores[key] for key in _FIELDS if key in row.scores]
    return found if len(found) == len(_FIELDS) else []
