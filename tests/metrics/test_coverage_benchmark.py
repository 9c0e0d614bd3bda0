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
    for cell in benchmark.GRID:
        rows = list(benchmark.rows(cell))
        assert fsum(chance for _, _, chance in rows) == pytest.approx(1)
        assert fsum(label * chance for label, _, chance in rows) == pytest.approx(cell.positives)
        told = fsum(score * chance for label, score, chance in rows if label == 1)
        right = {"binary": cell.sensitivity, "scored": 0.24 + 0.52 * cell.sensitivity, "graded": cell.sensitivity}
        share = fsum(chance for label, _, chance in rows if label == 1)
        assert told / share == pytest.approx(right[cell.kind])


@pytest.mark.parametrize("kind", ["binary", "scored", "graded"])
def test_what_it_counts_is_what_the_public_function_says(benchmark: ModuleType, kind: str) -> None:
    """The first draws of a cell go through both, and are compared there."""
    cell = next(one for one in benchmark.GRID if (one.kind, one.labelled, one.positives) == (kind, 50, 0.2))
    result = benchmark.simulated(cell, 60, (7, 7))
    assert (result.cell, result.draws) == (cell, 60)
    assert 50 <= result.held <= 60
