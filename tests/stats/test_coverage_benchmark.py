"""The settings that `benchmarks/coverage.py` draws are what it says they are."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from math import fsum
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("numpy")
NAME = "coverage_benchmark"


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = spec_from_file_location(NAME, Path(__file__).parents[2] / "benchmarks" / "coverage.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[NAME] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_setting_has_the_share_of_positives_and_the_judge_that_it_names(benchmark: ModuleType) -> None:
    for cell in [one for grid in benchmark.GRIDS.values() for one in grid if one.kind in (*benchmark.TABLES, "gross")]:
        rows = list(benchmark.table(cell))
        assert fsum(chance for _, _, chance in rows) == pytest.approx(1)
        assert fsum(label * chance for label, _, chance in rows) == pytest.approx(cell.positives)
        right_sum = fsum(score * chance for label, score, chance in rows if label == 1)
        right = dict.fromkeys(("binary", "graded", "gross"), cell.sensitivity)
        right["scored"] = 0.24 + 0.52 * cell.sensitivity
        share = fsum(chance for label, _, chance in rows if label == 1)
        assert right_sum / share == pytest.approx(right[cell.kind])


@pytest.mark.parametrize(("kind", "mean"), [("probable", 0.44), ("continuous", 0.28)])
def test_so_have_those_without_a_table(benchmark: ModuleType, kind: str, mean: float) -> None:
    from numpy.random import default_rng

    batch = benchmark.drawn(benchmark.Cell(kind, 0.2, 0.8, 0.8, 50, 1_000), 2_000, 50, default_rng(3))
    assert batch.mean(batch.labels).mean() == pytest.approx(0.2, abs=0.01)
    assert batch.mean(batch.scores).mean() == pytest.approx(mean, abs=0.02)
    assert batch.covariance(batch.labels, batch.scores).min() > 0


@pytest.mark.parametrize("kind", ["binary", "scored", "graded", "probable", "continuous"])
def test_what_it_counts_is_what_the_public_function_says(benchmark: ModuleType, kind: str) -> None:
    """The first draws of a cell go through both, and are compared there."""
    typical = benchmark.GRIDS["typical"]
    cell = next(one for one in typical if (one.kind, one.labelled, one.positives) == (kind, 50, 0.2))
    result = benchmark.simulated(cell, 60, (7, 7))
    assert (result.cell, result.draws) == (cell, 60)
    assert result.below + result.above <= 10
    assert result.own >= 50
    assert 1 < result.length / result.plain < 1.2
