"""`DatasetSums`: every number of one dataset on two sides, summed up case by case."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from ringtrue.records import EvaluatorInfo
from ringtrue.reports.comparing.case_pairs import PairedCase
from ringtrue.reports.comparing.comparison import PartDifference
from ringtrue.reports.comparing.paired_values import PairedColumn, case_values, part_values, verdict_values
from ringtrue.stats.case_sources import FEWEST_SUBJECTS, source_fields
from ringtrue.stats.row_status import Headline, RowVerdicts
from ringtrue.stats.summarise import part_keys


@dataclass(slots=True)
class DatasetLook:
    """The first look at a dataset's cases: the first case, the parts of their scores, and shared sources."""

    first: PairedCase
    cases: int = 0
    parts: dict[str, dict[str, None]] = field(default_factory=dict)
    has_source_ids: bool = False
    subjects: set[Hashable] = field(default_factory=set)

    def add(self, case: PairedCase) -> None:
        """Take a case in."""
        self.cases += 1
        for row in case.after:
            for name, score in row.scores.items():
                self.parts.setdefault(name, {}).update(dict.fromkeys(score.parts))
        source, subject = source_fields(case.after[0].trial.case.fields)
        self.has_source_ids = self.has_source_ids or source is not None
        self.subjects.add(subject)

    def source(self, case: PairedCase) -> Hashable:
        """Return the source of a case, if some share it: its `source_id`, or its subject if there are enough."""
        source, subject = source_fields(case.after[0].trial.case.fields)
        if self.has_source_ids:
            return None if source is None else ("source", source)
        return ("subject", subject) if FEWEST_SUBJECTS <= len(self.subjects) < self.cases else None


def look_at(cases: Iterable[PairedCase]) -> dict[str, DatasetLook]:
    """Take a first look at cases, dataset by dataset."""
    found: dict[str, DatasetLook] = {}
    for case in cases:
        found.setdefault(case.dataset, DatasetLook(case)).add(case)
    return found


class DatasetSums:
    """The verdicts of a dataset's cases, unless they are not comparable, and the parts of the evaluators."""

    def __init__(
        self,
        look: DatasetLook,
        evaluators: Iterable[EvaluatorInfo],
        verdicts: tuple[RowVerdicts, RowVerdicts] | None,
    ) -> None:
        self.look, self.verdicts = look, verdicts
        self.headline = PairedColumn()
        self.parts = {
            (name, part, key): PairedColumn()
            for name, own in part_keys(list(evaluators), look.parts).items()
            for part, key in own.items()
        }

    def add(self, case: PairedCase) -> None:
        """Take a case in."""
        source = self.look.source(case)
        if self.verdicts is not None:
            self.headline.add(*case_values(case, partial(verdict_values, verdicts=self.verdicts)), source)
        for (name, part, _), column in self.parts.items():
            column.add(*case_values(case, partial(part_values, evaluator=name, part=part)), source)

    def differences(self, margin: float, seed: int) -> Iterator[PartDifference]:
        """The headline, then every part; a headline of zeros and ones is there already."""
        dataset, shown = self.look.first.dataset, ""
        if self.verdicts is not None:
            rule = self.verdicts[1]
            headline = None if rule.by_every_check else rule.headline(self.look.first.after[0])
            found = verdict_part(dataset, headline, self.headline, margin, seed)
            shown = found.key
            yield found
        for (_, part, key), column in self.parts.items():
            if column.is_measured and not (part == shown and column.binary):
                yield _part(dataset, key, column, margin, seed)


def verdict_part(
    dataset: str, headline: Headline | None, column: PairedColumn, margin: float, seed: int
) -> PartDifference:
    """Return the difference in passing cases of a dataset, by its headline score; without one, by every check."""
    return replace(
        _part(dataset, "every check" if headline is None else headline.part, column, margin, seed),
        is_headline=True,
        unit="share",
        threshold=None if headline is None else headline.threshold,
        gained=column.gained,
        lost=column.lost,
    )


def _part(dataset: str, key: str, column: PairedColumn, margin: float, seed: int) -> PartDifference:
    difference = column.sums.difference(seed)
    return PartDifference(
        dataset=dataset,
        key=key,
        is_headline=False,
        unit="share" if column.binary else "score",
        difference=difference,
        margin=margin,
        errors=(column.errors[0], column.errors[1]),
        skipped=(column.skips[0], column.skips[1]),
        turns=difference is not None and column.could_turn(difference),
        changes=column.changes,
    )
