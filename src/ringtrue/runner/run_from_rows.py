"""`run_of`: rows that are finished, wherever they are from, as a `Run`; `RunSums`: what they come to, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from ringtrue.metrics.eval_rows import eval_rows
from ringtrue.metrics.metric import ComputedMetric
from ringtrue.metrics.standard import StandardSums
from ringtrue.records import Made, Row, Rows, Run, Summary
from ringtrue.runner.early_stop import anytime_summaries, decisions_of
from ringtrue.runner.run_facts import FactSums
from ringtrue.stats.row_pages import ListRows
from ringtrue.stats.row_status import PASS_RATE, RowVerdicts
from ringtrue.stats.summarise import RunTally
from ringtrue.stats.verdict_share import PassShares

ROWS_AT_ONCE = 1_000


class RunSums:
    """The results of rows: scores by dataset and system, the share that passed, and the metrics that every run has.

    Memory does not grow with the rows, but for eight bytes of each latency, and what repeats and shared sources need.
    Sums of other rows of the run merge into these. `further` are metrics of single datasets; a run of scored files
    (`metrics` False) has no metrics.
    """

    def __init__(
        self,
        made: Made,
        text_fields: Sequence[str] | None = None,
        further: Mapping[str, Sequence[ComputedMetric]] = MappingProxyType({}),
        *,
        metrics: bool = True,
    ) -> None:
        self.made, self.text_fields = made, text_fields
        self.tally = RunTally(made.evaluators)
        self.shares = PassShares(RowVerdicts(made))
        self.facts = FactSums()
        self.metrics = StandardSums(made, further) if metrics else None

    def add(self, rows: Iterable[Row]) -> None:
        """Take rows in."""
        remaining = iter(rows)
        while part := list(islice(remaining, ROWS_AT_ONCE)):
            self.tally.add(part)
            self.shares.add(part)
            self.facts.add(part)
            if self.metrics is not None:
                self.metrics.add(eval_rows(part, self.made, self.text_fields))

    def merge(self, other: RunSums) -> None:
        """Take the sums of other rows in."""
        self.tally.merge(other.tally)
        self.shares.merge(other.shares)
        self.facts.merge(other.facts)
        if self.metrics is not None and other.metrics is not None:
            self.metrics.merge(other.metrics)

    def summaries(self) -> dict[str, dict[str, dict[str, Summary]]]:
        """Dataset -> system -> key or metric -> summary."""
        found = self.tally.summaries()
        metrics = self.metrics.summaries() if self.metrics is not None else {}
        for dataset, systems in self.shares.summaries().items():
            for system, share in systems.items():
                own = found.setdefault(dataset, {}).setdefault(system, {})
                more = {**metrics.get(dataset, {}).get(system, {}), PASS_RATE: share}  # a suite's is about every check
                own.update({key: summary for key, summary in more.items() if key not in own})
        return found

    def run(self, rows: Rows) -> Run:
        """The run whose rows these are."""
        found = anytime_summaries(self.summaries(), decisions_of(self.made, rows))
        return Run(
            made=self.made,
            rows=rows,
            summaries=found,
            first_skips=self.tally.first_skips(),
            facts=self.facts.facts(),
        )


def run_of(made: Made, rows: Rows | Sequence[Row]) -> Run:
    """A run of finished rows: their summaries by dataset and system, and the metrics that every run has."""
    sums = RunSums(made)
    sums.add(rows)
    return sums.run(ListRows(rows, made) if isinstance(rows, Sequence) else rows)
