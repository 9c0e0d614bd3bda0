"""The interval of the corrected mean holds 95% of the time, no less and hardly more; a good judge makes it shorter."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from random import Random
from statistics import linear_regression

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.stats.corrected import corrected_mean
from ringtrue.stats.intervals import student_reach, wilson

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


def misses(
    draw: Draw, true: float, times: int = 400, *, labelled: int = 60, unlabelled: int = 180
) -> tuple[float, float]:
    """The shares of intervals that the true mean lies below, and above."""
    random = Random(11)
    below = above = 0
    for _ in range(times):
        rows = [draw(random) for _ in range(labelled)]
        others = [draw(random)[1] for _ in range(unlabelled)]
        found = corrected_mean([label for label, _ in rows], [score for _, score in rows], others)
        assert found is not None
        low, high = found.estimate.interval or (2, 2)
        below, above = below + (true < low), above + (true > high)
    return below / times, above / times


def error(times: int) -> float:
    """The Monte Carlo error of a coverage: three times the standard one."""
    return 3 * sqrt(0.95 * 0.05 / times)


SETTINGS: dict[str, tuple[Draw, float]] = {
    "biased": (biased, 0.6),
    "useless": (useless, 0.3),
    "graded": (graded, 0.5),
    "graded useless": (graded_useless, 0.5),
    "opposed": (opposed, 0.5),
    "constant": (constant, 0.5),
    "binary": (binary(0.35, 0.85, 0.85), 0.35),
    "quarters": (quarters(0.7, 0.8, 0.8), 0.7),
}


@pytest.fixture(scope="module")
def missed() -> dict[str, tuple[float, float]]:
    return {name: misses(*setting) for name, setting in SETTINGS.items()}


@pytest.mark.parametrize("name", list(SETTINGS))
def test_coverage(missed: dict[str, tuple[float, float]], name: str) -> None:
    assert abs(0.05 - sum(missed[name])) <= error(400)


def test_all_of_them_together_cover_95_percent_within_a_hundredth(missed: dict[str, tuple[float, float]]) -> None:
    """An exact interval is too long for this, and PPI++ with normal quantiles is too short."""
    below, above = (sum(one[side] for one in missed.values()) / len(missed) for side in (0, 1))
    assert abs(0.05 - below - above) <= 0.01
    assert abs(below - above) <= 0.01


def test_the_mean_of_just_these_rows_is_held_more_often() -> None:
    """It is known but for the rows without a label, and what is known of it is in the estimate already."""
    random, draw = Random(4), binary(0.35, 0.85, 0.85)
    held = {"source": 0, "rows": 0}
    for _ in range(400):
        rows = [draw(random) for _ in range(250)]
        found = corrected_mean(
            [label for label, _ in rows[:100]], [score for _, score in rows[:100]], [score for _, score in rows[100:]]
        )
        assert found is not None
        low, high = found.estimate.interval or (2, 2)
        held["source"] += low <= 0.35 <= high
        held["rows"] += low <= sum(label for label, _ in rows) / 250 <= high
    assert abs(0.95 - held["source"] / 400) <= error(400)
    assert held["rows"] / 400 >= 0.97


@pytest.mark.parametrize("draw", [perfect, nearly], ids=["perfect", "nearly"])
def test_a_judge_that_was_right_on_few_rows_is_not_taken_for_perfect(draw: Draw) -> None:
    assert 1 - sum(misses(draw, 0.7)) >= 0.95 - error(400)


@pytest.mark.parametrize(
    ("kind", "positives", "judge", "labelled"),
    [
        (quarters, 0.02, (0.99, 0.99), 20),
        (quarters, 0.98, (0.6, 0.99), 20),
        (quarters, 0.98, (0.99, 0.6), 50),
        (binary, 0.02, (0.99, 0.6), 20),
        (binary, 0.9, (0.8, 0.9), 20),
        (binary, 0.98, (0.99, 0.99), 150),
        (binary, 0.1, (1.0, 0.95), 50),
        (binary, 0.5, (1.0, 0.9), 50),
    ],
    ids=[
        "few-graded",
        "skewed",
        "students-interval-was-too-short",
        "rare",
        "common",
        "rare-and-good",
        "rare-errors-one-way",
        "few-errors-one-way",
    ],
)
def test_few_labels_and_rare_ones_cover_as_well(
    kind: Callable[..., Draw], positives: float, judge: tuple[float, float], labelled: int
) -> None:
    """Cells of `benchmarks/coverage.py`, where all of its grid is."""
    missed = misses(kind(positives, *judge), positives, labelled=labelled, unlabelled=100)
    assert 1 - sum(missed) >= 0.95 - error(400)


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


@pytest.mark.parametrize(("labelled", "least"), [(20, 0.7), (400, 0.98)])
def test_the_weight_is_that_of_ppi_plus_plus_but_for_one_error_more(labelled: int, least: float) -> None:
    labels, judged, others = drawn(graded, labelled, 2_000)
    found = corrected_mean(labels, judged, others)
    assert found is not None
    slope = linear_regression(judged, labels).slope / (1 + labelled / 2_000)
    assert least < found.weight / slope < 1


@pytest.mark.parametrize("draw", [biased, useless, graded, opposed, perfect, nearly, constant])
def test_more_labels_make_it_shorter(draw: Draw) -> None:
    lengths = []
    for labelled in (25, 100, 400):
        found = corrected_mean(*drawn(draw, labelled, 1_000))
        assert found is not None
        low, high = found.estimate.interval or (2, 2)
        lengths.append(high - low)
    assert lengths[0] > 1.4 * lengths[1] > 1.96 * lengths[2]


def test_without_other_rows_the_labels_are_alone() -> None:
    found = corrected_mean([1, 0, 1, 1] * 5, [0.9, 0.2, 0.8, 0.7] * 5, [])
    assert found is not None
    assert (found.weight, found.worth) == (0, 20)
    assert found.estimate.value == found.labelled.value == 0.75
    assert found.estimate.interval == pytest.approx(wilson(15, 20), abs=0.02)


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_labels_that_are_all_the_same_are_no_certainty(label: float) -> None:
    """Wilson's interval, with Student's quantile."""
    found = corrected_mean([label] * 20, [0.2, 0.8] * 10, [0.5] * 80)
    assert found is not None
    reach = student_reach(19) ** 2 / (20 + student_reach(19) ** 2)
    assert found.estimate.interval == pytest.approx((0, reach) if label == 0 else (1 - reach, 1))


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
STEP = st.integers(0, 8).map(lambda eighths: eighths / 8)


def intervals(
    rows: list[tuple[float, float]], others: list[float], *levels: float
) -> tuple[float, list[tuple[float, float]]]:
    """The estimate, and its interval at each level."""
    found = [corrected_mean([one for one, _ in rows], [other for _, other in rows], others, level) for level in levels]
    summaries = [one.estimate for one in found if one]
    assert summaries[0].value is not None
    return summaries[0].value, [one.interval or (2, 2) for one in summaries]


@given(st.lists(st.tuples(UNIT, UNIT), min_size=20, max_size=24), st.lists(UNIT, max_size=12))
def test_the_estimate_lies_in_its_interval_and_that_in_a_surer_one(
    rows: list[tuple[float, float]], others: list[float]
) -> None:
    value, (usual, surer) = intervals(rows, others, 0.95, 0.99)
    assert 0 <= surer[0] <= usual[0] <= value <= usual[1] <= surer[1] <= 1


@given(st.lists(st.tuples(STEP, STEP), min_size=20, max_size=24), st.lists(STEP, max_size=12))
def test_what_is_good_may_be_called_bad(rows: list[tuple[float, float]], others: list[float]) -> None:
    """Labels and scores turned upside down turn the interval upside down."""
    value, ((low, high),) = intervals(rows, others, 0.95)
    turned = intervals([(1 - label, 1 - score) for label, score in rows], [1 - score for score in others], 0.95)
    assert turned[0] == pytest.approx(1 - value)
    assert turned[1][0] == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(st.lists(st.tuples(STEP, STEP), min_size=20, max_size=24), st.lists(STEP, max_size=12))
def test_the_scale_of_the_scores_is_nothing(rows: list[tuple[float, float]], others: list[float]) -> None:
    value, (usual,) = intervals(rows, others, 0.95)
    scaled = intervals([(label, 0.9 - score / 2) for label, score in rows], [0.9 - one / 2 for one in others], 0.95)
    assert scaled[0] == pytest.approx(value)
    assert scaled[1][0] == pytest.approx(usual, abs=1e-9)
