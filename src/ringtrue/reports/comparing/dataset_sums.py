"""`DatasetSums`: every number of one dataset on two sides, summed up case by case."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from ringtrue.records import EvaluatorInfo, Row
from ringtrue.reports.comparing.case_pairs import PairedCase
from ringtrue.reports.comparing.comparison import PartDifference
from ringtrue.reports.comparing.paired_values import PairedColumn, part_values, verdict_values
from ringtrue.stats.row_status import RowVerdicts
from ringtrue.stats.summarise import part_keys

FEWEST_SUBJECTS = 10
"""With fewer subjects an interval over them says more about their number than about the systems."""


@dataclass(slots=True)
class DatasetLook:
    """What a first look at the cases of a dataset shows: the first, the parts of their scores, and shared sources."""

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
        self.has_source_ids = self.has_source_ids or _field(case.after[0], "source_id") is not None
        self.subjects.add(_field(case.after[0], "subject"))

    def source(self, case: PairedCase) -> Hashable:
        """What a case comes from, where some share it: its `source_id`, or its subject if there are enough."""
        if self.has_source_ids:
            given = _field(case.after[0], "source_id")
            return None if given is None else ("source", given)
        if FEWEST_SUBJECTS <= len(self.subjects) < self.cases:
            return "subject", _field(case.after[0], "subject")
        return None


def look_at(cases: Iterable[PairedCase]) -> dict[str, DatasetLook]:
    """What a first look at cases shows, dataset by dataset."""
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
        self.headline = None if verdicts is None else PairedColumn(partial(verdict_values, verdicts=verdicts))
        self.parts = {
            (part, key): PairedColumn(partial(part_values, evaluator=name, part=part))
            for name, own in part_keys(list(evaluators), look.parts).items()
            for part, key in own.items()
        }

    def add(self, case: PairedCase) -> None:
        """Take a case in."""
        source = self.look.source(case)
        if self.headline is not None:
            self.headline.add(case, source)
        for column in self.parts.values():
            column.add(case, source)

    def differences(self, margin: float, seed: int) -> Iterator[PartDifference]:
        """The headline, then every part; a headline of zeros and ones is told already."""
        told = ""
        if self.headline is not None:
            found = self._headline(self.headline, margin, seed)
            told = found.key
            yield found
        for (part, key), column in self.parts.items():
            if column.is_measured and not (part == told and column.binary):
                yield self._difference(key, column, margin, seed)

    def _headline(self, column: PairedColumn, margin: float, seed: int) -> PartDifference:
        assert self.verdicts is not None
        verdicts = self.verdicts[1]
        headline = None if verdicts.by_every_check else verdicts.headline(self.look.first.after[0])
        return replace(
            self._difference("every check" if headline is None else headline.part, column, margin, seed),
            is_headline=True,
            unit="share",
            threshold=None if headline is None else headline.threshold,
        )

    def _difference(self, key: str, column: PairedColumn, margin: float, seed: int) -> PartDifference:
        difference = column.sums.difference(seed)
        return PartDifference(
            dataset=self.look.first.dataset,
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


def _field(row: Row, name: str) -> Hashable:
    value = row.trial.case.fields.get(name)
    return value if value is None or isinstance(value, (str, int)) else repr(value)  # a row may hold anything there
