"""Reasons not to compare two sides: other data, other rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ringtrue.records import EvaluatorInfo
from ringtrue.reports.comparing.case_pairs import PairedCase, Side
from ringtrue.stats.row_status import RowVerdicts


def refused_datasets(before: Side, after: Side) -> Iterator[tuple[str, str]]:
    """The datasets that have another revision, and how that is said; a dataset without one is judged by its cases."""
    first = {one.name: one.revision for one in before.run.made.datasets}
    for one in after.run.made.datasets:
        earlier = first.get(one.name, "")
        if earlier and one.revision and earlier != one.revision:
            yield one.name, f"{one.name} has another revision: {earlier} in A, {one.revision} in B"


def refused_evaluators(before: Side, after: Side) -> Iterator[tuple[str, str]]:
    """The evaluators that measure otherwise, and what differs."""
    first = {one.name: one for one in before.run.made.evaluators}
    second = {one.name: one for one in after.run.made.evaluators}
    for name, one in second.items():
        if name not in first:
            yield name, f"{name} is in B alone"
        elif differs(first[name], one):
            yield name, f"{name} measures otherwise: {first[name].signature} in A, {one.signature} in B"
    for name in first:
        if name not in second:
            yield name, f"{name} is in A alone"


def refused_verdicts(
    before: Side, after: Side, cases: Mapping[str, PairedCase], evaluators: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The datasets whose cases do not pass by the same rule on both sides, and why; `cases` has one of each."""
    first, second = RowVerdicts(before.run.made), RowVerdicts(after.run.made)
    if first.by_every_check != second.by_every_check or (first.by_every_check and evaluators):
        for dataset in cases:
            yield dataset, "whether a case passes cannot be compared: the checks are not the same"
        return
    if first.by_every_check:
        yield from _other_thresholds(before, after, cases)
        return
    for dataset, one in cases.items():
        earlier, later = first.headline(one.before[0]), second.headline(one.after[0])
        if earlier is None or later is None:
            yield dataset, f"{_dataset_name(dataset)} has no headline score"
        elif (earlier.evaluator, earlier.part) != (later.evaluator, later.part):
            yield dataset, f"the headline of {_dataset_name(dataset)} is {earlier.part} in A, {later.part} in B"
        elif later.evaluator in evaluators:
            yield (
                dataset,
                f"whether a case of {_dataset_name(dataset)} passes is up to {later.evaluator}: not comparable",
            )
        elif earlier.threshold != later.threshold:
            words = f"{later.part} passes at {earlier.threshold:g} in A, at {later.threshold:g} in B"
            yield dataset, words


def _other_thresholds(before: Side, after: Side, datasets: Iterable[str]) -> Iterator[tuple[str, str]]:
    first = {one.name: one.threshold for one in before.run.made.evaluators}
    odd = [one for one in after.run.made.evaluators if first.get(one.name, one.threshold) != one.threshold]
    for dataset in datasets if odd else ():
        yield dataset, f"{odd[0].name} passes at {first[odd[0].name]:g} in A, at {odd[0].threshold:g} in B"


def differs(first: EvaluatorInfo, second: EvaluatorInfo) -> bool:
    """Whether two evaluators of one name measure otherwise; one that says nothing of itself is taken at its name."""
    return bool(first.signature and second.signature and first.signature != second.signature)


def _dataset_name(dataset: str) -> str:
    return dataset or "these rows"
