"""`run_of`: rows that are finished, wherever they are from, as a `Run`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ringtrue.metrics.eval_rows import eval_rows
from ringtrue.metrics.metric import Computed
from ringtrue.metrics.standard import standard_summaries
from ringtrue.records import Made, Row, Run, Summary
from ringtrue.stats.row_pages import ListRows
from ringtrue.stats.row_status import RowVerdicts
from ringtrue.stats.summarise import RunTally
from ringtrue.stats.verdict_share import pass_shares

PASS_RATE = "pass_rate"

PASS_RATE = "pass_rate"


def run_of(
    made: Made,
    rows: Sequence[Row],
    text_fields: Sequence[str] | None = None,
    further: Mapping[str, Sequence[Computed]] = MappingProxyType({}),
) -> Run:
    """A run of finished rows: their summaries by dataset and system, and the metrics that every run has.

    `further` are metrics of single datasets.
    """
    tally = RunTally(made.evaluators)
    tally.add(rows)
    summaries = tally.summaries()
    shares = pass_shares(rows, RowVerdicts(made))
    metrics = standard_summaries(eval_rows(rows, made, text_fields), made, further)
    for dataset, systems in shares.items():
        for system, share in systems.items():
            own: dict[str, Summary] = summaries.setdefault(dataset, {}).setdefault(system, {})
            found = {**metrics[dataset][system], PASS_RATE: share}  # a suite's share is about every check
            own.update({key: summary for key, summary in found.items() if key not in own})
    return Run(made=made, rows=ListRows(rows, made), summaries=summaries, first_skips=tally.first_skips())
