"""`compare_sides`: systems of runs on the same cases, number by number. A pure function from runs to a `Comparison`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ringtrue.metrics.ordered_numbers import OrderedNumbers
from ringtrue.records import Row, Run
from ringtrue.reports.comparing.case_pairs import CasePairs, Side
from ringtrue.reports.comparing.comparable import refused_datasets, refused_evaluators, refused_verdicts
from ringtrue.reports.comparing.comparison import DEFAULT_MARGIN, Comparison, PartDifference, SystemPair
from ringtrue.reports.comparing.dataset_sums import DatasetSums, look_at
from ringtrue.reports.comparing.flips import VerdictPairs
from ringtrue.reports.headline_table import ranked_systems
from ringtrue.stats.differences import holm
from ringtrue.stats.row_status import RowVerdicts


def compare_sides(
    sides: Sequence[Side], *, margin: float = DEFAULT_MARGIN, seed: int = 0, headline_only: bool = False
) -> Comparison:
    """The first side with each of the others, by every number both have; p-values are corrected over all of them."""
    first, *others = sides
    pairs = [_compare(first, other, margin, seed, headline_only) for other in others]
    return correct_parts(pairs, margin, seed)


def compare_systems(run: Run, *, margin: float = DEFAULT_MARGIN, seed: int = 0) -> Comparison:
    """The best system of a run with each of the others.

    Which is best was found out on the same cases, so p-values are corrected for all pairs of systems.
    """
    sides = [Side(run, name, name) for name in ranked_systems(run)]
    pairs = [_compare(other, sides[0], margin, seed) for other in sides[1:]]
    return correct_parts(pairs, margin, seed, looks=len(sides) / 2)


def correct_parts(pairs: Sequence[SystemPair], margin: float, seed: int, looks: float = 1.0) -> Comparison:
    """The pairs with corrected p-values: headlines among headlines, further numbers among further numbers."""
    found: list[list[PartDifference]] = [list(pair.parts) for pair in pairs]
    tests: dict[bool, int] = {}
    for kind in (True, False):
        places = [
            (row, column)
            for row, parts in enumerate(found)
            for column, part in enumerate(parts)
            if part.is_headline is kind and part.difference is not None
        ]
        count = round(len(places) * max(1.0, looks))
        tests[kind] = count
        values = [one.p for row, column in places if (one := found[row][column].difference) is not None]
        for (row, column), p in zip(places, holm(values, count), strict=True):
            found[row][column] = replace(found[row][column], p=p)
    corrected = [replace(pair, parts=parts) for pair, parts in zip(pairs, found, strict=True)]
    return Comparison(corrected, margin=margin, tests=max(1, tests[True]), further_tests=tests[False], seed=seed)


def _compare(before: Side, after: Side, margin: float, seed: int, headline_only: bool = False) -> SystemPair:
    pairs = CasePairs(before, after)
    refused = [*refused_datasets(before, after)]
    broken = {dataset for dataset, _ in refused}
    looks = look_at(case for case in pairs if case.dataset not in broken)
    verdicts = RowVerdicts(before.run.made), RowVerdicts(after.run.made)
    evaluators = dict(refused_evaluators(before, after))
    open_verdicts = dict(refused_verdicts(before, after, {name: one.first for name, one in looks.items()}, evaluators))
    known = {one.name for one in before.run.made.evaluators} - set(evaluators)
    shared = [] if headline_only else [one for one in after.run.made.evaluators if one.name in known]
    sums = {
        name: DatasetSums(look, shared, None if name in open_verdicts else verdicts) for name, look in looks.items()
    }
    ended, took = VerdictPairs(pairs.rows, verdicts), (AnswerSums(), AnswerSums())
    for case in pairs:
        if case.dataset in sums:
            sums[case.dataset].add(case)
            took[0].add(case.before)
            took[1].add(case.after)
            if case.dataset not in open_verdicts:
                ended.add(case)
    return SystemPair(
        before,
        after,
        [part for one in sums.values() for part in one.differences(margin, seed)],
        lost=ended.lost,
        gained=ended.gained,
        both_passed=ended.both_passed,
        both_failed=ended.both_failed,
        cases=sum(look.cases for look in looks.values()),
        only_before=pairs.only_before,
        only_after=pairs.only_after,
        changed=pairs.changed,
        refused=[*(why for _, why in refused), *evaluators.values(), *open_verdicts.values(), *_content_issue(pairs)],
        cost=(took[0].cost, took[1].cost),
        seconds=(took[0].seconds, took[1].seconds),
    )


def _content_issue(cases: CasePairs) -> Iterator[str]:
    if cases.changed:
        noun = "case has" if cases.changed == 1 else "cases have"
        yield f"{cases.changed:,} {noun} another question or expected answer under the same id"


class AnswerSums:
    """What the answers of a side took."""

    def __init__(self) -> None:
        self._rows = self._priced = 0
        self._dollars = 0.0
        self._times = OrderedNumbers()

    def add(self, rows: Sequence[Row]) -> None:
        """Take the rows of a case in."""
        self._rows += len(rows)
        costs = [cost for row in rows if (cost := row.trial.output.cost) is not None]
        self._priced += len(costs)
        self._dollars += sum(costs)
        times = (row.trial.output.latency_seconds for row in rows if not row.reused)
        self._times.add(time for time in times if time is not None)

    @property
    def cost(self) -> float | None:
        """The dollars of an answer; None where the cost of one is not known."""
        return self._dollars / self._rows if self._rows and self._priced == self._rows else None

    @property
    def seconds(self) -> float | None:
        """The median time of an answer; None where one is not known: answers from the store took none."""
        return self._times.median if self._rows and len(self._times) == self._rows else None
