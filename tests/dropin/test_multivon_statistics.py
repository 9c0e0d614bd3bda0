"""multivon-eval's statistics: its names and rounding, ringtrue's numbers; `passk` says what it cannot know."""

from __future__ import annotations

from typing import Any

import pytest
from multivon_eval import (
    bayesian_interval,
    benjamini_hochberg,
    bootstrap_interval,
    cohens_h,
    mcnemar_test,
    min_detectable_effect,
    pass_at_k,
    pass_hat_k,
    runs_needed,
    wilson_interval,
)
from multivon_eval.experiments import _two_proportion_z_test
from multivon_eval.passk import ESTIMATOR_NAMES, METRIC_PASS_AT_K, METRIC_PASS_HAT_K, suite_pass_k


@pytest.mark.parametrize(
    ("function", "arguments", "wanted"),
    # multivon-eval 0.20.0, the same functions
    [
        (wilson_interval, (8, 10), (0.49016247153664183, 0.9433178485456247)),
        (wilson_interval, (0, 0), (0.0, 1.0)),
        (bootstrap_interval, ([],), (0.0, 1.0)),
        (bootstrap_interval, ([0.5],), (0.5, 0.5)),
        (bootstrap_interval, ([0.1, 0.4, 0.9, 0.3],), (0.175, 0.75)),
        (bayesian_interval, (0, 0), (0.0, 1.0)),
        (runs_needed, (0.05,), 1248),
        (runs_needed, (0.1,), 291),
        (runs_needed, (-0.1,), 354),
        (runs_needed, (0.1, 0.05, 0.9), 389),
        (runs_needed, (0.1, 0.01), 433),
        (runs_needed, (0.4,), 11),
        (min_detectable_effect, (50,), 0.2568),
        (min_detectable_effect, (100,), 0.1816),
        (min_detectable_effect, (0,), 1.0),
        (cohens_h, (0.5, 0.7), 0.4115),
        (cohens_h, (0.7, 0.5), -0.4115),
        (cohens_h, (0, 1), 3.1416),
        (benjamini_hochberg, ([0.01, 0.04, 0.03, 0.005],), [0.02, 0.04, 0.04, 0.02]),
        (benjamini_hochberg, ([],), []),
        (mcnemar_test, ([True] * 5, [False] * 5), 0.0625),
        (mcnemar_test, ([True, False, True], [False, True, True]), 1.0),
        (mcnemar_test, ([], []), 1.0),
        (_two_proportion_z_test, (0.5, 10, 0.7, 10), 0.361310428526179),
        (_two_proportion_z_test, (0.0, 5, 1.0, 5), 0.0015654022580025018),
        (_two_proportion_z_test, (0.5, 0, 0.5, 10), 1.0),
        (pass_at_k, (10, 5, 3), 0.9166666666666666),
        (pass_hat_k, (10, 5, 3), 0.08333333333333333),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_numbers_of_the_original(function: Any, arguments: tuple[Any, ...], wanted: Any) -> None:
    assert function(*arguments) == pytest.approx(wanted, abs=1e-12)


def test_the_credible_interval_is_exact() -> None:
    """The original draws it at random for few cases, and takes a normal curve for many."""
    assert bayesian_interval(8, 10) == bayesian_interval(8, 10, seed=1) == (0.4822, 0.9398)
    assert bayesian_interval(200, 200) == (0.9818, 0.9999)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [((0, 0, 1), "n must"), ((5, 6, 1), "c must"), ((5, 2, 0), "k must"), ((3, 1, 5), "k=5 exceeds the 3")],
    ids=["no-runs", "more-passes-than-runs", "no-k", "k-beyond-the-runs"],
)
def test_pass_k_never_guesses(arguments: tuple[int, int, int], words: str) -> None:
    for function in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match=words):
            function(*arguments)


def test_pass_k_of_a_suite() -> None:
    found = suite_pass_k([(5, 5), (5, 3), (5, 0)], 3, metric=METRIC_PASS_HAT_K)
    assert (found.value, found.n_cases, found.runs) == (pytest.approx(0.36666666666666664), 3, 5)
    assert (found.ci_low, found.ci_high) == (0.0, 1.0)
    assert found.estimator == ESTIMATOR_NAMES[METRIC_PASS_HAT_K] == "hypergeometric-exact"
    alike = suite_pass_k([(3, 3), (3, 3)], 2, metric=METRIC_PASS_AT_K)
    assert (alike.ci_low, alike.ci_high) == (pytest.approx(0.3423802275066532), 1.0)
    nothing = suite_pass_k([], 1, metric=METRIC_PASS_AT_K)
    assert (nothing.value, nothing.ci_low) == (None, None)
    with pytest.raises(ValueError, match="metric must be one of"):
        suite_pass_k([(1, 1)], 1, metric="pass")


def test_pairs_without_a_verdict_are_not_compared() -> None:
    with pytest.raises(ValueError, match="binary outcomes"):
        mcnemar_test([True, None], [False, True])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("given", "words"),
    [({"confidence": 0.0}, "confidence"), ({"confidence": 1.5}, "confidence"), ({"n_boot": 0}, "n_boot")],
    ids=str,
)
def test_an_interval_of_nothing_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        suite_pass_k([(5, 3), (5, 4)], 2, metric="pass@k", **given)
