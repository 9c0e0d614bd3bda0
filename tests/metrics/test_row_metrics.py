"""The metrics of rows: every value with n, what is missing, and an interval."""

from __future__ import annotations

from math import comb, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.metrics import CompressionRatio, CostOfPass, Latency, MeanScore, PassRate, PerDatasetBreakdown
from ringtrue.records import EvalRow
from ringtrue.stats.intervals import quantile_interval, student_quantile
from ringtrue.stats.ratio_sums import RatioSums
from support.clusters import clustered_interval

FAILED = EvalRow("s", "failed", {}, absent={"score": "error"}, status="timeout", latency=9.0)


def rows(**columns: list[Any]) -> list[EvalRow]:
    names = list(columns)
    return [
        EvalRow("s", n, **dict(zip(names, row, strict=True)))
        for n, row in enumerate(zip(*columns.values(), strict=True))
    ]


def test_every_value_has_n_what_is_missing_and_an_interval() -> None:
    made = rows(
        scores=[{"score": 1.0}, {"score": 0.5}, {"score": 0.0}, {"score": 1.0}],
        input_tokens=[10, 20, 30, 40],
        output_tokens=[5, 5, 10, 20],
        latency=[0.1, 0.2, 0.3, 0.4],
        cost=[0.1, 0.1, 0.2, 0.2],
    )
    for metric in (MeanScore(), PassRate(), CompressionRatio(), CostOfPass(), Latency(), PerDatasetBreakdown("score")):
        for key, found in metric.summarise([*made, FAILED]).items():
            if key in ("num_passing", "latency_median", "latency_p95", "latency_p99"):  # a count, and too few
                assert found.interval is None
                continue
            assert (found.n, found.skipped, found.errors) == (4, 0, 1), key
            assert found.value is not None
            assert found.interval is not None, key
            low, high = found.interval
            assert low <= found.value <= high, key


def test_costs_and_ratios_are_sums_over_sums() -> None:
    made = rows(
        scores=[{"score": 1.0}, {"score": 0.0}, {"score": 1.0}],
        input_tokens=[10, 20, 70],
        output_tokens=[5, 15, 5],
        cost=[1.0, 2.0, 3.0],
    )
    compressed, spent = CompressionRatio().compute(made), CostOfPass().compute(made)
    assert compressed == {"compression_ratio": 0.75, "mean_input_tokens": 100 / 3, "mean_output_tokens": 25 / 3}
    assert spent == {"cost_of_pass": 12.5, "num_passing": 2.0, "usd_per_case": 2.0, "usd_per_pass": 3.0}
    assert CostOfPass(threshold=1.1).compute(made)["cost_of_pass"] is None
    assert CompressionRatio().compute([FAILED])["compression_ratio"] is None


@pytest.mark.parametrize("source", [[1, 2], {"a": 1}, float("nan"), "s", 7], ids=repr)
def test_any_source_is_one_cluster(source: Any) -> None:
    made = rows(scores=[{"score": 1.0}, {"score": 0.0}, {"score": 1.0}], metadata=[{"source_id": source}] * 3)
    found = MeanScore().summarise([*made, EvalRow("s", 9, {"score": 0.5})])["mean_score"]
    assert found.method == "clustered t"


def test_percentiles_of_repeats_have_no_interval() -> None:
    apart = [EvalRow("s", n, {}, latency=float(n)) for n in range(400)]
    repeated = [EvalRow("s", n // 2, {}, latency=float(n)) for n in range(400)]
    found, clustered = Latency().summarise(apart), Latency().summarise(repeated)
    assert all(summary.interval for summary in found.values())
    assert found["latency_p95"].method == "order statistics"
    assert clustered["latency_p95"].interval is None
    assert clustered["latency_mean"].method == "clustered t"


def ratio_interval(clusters: list[list[tuple[float, float]]]) -> tuple[float, float] | None:
    sums = RatioSums()
    sums.add((place, pair) for place, cluster in enumerate(clusters) for pair in cluster)
    return sums.interval()


@given(st.lists(st.lists(st.floats(-5, 5), min_size=1, max_size=4), min_size=2, max_size=12))
def test_a_mean_is_a_ratio_to_ones(clusters: list[list[float]]) -> None:
    pairs = [[(value, 1.0) for value in cluster] for cluster in clusters]
    assert ratio_interval(pairs) == pytest.approx(clustered_interval(clusters), abs=1e-9)


def test_the_interval_of_a_ratio_from_its_formula() -> None:
    pairs = [(1.0, 2.0), (3.0, 4.0), (2.0, 6.0)]
    reach = student_quantile(0.975, 2) * sqrt(3 / 2 * sum((y - 0.5 * x) ** 2 for y, x in pairs)) / 12
    assert ratio_interval([[pair] for pair in pairs]) == pytest.approx((0.5 - reach, 0.5 + reach))
    assert ratio_interval([pairs]) is None
    assert ratio_interval([[(1.0, 0.0)], [(2.0, 0.0)]]) is None


@given(st.integers(1, 120), st.sampled_from([0.1, 0.5, 0.95, 0.99]))
def test_the_interval_of_a_quantile_is_the_narrowest_sure_pair_of_ranks(n: int, share: float) -> None:
    chances = [comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]
    low = [rank for rank in range(1, n + 1) if sum(chances[:rank]) <= 0.025]
    high = [rank for rank in range(1, n + 1) if sum(chances[rank:]) <= 0.025]
    expected = (float(low[-1]), float(high[0])) if low and high else None
    assert quantile_interval([float(rank) for rank in range(1, n + 1)], share) == expected
