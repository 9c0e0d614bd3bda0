"""`compare_sides`: systems of runs on the same cases, number by number. A pure function from runs to a `Comparison`."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any

from ringtrue.records import EvaluatorInfo, Row, Run
from ringtrue.reports.comparing.case_pairs import CasePairs, PairedCase, Side, pair_sides
from ringtrue.reports.comparing.comparable import refused_datasets, refused_evaluators, refused_verdicts
from ringtrue.reports.comparing.comparison import DEFAULT_MARGIN, Comparison, Flip, PartDifference, SystemPair
from ringtrue.reports.comparing.paired_values import PairedValues, part_values, verdict_values
from ringtrue.stats.case_sources import case_sources, source_fields
from ringtrue.stats.differences import holm
from ringtrue.stats.paired_difference import paired_difference
from ringtrue.stats.row_status import Headline, RowVerdicts
from ringtrue.stats.summarise import part_keys


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
    sides = [Side(run, one.name, one.name) for one in run.made.systems]
    best = max(reversed(sides), key=lambda side: mean_pass_rate(run, side.system), default=None)
    others = [side for side in sides if side is not best]
    pairs = [_compare(other, best, margin, seed) for other in others] if best else []
    return correct_parts(pairs, margin, seed, looks=len(sides) / 2)


def mean_pass_rate(run: Run, system: str) -> float:
    """The mean of a system's pass rates over the datasets; −1 without any."""
    shares = [own[system].get("pass_rate") for own in run.summaries.values() if system in own]
    known = [share.value for share in shares if share is not None and share.value is not None]
    return sum(known) / len(known) if known else -1.0


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
    cases = pair_sides(before, after)
    refused = [*refused_datasets(before, after)]
    broken = {dataset for dataset, _ in refused}
    usable = [case for case in cases.both if case.dataset not in broken]
    verdicts = RowVerdicts(before.run.made), RowVerdicts(after.run.made)
    evaluators = dict(refused_evaluators(before, after))
    open_verdicts = dict(refused_verdicts(before, after, usable, evaluators))
    parts: list[PartDifference] = []
    for dataset in dict.fromkeys(case.dataset for case in usable):
        own = [case for case in usable if case.dataset == dataset]
        sources = case_sources([source_fields(case.after[0].trial.case.fields) for case in own])
        if dataset not in open_verdicts:
            headline = None if verdicts[1].by_every_check else verdicts[1].headline(own[0].after[0])
            values = PairedValues.of(own, partial(verdict_values, verdicts=verdicts))
            parts.append(verdict_part(dataset, headline, values, sources, margin, seed))
        if not headline_only:
            skipped = parts[-1].key if parts and parts[-1].dataset == dataset and parts[-1].is_headline else ""
            parts += _other_parts(own, before, after, set(evaluators), sources, skipped, margin, seed)
    judged = [case for case in usable if case.dataset not in open_verdicts]
    return SystemPair(
        before,
        after,
        parts,
        **_flips(judged, verdicts),
        cases=len(usable),
        only_before=len(cases.only_before),
        only_after=len(cases.only_after),
        changed=cases.changed,
        refused=[*(why for _, why in refused), *evaluators.values(), *open_verdicts.values(), *_content_issue(cases)],
        cost=_costs(usable),
        seconds=_seconds(usable),
    )


def _content_issue(cases: CasePairs) -> Iterator[str]:
    if cases.changed:
        noun = "case has" if cases.changed == 1 else "cases have"
        yield f"{cases.changed:,} {noun} another question or expected answer under the same id"


def verdict_part(
    dataset: str,
    headline: Headline | None,
    values: PairedValues,
    sources: Sequence[Hashable] | None,
    margin: float,
    seed: int,
) -> PartDifference:
    """What passes in a dataset, by its headline score; without one, by every check."""
    part = _part(dataset, "every check" if headline is None else headline.part, values, sources, margin, seed)
    gained, lost = values.turn_counts
    return replace(
        part,
        is_headline=True,
        unit="share",
        threshold=None if headline is None else headline.threshold,
        gained=gained,
        lost=lost,
    )


def _other_parts(
    cases: Sequence[PairedCase],
    before: Side,
    after: Side,
    refused: set[str],
    sources: Sequence[Hashable] | None,
    headline: str,
    margin: float,
    seed: int,
) -> Iterator[PartDifference]:
    """The parts of every evaluator that both sides have; a headline of zeros and ones is told already."""
    known = {one.name: one for one in before.run.made.evaluators}
    shared = [one for one in after.run.made.evaluators if one.name in known and one.name not in refused]
    for evaluator, part, key in _keys(shared, cases):
        values = PairedValues.of(cases, partial(part_values, evaluator=evaluator, part=part))
        if not values.places and not any(map(sum, (values.errors, values.skips))):
            continue
        if part == headline and values.binary:
            continue
        yield _part(cases[0].dataset, key, values, sources, margin, seed)


def _keys(evaluators: Sequence[EvaluatorInfo], cases: Sequence[PairedCase]) -> Iterator[tuple[str, str, str]]:
    """Evaluator, part and the key they go under; parts of a user's evaluator are known from its scores."""
    seen: dict[str, dict[str, None]] = {}
    for case in cases:
        for row in case.after:
            for name, score in row.scores.items():
                seen.setdefault(name, {}).update(dict.fromkeys(score.parts))
    for name, own in part_keys(evaluators, seen).items():
        for part, key in own.items():
            yield name, part, key


def _part(
    dataset: str,
    key: str,
    values: PairedValues,
    sources: Sequence[Hashable] | None,
    margin: float,
    seed: int,
) -> PartDifference:
    before, after = values.numbers
    told = None if sources is None else [sources[place] for place in values.places]
    difference = paired_difference(before, after, told, seed=seed)
    return PartDifference(
        dataset=dataset,
        key=key,
        is_headline=False,
        unit="share" if values.binary else "score",
        difference=difference,
        margin=margin,
        errors=values.errors,
        skipped=values.skips,
        turns=difference is not None and values.could_turn(difference, sources),
        changes=[new - old for old, new in zip(before, after, strict=True)],
    )


def _flips(cases: Sequence[PairedCase], verdicts: tuple[RowVerdicts, RowVerdicts]) -> dict[str, Any]:
    lost: list[Flip] = []
    gained: list[Flip] = []
    counts = {"both_passed": 0, "both_failed": 0}
    for case in cases:
        found = [_mostly(rows, verdicts[side]) for side, rows in enumerate((case.before, case.after))]
        if None in found:
            continue
        if found[0] == found[1]:
            counts["both_passed" if found[0] else "both_failed"] += 1
            continue
        shown = [
            _representative(rows, verdicts[side], bool(found[side]))
            for side, rows in enumerate((case.before, case.after))
        ]
        (lost if found[0] else gained).append(Flip(case.after[0].trial.case, case.dataset, *shown))
    return {"lost": lost, "gained": gained, **counts}


def _mostly(rows: Sequence[Row], verdicts: RowVerdicts) -> bool | None:
    """Whether most repeats with a verdict passed; None without any."""
    told = [verdicts.status(row) == "passed" for row in rows if verdicts.status(row) in ("passed", "failed")]
    return sum(told) * 2 > len(told) if told else None


def _representative(rows: Sequence[Row], verdicts: RowVerdicts, passed: bool) -> Row:
    """The first repeat that ended as most of them did."""
    wanted = "passed" if passed else "failed"
    return next((row for row in rows if verdicts.status(row) == wanted), rows[0])


def _costs(cases: Sequence[PairedCase]) -> tuple[float | None, float | None]:
    def mean(rows: Sequence[Row]) -> float | None:
        costs = [row.trial.output.cost for row in rows]
        known = [cost for cost in costs if cost is not None]
        return sum(known) / len(known) if known and len(known) == len(costs) else None

    return mean([row for case in cases for row in case.before]), mean([row for case in cases for row in case.after])


def _seconds(cases: Sequence[PairedCase]) -> tuple[float | None, float | None]:
    """The median time of an answer on either side; answers from the store took none."""

    def middle(rows: Sequence[Row]) -> float | None:
        times = [row.trial.output.latency_seconds for row in rows if not row.reused]
        known = [time for time in times if time is not None]
        return median(known) if known and len(known) == len(rows) else None

    return middle([row for case in cases for row in case.before]), middle([row for case in cases for row in case.after])
