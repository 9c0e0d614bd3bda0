"""Metrics that some benchmarks report over all rows: pooled shares, right where attempted, calibration."""

from __future__ import annotations

from math import sqrt

import pytest

from ringtrue.metrics import Attempted, CalibrationError, Pooled, ScrollsScore
from ringtrue.records import EvalRow


def rows(*scores: dict[str, float]) -> list[EvalRow]:
    return [EvalRow("s", number, dict(one)) for number, one in enumerate(scores)]


def test_a_pooled_share_counts_every_instruction_alike() -> None:
    found = rows({"strict": 1.0, "number": 1.0}, {"strict": 0.0, "number": 3.0}, {"other": 1.0})
    summary = Pooled("strict", "number").summarise(found)["pooled_strict"]
    assert summary.value == 0.25
    assert (summary.n, summary.skipped) == (2, 1)


def test_the_interval_of_a_share_ends_at_1() -> None:
    found = rows({"strict": 1.0, "number": 1.0}, {"strict": 0.0, "number": 1.0}, {"strict": 0.0, "number": 1.0})
    summary = Pooled("strict", "number").summarise(found)["pooled_strict"]
    assert summary.interval is not None
    assert (summary.interval[0], summary.interval[1]) == (0.0, 1.0)


def test_attempted_is_as_simpleqa_reports() -> None:
    right, wrong, none = ({"correct": 1.0, "incorrect": 0.0}, {"correct": 0.0, "incorrect": 1.0},
                          {"correct": 0.0, "incorrect": 0.0})  # fmt: skip
    found = Attempted().compute(rows(*[right] * 4, *[wrong] * 4, *[none] * 2))
    assert found["correct_given_attempted"] == pytest.approx(0.5)
    assert found["f_score"] == pytest.approx(2 * 0.5 * 0.4 / (0.5 + 0.4))


def test_nothing_attempted_is_not_a_number() -> None:
    assert Attempted().compute(rows({"correct": 0.0, "incorrect": 0.0}))["correct_given_attempted"] is None


def scrolls(one: float, two: float, longest: float) -> dict[str, float]:
    return {"scrolls_rouge1": one, "scrolls_rouge2": two, "scrolls_rougeL": longest}


def test_the_scrolls_score_is_the_geometric_mean_of_means() -> None:
    """Not the mean of the rows' geometric means, which a row without ROUGE-2 brings to 0."""
    found = rows(scrolls(0.5, 0.0, 0.4), scrolls(0.3, 0.2, 0.2), {"other": 1.0})
    summary = ScrollsScore().summarise(found)["scrolls_score"]
    assert summary.value == pytest.approx((0.4 * 0.1 * 0.3) ** (1 / 3))
    assert (summary.n, summary.skipped) == (2, 1)


def test_a_scrolls_score_of_no_overlap_is_0_and_of_no_rows_no_number() -> None:
    assert ScrollsScore().compute(rows(scrolls(0.5, 0.0, 0.4)))["scrolls_score"] == 0.0
    assert ScrollsScore().compute(rows({"other": 1.0}))["scrolls_score"] is None


def test_calibration_error_is_the_root_mean_square_over_bins() -> None:
    low = [{"confidence": 0.2, "correct": float(number < 40)} for number in range(100)]
    high = [{"confidence": 0.9, "correct": float(number < 60)} for number in range(150)]
    found = CalibrationError().compute(rows(*high, *low))
    assert found["calibration_error"] == pytest.approx(sqrt((100 * 0.2**2 + 150 * 0.5**2) / 250))
    assert found["calibration_error_hle"] == pytest.approx(sqrt(100 * 0.2**2 / 250)), "the last bin is left out"


def test_rows_of_like_confidence_are_not_sorted_by_whether_they_are_right() -> None:
    """Half right at one confidence is half right in every bin; right ones in bins of their own would read as 0.71."""
    found = CalibrationError().compute(rows(*[{"confidence": 1.0, "correct": float(at % 2)} for at in range(1_000)]))
    assert found["calibration_error"] == pytest.approx(0.5)


def test_few_rows_are_one_bin_and_none_is_not_a_number() -> None:
    assert CalibrationError().compute(rows({"confidence": 0.8, "correct": 1.0}))["calibration_error"] == pytest.approx(
        0.2
    )
    summary = CalibrationError().summarise(rows({"correct": 1.0}))["calibration_error"]
    assert (summary.value, summary.n, summary.skipped) == (None, 0, 1)
