"""Metrics that some benchmarks report over all rows: pooled shares, right where attempted, calibration."""

from __future__ import annotations

from math import sqrt

import pytest

from ringtrue.metrics import Attempted, CalibrationError, Pooled
from ringtrue.records import EvalRow


def rows(*scores: dict[str, float]) -> list[EvalRow]:
    return [EvalRow("s", number, dict(one)) for number, one in enumerate(scores)]


def test_a_pooled_share_counts_every_instruction_alike() -> None:
    found = rows({"strict": 1.0, "number": 1.0}, {"strict": 0.0, "number": 3.0}, {"other": 1.0})
    summary = Pooled("strict", "number").summarise(found)["pooled_strict"]
    assert summary.value == 0.25
    assert (summary.n, summary.skipped) == (2, 1)


def test_attempted_is_as_simpleqa_reports() -> None:
    right, wrong, none = ({"correct": 1.0, "incorrect": 0.0}, {"correct": 0.0, "incorrect": 1.0},
                          {"correct": 0.0, "incorrect": 0.0})  # fmt: skip
    found = Attempted().compute(rows(*[right] * 4, *[wrong] * 4, *[none] * 2))
    assert found["correct_given_attempted"] == pytest.approx(0.5)
    assert found["f_score"] == pytest.approx(2 * 0.5 * 0.4 / (0.5 + 0.4))


def test_nothing_attempted_is_no_number() -> None:
    assert Attempted().compute(rows({"correct": 0.0, "incorrect": 0.0}))["correct_given_attempted"] is None


def test_calibration_error_is_the_root_mean_square_over_bins() -> None:
    low = [{"confidence": 0.2, "correct": float(number < 40)} for number in range(100)]
    high = [{"confidence": 0.9, "correct": float(number < 60)} for number in range(150)]
    found = CalibrationError().compute(rows(*high, *low))["calibration_error"]
    assert found == pytest.approx(sqrt((100 * 0.2**2 + 150 * 0.5**2) / 250))


def test_few_rows_are_one_bin_and_none_is_no_number() -> None:
    assert CalibrationError().compute(rows({"confidence": 0.8, "correct": 1.0}))["calibration_error"] == pytest.approx(
        0.2
    )
    summary = CalibrationError().summarise(rows({"correct": 1.0}))["calibration_error"]
    assert (summary.value, summary.n, summary.skipped) == (None, 0, 1)
