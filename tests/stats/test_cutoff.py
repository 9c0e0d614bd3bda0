"""The recommended threshold is the best one, and what is said of it is not flattered."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.stats.confusion import Confusion, kappa
from ringtrue.stats.cutoff import recommended_cutoff

PAIRS = st.lists(st.tuples(st.sampled_from([0.0, 0.2, 0.25, 0.5, 0.75, 1 / 3, 1.0]), st.booleans()), max_size=30)


def worth(criterion: str, counts: Confusion) -> float:
    hits, wrong, missed, rest = counts.cells
    return {
        "youden": hits / (hits + missed) - wrong / (wrong + rest),
        "f1": 2 * hits / (2 * hits + wrong + missed),
        "kappa": kappa(*counts.cells) or 0.0,
        "agreement": (hits + rest) / counts.n,
    }[criterion]


@given(PAIRS, st.sampled_from(["youden", "f1", "kappa", "agreement"]))
def test_no_other_threshold_is_better(pairs: list[tuple[float, bool]], criterion: str) -> None:
    values, labels = [value for value, _ in pairs], [label for _, label in pairs]
    found = recommended_cutoff(values, labels, criterion)  # type: ignore[arg-type]
    if found is None:
        assert min(sum(labels), len(labels) - sum(labels)) < 2
        return
    assert found.chosen_on == Confusion.of([value >= found.threshold for value in values], labels)
    assert found.held_out.n == len(labels)
    best = max(worth(criterion, Confusion.of([value >= cut for value in values], labels)) for cut in values)
    assert worth(criterion, found.chosen_on) == pytest.approx(best)


def test_it_separates_what_can_be_separated() -> None:
    found = recommended_cutoff([0.1, 0.2, 0.3, 0.7171, 0.8, 0.9], [False] * 3 + [True] * 3, near=0.2)
    assert found is not None
    assert found.threshold == 0.7  # the shortest number between 0.3 and 0.7171
    assert found.chosen_on == Confusion(3, 0, 0, 3)
    assert found.folds == 3


def test_of_equals_the_nearest_wins() -> None:
    values, labels = [0.1, 0.3, 0.6, 0.8], [False, True, False, True]
    assert [getattr(recommended_cutoff(values, labels, near=near), "threshold", None) for near in (0.2, 0.9)] == [
        0.2,
        0.8,
    ]


def test_held_out_numbers_are_not_flattered() -> None:
    """With labels by the toss of a coin the chosen threshold looks good on its own rows, and is worth nothing."""
    seen, held_out = [], []
    for seed in range(40):
        random = Random(seed)
        values = [random.random() for _ in range(60)]
        labels = [random.random() < 0.5 for _ in range(60)]
        found = recommended_cutoff(values, labels, seed=seed)
        assert found is not None
        seen.append(worth("youden", found.chosen_on))
        held_out.append(worth("youden", found.held_out))
    assert fmean(seen) > 0.12
    assert abs(fmean(held_out)) < 0.08


def test_the_same_seed_has_the_same_folds() -> None:
    random = Random(1)
    values, labels = [random.random() for _ in range(50)], [random.random() < 0.4 for _ in range(50)]
    assert recommended_cutoff(values, labels, seed=5) == recommended_cutoff(values, labels, seed=5)
    assert len({str(recommended_cutoff(values, labels, seed=seed)) for seed in range(6)}) > 1


@pytest.mark.parametrize("labels", [[], [True], [True, False, False], [True, True, True]])
def test_too_few_labels_recommend_nothing(labels: list[bool]) -> None:
    assert recommended_cutoff([0.5] * len(labels), labels) is None


def test_an_unknown_criterion_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="criterion"):
        recommended_cutoff([0.5], [True], "accuracy")  # type: ignore[arg-type]


@given(PAIRS, st.integers(2, 5))
def test_a_row_that_is_there_thrice_is_one_source(pairs: list[tuple[float, bool]], times: int) -> None:
    """What is repeated is never in two folds, so nothing is learned of it before it is judged."""
    values, labels = [value for value, _ in pairs], [label for _, label in pairs]
    once, often = (recommended_cutoff(values * n, labels * n, sources=list(range(len(pairs))) * n) for n in (1, times))
    if once is None:
        assert often is None
        return
    assert often is not None
    assert (often.threshold, often.folds) == (once.threshold, once.folds)
    assert often.held_out.cells == tuple(times * cell for cell in once.held_out.cells)


@given(PAIRS, st.randoms(use_true_random=False))
def test_any_sources_will_do(pairs: list[tuple[float, bool]], random: Random) -> None:
    sources = [random.randrange(4) for _ in pairs]
    found = recommended_cutoff([value for value, _ in pairs], [label for _, label in pairs], sources=sources)
    assert found is None or (found.held_out.n == len(pairs) and 2 <= found.folds <= 4)
