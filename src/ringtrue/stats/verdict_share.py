"""The share of rows that passed, by dataset and system: the number a run is known by."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace

from ringtrue.records import Row, Summary
from ringtrue.stats.row_status import RowVerdicts
from ringtrue.stats.summarise import source_of
from ringtrue.stats.tally import Numbers


@dataclass
class _ShareBlock:
    values: list[float] = field(default_factory=list)
    sources: list[Hashable] = field(default_factory=list)
    skipped: int = 0
    errors: int = 0
    thresholds: set[float] = field(default_factory=set)


def pass_shares(rows: Iterable[Row], verdicts: RowVerdicts) -> dict[str, dict[str, Summary]]:
    """Dataset -> system -> the share of rows with a verdict that passed."""
    blocks: dict[tuple[str, str], _ShareBlock] = {}
    for row in rows:
        block = blocks.setdefault((row.dataset, row.system), _ShareBlock())
        status = verdicts.status(row)
        block.errors += status == "error"
        block.skipped += status == "skipped"
        if status in ("passed", "failed"):
            block.values.append(float(status == "passed"))
            block.sources.append(source_of(row))
        headline = None if verdicts.by_every_check else verdicts.headline(row)
        if headline is not None:
            block.thresholds.add(headline.threshold)
    found: dict[str, dict[str, Summary]] = {}
    for (dataset, system), block in blocks.items():
        numbers = Numbers()
        numbers.add(block.values, block.sources)
        threshold = block.thresholds.pop() if len(block.thresholds) == 1 else None
        summary = numbers.summary(skipped=block.skipped, errors=block.errors)
        found.setdefault(dataset, {})[system] = replace(summary, threshold=threshold, unit="share")
    return found
