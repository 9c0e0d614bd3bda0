"""The corrected mean holds its 95%, whatever the judge is like; a good judge makes labels worth more."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.metrics.corrected import corrected_mean
from ringtrue.metrics.stats import clopper_pearson

Draw = Callable[[Random], tuple[float, float]]
"""One row: the human's label and the judge's score."""


def biased(random: Random) -> tuple[float, float]:
    label = random.random() < 0.6
    return float(label), float(random.random() < (0.97 if label else 0.35))


def useless(random: Random) -> tuple[float, float]:
    return float(random.random() < 0.3), float(random.random() < 0.8)


def graded(random: Random) -> tuple[float, float]:
    merit = random.betavariate(2, 2)
    return round(merit * 4) / 4, min(1.0, max(0.0, 0.3 + 0.6 * merit + random.gauss(0, 0.1)))


def graded_useless(random: Random) -> tuple[float, float]:
    return random.choice([0.0, 0.25, 0.5, 0.75, 1.0]), random.random()


def opposed(random: Random) -> tuple[float, float]:
    merit = random.betavariate(2, 2)
    return float(random.random() < merit), 1 - merit


def perfect(random: Random) -> tuple[float, float]:
    label = float(random.random() < 0.7)
    return label, label


def nearly(random: Random) -> tuple[float, float]:
    """Wrong on 3% of the rows, always upwards: 60 labels often show one such error, or none."""
    label = random.random() < 0.7
    return float(label), float(label or random.random() < 0.1)


def constant(random: Random) -> tuple[float, float]:
    return float(random.random() < 0.5), 1.0


def binary(positives: float, sensitivity: float, specificity: float) -> Draw:
    """A judge that finds this share of the positives, and this share of the negatives."""

    def draw(random: Random) -> tuple[float, float]:
        label = random.random() < positives
        return float(label), float(random.random() < (sensitivity if label else 1 - specificity))

    return draw


def quarters(positives: float, sensitivity: float, specificity: float) -> Draw:
    """Four such verdicts, labels and scores being their means."""
    one = binary(positives, sensitivity, specificity)

    def draw(random: Random) -> tuple[float, float]:
        four = [one(random) for _ in range(4)]
        return sum(label for label, _ in four) / 4, sum(score for _, score in four) / 4

    return draw


def coverage(
    draw: Draw, true: float, times: int = 400, *, labelled: int = 60, unlabelled: int = 180
) -> tuple[float, float]:
    """The share of intervals that hold the true mean, and its Monte Carlo error, three times the standard one."""
    random = Random(11)
    held = 0
    for _ in range(times):
        rows = [draw(random) for _ in range(labelled)]
        others = [draw(random)[1] for _ in range(unlabelled)]
        found = corrected_mean([label for label, _ in rows], [score for _, score in rows], others)
        assert found is not None
        low, high = found.estimate.interval or (2, 2)
        held += low <= true <= high
    return held / times, 3 * sqrt(0.95 * 0.05 / times)


@pytest.mark.parametrize(
    ("draw", "true"),
    [(biased, 0.6), (useless, 0.3), (graded, 0.5), (graded_useless, 0.5), (opposed, 0.5), (constant, 0.5)],
    ids=["biased", "useless", "graded", "graded useless", "opposed", "constant"],
)
def test_coverage(draw: Draw, true: float) -> None:
    share, error = coverage(draw, true)
    assert abs(share - 0.95) <= error


@pytest.mark.parametrize("draw", [perfect, nearly], ids=["perfect", "nearly"])
def test_a_judge_that_was_right_on_few_rows_is_not_taken_for_perfect(draw: Draw) -> None:
    share, error = coverage(draw, 0.7)
    assert share >= 0.95 - error


@pytest.mark.parametrize(
    ("kind", "positives", "judge", "labelled"),
    [
        (quarters, 0.02, (0.99, 0.99), 20),
        (quarters, 0.98, (0.6, 0.99), 20),
        (quarters, 0.98, (0.99, 0.6), 50),
        (binary, 0.02, (0.99, 0.6), 20),
        (binary, 0.9, (0.8, 0.9), 20),
        (binary, 0.98, (0.99, 0.99), 150),
    ],
    ids=["few-graded", "skewed", "students-interval-was-too-short", "rare", "common", "rare-and-good"],
)
def test_few_labels_and_rare_ones_cover_as_well(
    kind: Callable[..., Draw], positives: float, judge: tuple[float, float], labelled: int
) -> None:
    """Cells of `benchmarks/coverage.py`, where all of its grid is."""
    share, error = coverage(kind(positives, *judge), positives, labelled=labelled, unlabelled=100)
    assert share >= 0.95 - error


def drawn(draw: Draw, labelled: int, others: int) -> tuple[list[float], list[float], list[float]]:
    random = Random(2)
    rows = [draw(random) for _ in range(labelled)]
    return [one for one, _ in rows], [other for _, other in rows], [draw(random)[1] for _ in range(others)]


def test_a_biased_mean_is_corrected() -> None:
    found = corrected_mean(*drawn(biased, 200, 5_000))
    assert found is not None
    assert found.raw.value == pytest.approx(0.72, abs=0.02)
    assert found.raw.interval is not None
    assert found.raw.interval[0] > 0.6, "the raw interval misses the truth"
    assert found.estimate.value == pytest.approx(0.6, abs=0.05)
    assert found.worth > 1.3 * 200
    assert found.estimate.n == 5_200


def test_a_useless_judge_costs_next_to_nothing() -> None:
    found = corrected_mean(*drawn(useless, 200, 2_000))
    assert found is not None
    assert abs(found.weight) < 0.1
    assert found.estimate.value == pytest.approx(found.labelled.value, abs=0.01)
    assert found.worth == pytest.approx(200, rel=0.05)


def test_a_perfect_judge_makes_every_row_a_label() -> None:
    found = corrected_mean(*drawn(perfect, 100, 900))
    assert found is not None
    assert 0.8 < found.weight < 0.9
    assert 500 < found.worth <= 1_000


def test_the_tuned_weight_gives_the_shortest_interval() -> None:
    """PPI++'s variance, var(label - w * score) / n + w**2 var(score) / N, and that of one error more that was not seen,
    are together least at the weight that is chosen.
    """
    labels, judged, others = drawn(graded, 400, 2_000)
    found = corrected_mean(labels, judged, others)
    assert found is not None

    def spread(values: list[float]) -> float:
        mean = sum(values) / len(values)
        return sum((value - mean) ** 2 for value in values) / (len(values) - 1)

    def variance(weight: float) -> float:
        rest = [label - weight * score for label, score in zip(labels, judged, strict=True)]
        unseen = weight**2 / (len(rest) + 2)
        return (spread(rest) + unseen) / len(rest) + weight**2 * spread(judged) / len(others)

    assert all(variance(found.weight) <= variance(found.weight + step) for step in (-0.2, -0.05, 0.05, 0.2))


def test_without_other_rows_the_labels_stand_alone() -> None:
    found = corrected_mean([1, 0, 1, 1] * 5, [0.9, 0.2, 0.8, 0.7] * 5, [])
    assert found is not None
    assert (found.weight, found.worth) == (0, 20)
    assert found.estimate.value == found.labelled.value == 0.75
    assert found.estimate.interval == pytest.approx(clopper_pearson(0.75 * 19, 19))


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_labels_that_are_all_the_same_are_no_certainty(label: float) -> None:
    found = corrected_mean([label] * 20, [0.2, 0.8] * 10, [0.5] * 80)
    assert found is not None
    assert found.estimate.interval == pytest.approx(clopper_pearson(20 * label, 20))


def test_scores_that_hardly_vary_have_no_weight() -> None:
    found = corrected_mean([1, 0, 1, 0] * 5, [0.0, 1e-300, 0.0, 5e-324] * 5, [0.5, 1.0])
    assert found is not None
    assert found.weight == 0


def test_too_few_labels_correct_nothing() -> None:
    assert corrected_mean([1, 0] * 9, [1, 0] * 9, [1, 0, 1]) is None
    assert corrected_mean([1, 0] * 10, [1, 0] * 10, [1, 0, 1]) is not None


@pytest.mark.parametrize(
    ("labels", "judged", "others"),
    [([1, 0, 1], [1, 0], []), ([1, 0, 5], [1, 0, 1], []), ([1, 0, 1], [1, 0, float("nan")], []), ([], [], [-0.1])],
)
def test_what_cannot_be_is_refused(labels: list[float], judged: list[float], others: list[float]) -> None:
    with pytest.raises(ConfigurationError):
        corrected_mean(labels, judged, others)


UNIT = st.floats(0, 1)


@given(st.lists(st.tuples(UNIT, UNIT), min_size=20, max_size=24), st.lists(UNIT, max_size=12))
def test_the_estimate_lies_in_its_interval(rows: list[tuple[float, float]], others: list[float]) -> None:
    found = corrected_mean([one for one, _ in rows], [other for _, other in rows], others)
    assert found is not None
    assert found.estimate.value is not None
    low, high = found.estimate.interval or (2, 2)
    assert 0 <= low <= found.estimate.value + 1e-12
    assert found.estimate.value - 1e-12 <= high <= 1
