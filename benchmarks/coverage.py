"""How often the interval of a judge-corrected mean holds the true mean, over four grids of settings.

    python benchmarks/coverage.py [--draws 2000] [--grid typical|corners|rare|gross] [--all]

A cell is a share of positives, a judge, and how many rows are labelled and how many are not. Its rows have labels and
scores of one kind: `binary` (both 0 or 1), `scored` (labels 0 or 1, five scores), `graded` (both in quarters),
`probable` (labels 0 or 1, any score), `continuous` (any label and any score). `typical` are settings as they are met;
`corners` has few labels, hardly any positives or negatives, bad judges and nearly perfect ones; in `rare` all errors of
the judge go one way, and a few are expected among the labelled rows; in `gross` such errors are far larger than labels
differ: these are in quarters, and the judge gives the same number or, rarely, 1.

Each cell is drawn `--draws` times. Shown are the shares of cells that came to 95% within two and three standard errors,
and above and below by three; how often the true mean lay below and above the interval; how often the interval held the
mean label of just these rows; and its length against that of PPI++ with normal quantiles. A cell that comes out below
by two standard errors is drawn again, ten times as often, and the second count is beside the first. Ten labels are
fewer than the public function takes. Needs numpy, and minutes. The exit code is 1 where a cell with more labels is
below 93% twice, `gross` aside, for which the interval is not made.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import comb, sqrt
from statistics import NormalDist, fmean
from typing import NamedTuple

import numpy as np

from ringtrue.stats.corrected import LEAST_LABELS, corrected_mean, estimate_mean

LEVEL, FLOOR = 0.95, 0.93
YES = {0.5: 0.2, 0.7: 0.3, 0.9: 0.5}
"""How often a `scored` judge that means yes gives which score; one that means no mirrors it."""
AGAIN = 10
COMPARED = 2
"""How many draws of each cell go through the public function as well."""


class Cell(NamedTuple):
    """One setting: the judge says yes to this share of positives, and no to this share of negatives."""

    kind: str
    positives: float
    sensitivity: float
    specificity: float
    labelled: int
    others: int


TABLES = ("binary", "scored", "graded")
GRIDS = {
    "typical": [
        *(
            Cell(kind, p, right, right, n, more)
            for kind, p, right, n, more in product(
                TABLES, (0.2, 0.35, 0.5, 0.65, 0.8), (0.7, 0.8, 0.9, 0.95), (50, 100, 200, 500), (1_000, 5_000)
            )
        ),
        *(
            Cell(kind, p, right, right, n, 1_000)
            for kind, p, right, n in product(
                ("probable", "continuous"), (0.2, 0.5, 0.8), (0.7, 0.8, 0.9), (50, 100, 200, 500)
            )
        ),
    ],
    "corners": [
        Cell(kind, p, *judge, n, more)
        for kind, p, judge, n, more in product(
            TABLES,
            (0.02, 0.08, 0.2, 0.4, 0.5, 0.75, 0.9, 0.98),
            ((0.6, 0.6), (0.6, 0.99), (0.99, 0.6), (0.8, 0.9), (0.99, 0.99)),
            (10, 20, 50, 150, 500),
            (100, 1_000, 10_000),
        )
    ],
    "rare": [
        Cell(kind, p, 1.0, 1 - errors / n / (1 - p), n, more)
        for kind, p, errors, n, more in product(
            TABLES, (0.1, 0.3, 0.6, 0.9), (0.5, 1, 2, 3, 5), (20, 50, 150, 500), (200, 5_000)
        )
        if errors / n < 1 - p
    ],
    "gross": [
        Cell("gross", p, 1.0, 1 - errors / n, n, more)
        for p, errors, n, more in product((0.1, 0.2, 0.5), (1, 2, 3, 5), (20, 50, 150, 500), (200, 5_000))
    ],
}


class Result(NamedTuple):
    """How many of a cell's intervals missed the true mean, and on which side; their mean length, and that of PPI++."""

    cell: Cell
    draws: int
    below: int
    above: int
    own: int
    length: float
    plain: float

    @property
    def coverage(self) -> float:
        return 1 - (self.below + self.above) / self.draws

    @property
    def errors(self) -> float:
        """By how many standard errors it is off the level."""
        return (self.coverage - LEVEL) / sqrt(LEVEL * (1 - LEVEL) / self.draws)


class Batch(NamedTuple):
    """Draws of a cell, one a line: how often, with which label, with which score; labelled rows or others."""

    counts: np.ndarray
    labels: np.ndarray
    scores: np.ndarray

    def mean(self, values: np.ndarray) -> np.ndarray:
        """Of each draw."""
        return (self.counts * values).sum(1) / self.counts.sum(1)

    def covariance(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Of each draw."""
        here, there = (values - self.mean(values)[:, None] for values in (first, second))
        return self.mean(here * there) * self.counts.sum(1) / (self.counts.sum(1) - 1)


def table(cell: Cell) -> Iterator[tuple[float, float, float]]:
    """Every label and score that a row may have, and how probable it is."""
    p, right, wrong = cell.positives, cell.sensitivity, 1 - cell.specificity
    if cell.kind == "gross":
        for label in range(5):
            yield label / 4, label / 4, _binomial(4, label, p) * (1 - wrong)
            yield label / 4, 1.0, _binomial(4, label, p) * wrong
        return
    if cell.kind == "graded":
        for label, score in product(range(5), repeat=2):
            chance = sum(
                _binomial(label, hits, right) * _binomial(4 - label, score - hits, wrong) for hits in range(score + 1)
            )
            yield label / 4, score / 4, _binomial(4, label, p) * chance
        return
    for label, share, yes in ((1.0, p, right), (0.0, 1 - p, wrong)):
        scores = (0.0, 1.0) if cell.kind == "binary" else (0.1, 0.3, 0.5, 0.7, 0.9)
        weights = {1.0: 1.0} if cell.kind == "binary" else YES
        for score in scores:
            mirrored = round(1 - score, 1)
            yield label, score, share * (yes * weights.get(score, 0.0) + (1 - yes) * weights.get(mirrored, 0.0))


def _binomial(n: int, k: int, p: float) -> float:
    return comb(n, k) * p**k * (1 - p) ** (n - k) if 0 <= k <= n else 0.0


def drawn(cell: Cell, n: int, draws: int, random: np.random.Generator) -> Batch:
    """`n` rows of a cell, `draws` times."""
    shape = (draws, n)
    if cell.kind in (*TABLES, "gross"):
        labels, scores, chances = (np.array(column) for column in zip(*table(cell), strict=True))
        counts = random.multinomial(n, chances / chances.sum(), size=draws)
        return Batch(counts, np.broadcast_to(labels, counts.shape), np.broadcast_to(scores, counts.shape))
    if cell.kind == "probable":
        labels = (random.random(shape) < cell.positives).astype(float)
        agrees = random.random(shape) < np.where(labels == 1, cell.sensitivity, cell.specificity)
        sure = random.beta(3, 1.5, shape)
        return Batch(np.ones(shape, int), labels, np.where(agrees == (labels == 1), sure, 1 - sure))
    # The judge is lenient by 0.05, and its noise is what it lacks to be right.
    labels = random.beta(4 * cell.positives, 4 * (1 - cell.positives), shape)
    noise = (1 - cell.sensitivity) * random.standard_normal(shape)
    return Batch(np.ones(shape, int), labels, np.clip(labels + 0.05 + noise, 0, 1))


def simulated(cell: Cell, draws: int, seed: Sequence[int]) -> Result:
    """Draw a cell's rows often and count the intervals that miss."""
    random = np.random.default_rng(list(seed))
    rows, others = (drawn(cell, n, draws, random) for n in (cell.labelled, cell.others))
    own = (rows.mean(rows.labels) * cell.labelled + others.mean(others.labels) * cell.others) / (
        cell.labelled + cell.others
    )
    below = above = within = 0
    lengths = []
    for at, (labelled, scored) in enumerate(zip(_pairs(rows), _pairs(others), strict=True)):
        scores: Counter[float] = Counter()
        for (_, score), count in scored.items():
            scores[score] += count
        low, high = estimate_mean(labelled, scores).interval(LEVEL)
        if at < COMPARED and cell.labelled >= LEAST_LABELS:
            _compare((low, high), labelled, scores)
        below += cell.positives < low
        above += cell.positives > high
        within += low <= own[at] <= high
        lengths.append(high - low)
    return Result(cell, draws, below, above, within, fmean(lengths), _plain(rows, others))


def _pairs(batch: Batch) -> Iterator[dict[tuple[float, float], int]]:
    for draw in zip(*batch, strict=True):
        found: Counter[tuple[float, float]] = Counter()
        for count, label, score in zip(*(column.tolist() for column in draw), strict=True):
            if count:
                found[label, score] += count
        yield found


def _plain(rows: Batch, others: Batch) -> float:
    """The mean length of PPI++'s interval with normal quantiles, cut to [0, 1]."""
    n, further = rows.counts[0].sum(), others.counts[0].sum()
    spread = rows.covariance(rows.scores, rows.scores)
    both = rows.covariance(rows.labels, rows.scores)
    weight = np.divide(both, (1 + n / further) * spread, out=np.zeros_like(both), where=spread > 0)
    mean = rows.mean(rows.labels) + weight * (others.mean(others.scores) - rows.mean(rows.scores))
    rest = rows.covariance(rows.labels, rows.labels) - 2 * weight * both + weight**2 * spread
    variance = np.maximum(rest, 0) / n + weight**2 * others.covariance(others.scores, others.scores) / further
    reach = NormalDist().inv_cdf(0.5 + LEVEL / 2) * np.sqrt(variance)
    return float((np.clip(mean + reach, 0, 1) - np.clip(mean - reach, 0, 1)).mean())


def _compare(interval: tuple[float, float], labelled: dict[tuple[float, float], int], scores: Counter[float]) -> None:
    pairs = [pair for pair, count in labelled.items() for _ in range(count)]
    found = corrected_mean([label for label, _ in pairs], [score for _, score in pairs], list(scores.elements()), LEVEL)
    assert found is not None
    assert found.estimate.interval is not None
    assert np.allclose(found.estimate.interval, interval, atol=1e-9)


def counted(cells: Sequence[Cell], draws: int) -> list[tuple[Result, float | None]]:
    """Every cell; of one that is below the level by two standard errors also the coverage when it is drawn again."""
    found: list[tuple[Result, float | None]] = []
    for at, cell in enumerate(cells):
        first = simulated(cell, draws, (2_026, at))
        again = (simulated(cell, draws, (2_027, at, part)).coverage for part in range(AGAIN))
        found.append((first, fmean(again) if first.errors < -2 else None))
    return found


HEADS = (
    "settings", "labels", "cells", "mean", "lowest", "highest", "within 2 SE", "within 3 SE", "above", "below",
    "mean is below", "mean is above", "these rows", "length",
)  # fmt: skip


def summary(name: str, n: int, some: Sequence[Result]) -> list[str]:
    """What the cells of a grid with one number of labels came to."""
    covered, size = [one.coverage for one in some], len(some)
    draws = sum(one.draws for one in some)
    off = [one.errors for one in some]
    return [
        name,
        str(n),
        str(size),
        *(f"{number:.3f}" for number in (fmean(covered), min(covered), max(covered))),
        *(f"{sum(abs(one) <= bound for one in off) / size:.0%}" for bound in (2, 3)),
        str(sum(one > 3 for one in off)),
        str(sum(one < -3 for one in off)),
        *(f"{sum(getattr(one, side) for one in some) / draws:.4f}" for side in ("below", "above")),
        f"{sum(one.own for one in some) / draws:.3f}",
        f"{fmean(one.length / one.plain for one in some if one.plain):.2f}",
    ]


def _line(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def main() -> int:
    """Print a line for each grid and number of labels, then the cells that were drawn twice, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2_000)
    parser.add_argument("--grid", choices=list(GRIDS), action="append", help="only this grid; repeatable")
    parser.add_argument("--all", action="store_true", help="print every cell")
    options = parser.parse_args()
    found = {name: counted(GRIDS[name], options.draws) for name in options.grid or GRIDS}
    print(_line(HEADS), _line(["---"] * len(HEADS)), sep="\n")
    for name, results in found.items():
        for n in sorted({first.cell.labelled for first, _ in results}):
            print(_line(summary(name, n, [first for first, _ in results if first.cell.labelled == n])))
    heads = ("kind", "positives", "judge", "labels", "others", "coverage", "drawn again")
    print("", _line(heads), _line(["---"] * len(heads)), sep="\n")
    every = sorted((pair for results in found.values() for pair in results), key=lambda pair: pair[0].coverage)
    for first, second in every:
        if options.all or second:
            cell, again = first.cell, f"{second:.4f}" if second else ""
            judge = f"{cell.sensitivity:.4g}/{cell.specificity:.4g}"
            print(_line([cell.kind, cell.positives, judge, cell.labelled, cell.others, f"{first.coverage:.4f}", again]))
    known = [pair for pair in every if pair[0].cell.labelled >= LEAST_LABELS and pair[0].cell.kind != "gross"]
    return int(any(second and max(first.coverage, second) < FLOOR for first, second in known))


if __name__ == "__main__":
    raise SystemExit(main())
