"""`Cutoff`: the value from which on a score should count as a pass, chosen by labels and tried on others."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import floor
from random import Random
from typing import Literal, TypeAlias

from ringtrue.errors import ConfigurationError
from ringtrue.stats.confusion import Confusion, kappa

Criterion: TypeAlias = Literal["youden", "f1", "kappa", "agreement"]
MOST_FOLDS = 10


@dataclass(frozen=True, slots=True)
class Cutoff:
    """A threshold that is best on all rows, and how thresholds chosen the same way did on rows they had not seen."""

    threshold: float
    criterion: Criterion
    chosen_on: Confusion
    held_out: Confusion
    folds: int


def recommended_cutoff(
    values: Sequence[float],
    labels: Sequence[bool],
    criterion: Criterion = "youden",
    *,
    near: float = 0.5,
    seed: int = 0,
    sources: Sequence[Hashable] | None = None,
) -> Cutoff | None:
    """The threshold with the highest criterion, and its cross-validation; None with fewer than two of either label.

    Rows are dealt into up to ten folds with equal shares of both labels, all rows of one source into the same; each
    fold is judged by the threshold that is best on the others. Of equally good thresholds the one nearest to `near`
    wins.
    """
    if criterion not in _CRITERIA:
        raise ConfigurationError(
            f"criterion must be one of {', '.join(_CRITERIA)}; got {criterion!r}", parameter="criterion"
        )
    fold_of, folds = _folds(labels, range(len(labels)) if sources is None else sources, Random(seed))
    if folds < 2:
        return None
    verdicts = [False] * len(labels)
    for fold in range(folds):
        others = [place for place in range(len(labels)) if fold_of[place] != fold]
        cut = _best([values[place] for place in others], [labels[place] for place in others], criterion, near)
        for place in range(len(labels)):
            if fold_of[place] == fold:
                verdicts[place] = values[place] >= cut
    threshold = _best(values, labels, criterion, near)
    chosen_on = Confusion.of([value >= threshold for value in values], labels)
    return Cutoff(threshold, criterion, chosen_on, Confusion.of(verdicts, labels), folds)


def _folds(labels: Sequence[bool], sources: Sequence[Hashable], random: Random) -> tuple[list[int], int]:
    """The fold of every row, and how many there are: no more than sources that hold either label."""
    held: dict[Hashable, set[bool]] = {}
    for source, label in zip(sources, labels, strict=True):
        held.setdefault(source, set()).add(bool(label))
    folds = min(MOST_FOLDS, *(sum(wanted in found for found in held.values()) for wanted in (True, False)))
    fold_of: dict[Hashable, int] = {}
    for kind in ({True}, {False}, {True, False}) if folds else ():
        group = [source for source, found in held.items() if found == kind]
        random.shuffle(group)
        first = folds - 1 if len(kind) > 1 else 0  # from the other end, so that every fold has both labels
        fold_of |= {source: abs(first - turn % folds) for turn, source in enumerate(group)}
    return [fold_of.get(source, 0) for source in sources], folds


def _best(values: Sequence[float], labels: Sequence[bool], criterion: Criterion, near: float) -> float:
    """The threshold with the highest criterion; the given one, where it parts the rows alike."""
    worth = _CRITERIA[criterion]
    positives = sum(map(bool, labels))
    negatives = len(labels) - positives
    falling = sorted(zip(values, map(bool, labels), strict=True), reverse=True)
    best: tuple[float, float, float] | None = None
    hits = wrong = 0
    for place, (value, label) in enumerate(falling):
        hits, wrong = hits + label, wrong + (not label)
        if place + 1 < len(falling) and falling[place + 1][0] == value:
            continue
        found = (worth(hits, wrong, positives - hits, negatives - wrong), -abs(value - near), value)
        best = found if best is None else max(best, found)
    assert best is not None
    below = max((value for value in values if value < best[2]), default=-1.0)
    return near if below < near <= best[2] else _shortest(below, best[2])


def _shortest(below: float, highest: float) -> float:
    """The number with the fewest decimals above one value and at most another: people write thresholds down."""
    for decimals in range(1, 16):
        scale = 10.0**decimals
        short = floor(highest * scale) / scale
        if below < short <= highest:
            return short
    return highest


def _youden(hits: int, wrong: int, missed: int, rest: int) -> float:
    return hits / (hits + missed) - wrong / (wrong + rest)


_CRITERIA: dict[Criterion, Callable[[int, int, int, int], float]] = {
    "youden": _youden,
    "f1": lambda hits, wrong, missed, rest: 2 * hits / (2 * hits + wrong + missed),
    "kappa": lambda hits, wrong, missed, rest: kappa(hits, wrong, missed, rest) or 0.0,
    "agreement": lambda hits, wrong, missed, rest: (hits + rest) / (hits + wrong + missed + rest),
}
