"""`PricedCutoff`: the threshold at which wrong verdicts cost least, found on some sources and tried once on others.

Rows of one source are not independent evidence: costs are means over sources, and intervals count sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from ringtrue.errors import ConfigurationError
from ringtrue.records import Summary
from ringtrue.require import require_number
from ringtrue.stats.confusion import Confusion
from ringtrue.stats.intervals import clopper_pearson


class LabelledScore(NamedTuple):
    """A score and what people say of the same answer, None where either is missing, and what the answer comes from."""

    value: float | None
    label: bool | None
    source: Hashable


@dataclass(frozen=True, slots=True)
class CutoffTrial:
    """The result of a threshold on rows it has not seen; a source counts if every row of it has a score and a label.

    `false_passes` is the share of sources with a wrong answer in which one passes, `false_fails` of those with a right
    answer in which one fails; `failed` of each is how many.
    """

    rows: int
    counts: Confusion
    sources: int
    complete_sources: int
    false_passes: Summary
    false_fails: Summary


@dataclass(frozen=True, slots=True)
class PricedCutoff:
    """A threshold, what a source costs where it was found, and which sources these are; None lets nothing pass."""

    threshold: float | None
    false_pass: float
    false_fail: float
    cost: float
    rows: int
    sources: tuple[Hashable, ...]

    def passes(self, value: float | None) -> bool | None:
        """The verdict on a score; None on none."""
        return None if value is None else self.threshold is not None and value >= self.threshold

    def try_on(self, rows: Sequence[LabelledScore], level: float = 0.95) -> CutoffTrial:
        """Try the threshold on rows of other sources, with exact intervals; a source of its own is refused."""
        if shared := sorted(map(str, {row.source for row in rows}.intersection(self.sources))):
            raise ConfigurationError(
                f"leakage: the threshold was found on some of these sources: {', '.join(shared[:3])}", parameter="rows"
            )
        verdicts = [(row, self.passes(row.value)) for row in rows]
        known = [(row, passed) for row, passed in verdicts if passed is not None and row.label is not None]
        still_open = {row.source for row, passed in verdicts if passed is None or row.label is None}
        wrong = {
            label: _by_source([(row, passed) for row, passed in known if row.source not in still_open], label, level)
            for label in (False, True)
        }
        sources = {row.source for row in rows}
        counts = Confusion.of([passed for _, passed in known], [bool(row.label) for row, _ in known])
        return CutoffTrial(len(rows), counts, len(sources), len(sources - still_open), wrong[False], wrong[True])


def least_cost(rows: Sequence[LabelledScore], *, false_pass: float, false_fail: float) -> PricedCutoff | None:
    """The threshold with the least mean cost of a source, the highest of several; None unless both labels occur.

    `false_pass` is what it costs if a wrong answer passes, `false_fail` if a right one fails. Every row needs a score
    and a label.
    """
    for name, cost in (("false_pass", false_pass), ("false_fail", false_fail)):
        require_number(name, cost, above=0)
    known = [(row.value, row.label, row.source) for row in rows if row.value is not None and row.label is not None]
    if len(known) < len(rows):
        raise ConfigurationError(f"{len(rows) - len(known)} of {len(rows)} rows have no score or no label", value=rows)
    if len({label for _, label, _ in known}) < 2:
        return None
    sizes = Counter(source for _, _, source in known)
    prices = {True: -Fraction(false_fail), False: Fraction(false_pass)}
    paid = sum((-prices[label] / sizes[source] for _, label, source in known if label), Fraction())
    best: tuple[Fraction, float | None] = (paid, None)
    for value, passing in groupby(sorted(known, key=lambda row: row[0], reverse=True), key=lambda row: row[0]):
        paid += sum((prices[label] / sizes[source] for _, label, source in passing), Fraction())
        best = (paid, value) if paid < best[0] else best
    return PricedCutoff(best[1], false_pass, false_fail, float(best[0] / len(sizes)), len(known), tuple(sizes))


def _by_source(verdicts: Iterable[tuple[LabelledScore, bool]], label: bool, level: float) -> Summary:
    """In how many sources that have answers of this label one of them is taken for the other."""
    right = {row.source: True for row, _ in verdicts if row.label is label}
    right |= {row.source: False for row, passed in verdicts if row.label is label and passed is not label}
    n, failed = len(right), len(right) - sum(right.values())
    if not n:
        return Summary(None, 0)
    return Summary(
        failed / n,
        n=n,
        interval=clopper_pearson(failed, n, level),
        method="clopper-pearson",
        passed=n - failed,
        failed=failed,
    )
