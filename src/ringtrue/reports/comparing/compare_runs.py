"""`compare_sides`: systems of runs on the same cases, number by number. A pure function from runs to a `Comparison`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ringtrue.metrics.ordered_numbers import OrderedNumbers
from ringtrue.records import Row, Run
from ringtrue.reports.comparing.case_pairs import CasePairs, Side
from ringtrue.reports.comparing.comparable import refused_datasets, refused_evaluators, refused_verdicts
from ringtrue.reports.comparing.comparison import (
    DEFAULT_MARGIN,
    SIGNIFICANT,
    Comparison,
    PartDifference,
    SystemPair,
)
from ringtrue.reports.comparing.dataset_sums import DatasetSums, look_at
from ringtrue.reports.comparing.flips import VerdictPairs
from ringtrue.reports.headline_table import ranked_systems
from ringtrue.stats.differences import holm
from ringtrue.stats.row_status import RowVerdicts


def compare_sides(
    sides: Sequence[Side], *, margin: float = DEFAULT_MARGIN, seed: int = 0, headline_only: bool = False
) -> Comparison:
    """The first side with each of the others, by every number both have; p-values are corrected over all of them.

    Systems of one run are corrected for all pairs of its systems, so that two of them say the same wherever they meet.
    """
    first, *others = sides
    pairs = [_compare(first, other, margin, seed, headline_only) for other in others]
    return correct_parts(pairs, margin, seed, looks=_looks_inside(sides))


def compare_systems(run: Run, *, margin: float = DEFAULT_MARGIN, seed: int = 0) -> Comparison:
    """The best system of a run with each of the others.

    Which is best was found out on the same cases, so p-values are corrected for all pairs of systems.
    """
    sides = [Side(run, name, name) for name in ranked_systems(run)]
    pairs = [_compare(other, sides[0], margin, seed) for other in sides[1:]]
    return correct_parts(pairs, margin, seed, looks=pair_count(sides))


def pair_count(systems: Collection[object]) -> int:
    """Return the number of pairs of some systems."""
    return len(systems) * (len(systems) - 1) // 2


def correct_parts(pairs: Sequence[SystemPair], margin: float, seed: int, looks: int = 0) -> Comparison:
    """The pairs with corrected p-values: headlines among headlines, further numbers among further numbers.

    Inside a pair by Holm's method, and then times the number of pairs, which is `looks` where more could be looked at
    than are given. So what a pair says does not depend on which other pairs are shown beside it.
    """
    looks = max(looks, len(pairs))
    corrected = [replace(pair, parts=_correct(pair.parts, looks)) for pair in pairs]
    tests = {kind: looks * max((_tests(pair.parts, kind) for pair in pairs), default=0) for kind in (True, False)}
    return Comparison(
        corrected, margin=margin, tests=max(1, tests[True]), further_tests=tests[False], looks=looks, seed=seed
    )


def _correct(parts: Sequence[PartDifference], looks: int) -> list[PartDifference]:
    found = list(parts)
    for kind in (True, False):
        known = {
            place: part.difference.p
            for place, part in enumerate(parts)
            if part.is_headline is kind and part.difference is not None
        }
        for place, p in zip(known, holm(list(known.values())), strict=True):
            found[place] = replace(parts[place], p=min(1.0, looks * p), level=SIGNIFICANT / (looks * len(known)))
    return found


def _tests(parts: Sequence[PartDifference], is_headline: bool) -> int:
    return sum(part.is_headline is is_headline and part.difference is not None for part in parts)


def _looks_inside(sides: Sequence[Side]) -> int:
    """Return the number of pairs of systems in the run that all sides are from; 0 if they are from several."""
    runs = [side.run for side in sides]
    same = all(run is runs[0] or (run.id and run.id == runs[0].id) for run in runs)
    return pair_count(runs[0].made.systems) if same else 0


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
    """The tokens, seconds and cost of a side's answers."""

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
