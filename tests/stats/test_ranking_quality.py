"""The area under the ROC curve, and what calibrate makes of scores without information."""

from __future__ import annotations

from random import Random

import pytest

from ringtrue.records import Score
from ringtrue.stats.calibration import METRICS, calibration
from ringtrue.stats.ranking_quality import auc_summary


def test_the_share_of_pairs_in_the_right_order() -> None:
    random = Random(5)
    for _ in range(50):
        values = [random.choice((0.0, 0.25, 0.5, 1.0)) for _ in range(12)]
        labels = [random.random() < 0.5 for _ in values]
        pairs = [
            (one > other) + (one == other) / 2
            for one, right in zip(values, labels, strict=True)
            for other, wrong in zip(values, labels, strict=True)
            if right and not wrong
        ]
        assert auc_summary(values, labels).value == (pytest.approx(sum(pairs) / len(pairs)) if pairs else None)


def test_the_interval_covers_the_truth() -> None:
    """Two normal distributions a standard deviation apart have an area of 0.7602."""
    random = Random(1)
    covered = 0
    for _ in range(400):
        labels = [place < 40 for place in range(80)]
        low, high = auc_summary([random.gauss(float(label), 1) for label in labels], labels).interval or (0, 0)
        covered += low <= 0.7602 <= high
    assert 0.92 <= covered / 400 <= 0.98


def test_a_faultless_order_of_few_rows_is_not_certainty() -> None:
    found = auc_summary([0, 0, 0, 1, 1, 1], [False] * 3 + [True] * 3)
    assert found.value == 1.0
    assert found.interval is not None
    assert 0.5 < found.interval[0] < 0.9
    assert auc_summary([1.0], [True]).value is None


def scores(values: list[float]) -> list[Score]:
    return [Score(value) for value in values]


def test_a_useless_judge_gets_no_threshold() -> None:
    random = Random(3)
    values = [random.random() for _ in range(200)]
    found = calibration(scores(values), [float(random.random() < 0.5) for _ in values])
    assert found.is_useless
    assert found.cutoff is None
    assert found.recommendation.startswith("No threshold is recommended: nothing shows that these scores tell right")


def test_a_good_judge_gets_one_and_hears_what_it_changes() -> None:
    random = Random(3)
    labels = [float(random.random() < 0.5) for _ in range(300)]
    found = calibration(scores([min(1.0, max(0.0, random.gauss(0.1 + 0.2 * one, 0.05))) for one in labels]), labels)
    assert found.cutoff is not None
    assert 0.15 < found.cutoff.threshold < 0.25
    assert (found.counts.agreement or 0) < 0.6 < 0.9 < (found.cutoff.held_out.agreement or 0)
    assert "before, 0.9" in found.recommendation
    assert set(found.metrics) == set(METRICS[:9])


def test_a_recommendation_that_lowers_agreement_says_so() -> None:
    """Nine of ten rows are right, and Youden's J gives the tenth as much weight as the nine."""
    random = Random(7)
    labels = [float(place % 10 > 0) for place in range(400)]
    values = [min(1.0, max(0.0, random.gauss(0.55 + 0.2 * one, 0.15))) for one in labels]
    found = calibration(scores(values), labels)
    assert found.cutoff is not None
    assert (found.cutoff.held_out.agreement or 1) < (found.counts.agreement or 0)
    assert "it lowers agreement, since it is chosen by Youden's J" in found.recommendation
    assert any("lowers agreement" in doubt for doubt in found.doubts)


def test_scores_of_two_values_keep_the_threshold_that_parts_them() -> None:
    labels = [float(place % 2) for place in range(40)]
    found = calibration(scores(labels), labels)
    assert found.cutoff is not None
    assert found.cutoff.threshold == 0.5
    assert found.recommendation == "Recommended threshold: 0.5, which it has."


def test_sensitivity_specificity_and_youden() -> None:
    found = calibration(scores([1.0] * 8 + [0.0] * 2 + [1.0] * 3 + [0.0] * 7), [1.0] * 10 + [0.0] * 10).metrics
    assert [found[name].value for name in ("sensitivity", "specificity", "youden")] == pytest.approx([0.8, 0.7, 0.5])
    low, high = found["youden"].interval or (0, 0)
    assert 0 < low < 0.5 < high < 1
