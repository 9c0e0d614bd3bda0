"""How often the interval of a judge-corrected mean holds the true mean, over a grid that was fixed before it was run.

    python benchmarks/coverage.py [--draws 2000] [--all]

A cell is a share of positives, a judge, and how many rows are labelled and how many are not. Its rows have labels and
scores of one kind: `binary` (both 0 or 1), `scored` (labels 0 or 1, five scores), `graded` (both in quarters). A cell
is drawn `--draws` times; one that comes out two standard errors or more below 95% is drawn anew, ten times as often,
and the second count is told. Ten labels are fewer than the public function takes; they show why. Needs numpy. The exit
code is 1 where a cell with more is below 95% by three standard errors.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import product
from math import comb, sqrt
from typing import NamedTuple

import numpy as np

from ringtrue.metrics.corrected import LEAST_LABELS, Moments, corrected_mean, estimated
from ringtrue.metrics.stats import incomplete_beta, wilson

KINDS = ("binary", "scored", "graded")
POSITIVES = (0.02, 0.08, 0.2, 0.4, 0.5, 0.75, 0.9, 0.98)
JUDGES = ((0.6, 0.6), (0.6, 0.99), (0.99, 0.6), (0.8, 0.9), (0.99, 0.99))
LABELLED = (10, 20, 50, 150, 500)
OTHERS = (100, 1_000, 10_000)
LEVEL = 0.95
YES = {0.5: 0.2, 0.7: 0.3, 0.9: 0.5}
"""How often a `scored` judge that means yes gives which score; one that means no mirrors it."""
COMPARED = 2
"""So many draws of each cell go through the public function as well."""


class Cell(NamedTuple):
    """One setting: the judge says yes to this share of positives, and no to this share of negatives."""

    kind: str
    positives: float
    sensitivity: float
    specificity: float
    labelled: int
    others: int


class Result(NamedTuple):
    """How many of a cell's intervals held the true mean."""

    cell: Cell
    held: int
    draws: int

    @property
    def coverage(self) -> float:
        return self.held / self.draws

    def below(self, errors: float) -> bool:
        """Whether it is below the level by so many standard errors."""
        return self.coverage < LEVEL - errors * sqrt(LEVEL * (1 - LEVEL) / self.draws)


GRID = [
    Cell(kind, p, *judge, n, more) for kind, p, judge, n, more in product(KINDS, POSITIVES, JUDGES, LABELLED, OTHERS)
]


def rows(cell: Cell) -> Iterator[tuple[float, float, float]]:
    """Every label and score that a row may have, and how probable it is."""
    p, right, wrong = cell.positives, cell.sensitivity, 1 - cell.specificity
    if cell.kind == "graded":
        for label, score in product(range(5), repeat=2):
            chance = sum(
                _binomial(label, hits, right) * _binomial(4 - label, score - hits, wrong) for hits in range(score + 1)
            )
            yield label / 4, score / 4, _binomial(4, label, p) * chance
        return
    for label, share, yes in ((1.0, p, right), (0.0, 1 - p, wrong)):
        scores = (0.0, 1.0) if cell.kind == "binary" else (0.1, 0.3, 0.5, 0.7, 0.9)
        told = {1.0: 1.0} if cell.kind == "binary" else YES
        for score in scores:
            mirrored = round(1 - score, 1)
            yield label, score, share * (yes * told.get(score, 0.0) + (1 - yes) * told.get(mirrored, 0.0))


def _binomial(n: int, k: int, p: float) -> float:
    return comb(n, k) * p**k * (1 - p) ** (n - k) if 0 <= k <= n else 0.0


def simulated(cell: Cell, draws: int, seed: Sequence[int]) -> Result:
    """Draw a cell's rows so many times and count the intervals that hold."""
    random = np.random.default_rng(list(seed))
    labels, scores, chances = (np.array(column) for column in zip(*rows(cell), strict=True))
    shown, place = np.unique(scores, return_inverse=True)
    labelled = random.multinomial(cell.labelled, chances / chances.sum(), size=draws)
    marginal = np.bincount(place, weights=chances)
    others = random.multinomial(cell.others, marginal / marginal.sum(), size=draws)
    held = 0
    for at, (here, there) in enumerate(zip(labelled, others, strict=True)):
        known = moments(here, labels, scores, there, shown)
        holds = held_by(known, cell.positives)
        held += holds
        if at < COMPARED and cell.labelled >= LEAST_LABELS:
            _compare(holds, cell, np.repeat(labels, here), np.repeat(scores, here), np.repeat(shown, there))
    return Result(cell, held, draws)


def moments(here: np.ndarray, labels: np.ndarray, scores: np.ndarray, there: np.ndarray, shown: np.ndarray) -> Moments:
    """The moments of counted rows."""
    n, more = int(here.sum()), int(there.sum())
    means = [float(here @ labels) / n, float(here @ scores) / n, float(there @ shown) / more]
    label, score, other = labels - means[0], scores - means[1], shown - means[2]
    spreads = [float(here @ label**2), float(here @ score**2), float(there @ other**2)]
    return Moments(
        n,
        more,
        *means,
        spreads[0] / (n - 1),
        spreads[1] / (n - 1),
        spreads[2] / (more - 1),
        float(here @ (label * score)) / (n - 1),
    )


def held_by(known: Moments, true: float) -> bool:
    """Whether the interval holds a mean: asked of the distribution at that mean, which needs no search for the ends."""
    found = estimated(known)
    tail = (1 - LEVEL) / 2
    yes = found.value * found.effective
    no = found.effective - yes
    low = not yes or incomplete_beta(yes, no + 1, true) >= tail
    high = not no or incomplete_beta(yes + 1, no, true) <= 1 - tail
    return low and high


def _compare(holds: bool, cell: Cell, labels: np.ndarray, scores: np.ndarray, others: np.ndarray) -> None:
    found = corrected_mean(labels.tolist(), scores.tolist(), others.tolist(), LEVEL)
    assert found is not None
    assert found.estimate.interval is not None
    low, high = found.estimate.interval
    near = min(abs(low - cell.positives), abs(high - cell.positives)) < 1e-9
    assert near or holds == (low <= cell.positives <= high), cell


def counted(draws: int) -> list[Result]:
    """Every cell of the grid."""
    results = []
    for at, cell in enumerate(GRID):
        found = simulated(cell, draws, (2_026, at))
        results.append(simulated(cell, 10 * draws, (2_027, at)) if found.below(2) else found)
    return results


def main() -> int:
    """Print coverage by kind and number of labels, then the lowest cells, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2_000)
    parser.add_argument("--all", action="store_true", help="print every cell")
    options = parser.parse_args()
    results = counted(options.draws)
    print("| kind | labels | cells | mean | lowest | below 95% by 3 standard errors |")
    print("|---|---|---|---|---|---|")
    for kind, n in product(KINDS, LABELLED):
        some = [one for one in results if (one.cell.kind, one.cell.labelled) == (kind, n)]
        mean, low = sum(one.coverage for one in some) / len(some), min(one.coverage for one in some)
        print(f"| {kind} | {n} | {len(some)} | {mean:.3f} | {low:.3f} | {sum(one.below(3) for one in some)} |")
    print("\n| kind | positives | judge | labels | others | coverage | Monte Carlo |\n|---|---|---|---|---|---|---|")
    ordered = sorted(results, key=lambda one: one.coverage)
    for cell, held, draws in results if options.all else ordered[:20]:
        low, high = wilson(held, draws)
        judge = f"{cell.sensitivity:g}/{cell.specificity:g}"
        print(
            f"| {cell.kind} | {cell.positives:g} | {judge} | {cell.labelled} | {cell.others} | {held / draws:.4f} | "
            f"[{low:.4f}, {high:.4f}] |"
        )
    return int(any(one.below(3) for one in results if one.cell.labelled >= LEAST_LABELS))


if __name__ == "__main__":
    raise SystemExit(main())
