"""The share of rows that passed, by dataset and system: the number a run is known by."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from ringtrue.records import Row, Summary
from ringtrue.stats.row_status import RowVerdicts
from ringtrue.stats.summarise import sources_of
from ringtrue.stats.tally import Numbers


@dataclass
class _ShareBlock:
    numbers: Numbers = field(default_factory=Numbers)
    skipped: int = 0
    errors: int = 0
    thresholds: set[float] = field(default_factory=set)


class PassShares:
    """The verdicts of rows, counted; they merge, and so may be counted in several processes."""

    def __init__(self, verdicts: RowVerdicts) -> None:
        self.verdicts = verdicts
        self.blocks: dict[tuple[str, str], _ShareBlock] = {}

    def add(self, rows: Sequence[Row]) -> None:
        """Count rows."""
        verdicts = self.verdicts
        passed: dict[tuple[str, str], list[tuple[float, Hashable]]] = {}
        for row, source in zip(rows, sources_of(rows), strict=True):
            place = row.dataset, row.system
            block = self.blocks.get(place) or self.blocks.setdefault(place, _ShareBlock())
            status = verdicts.status(row)
            block.errors += status == "error"
            block.skipped += status == "skipped"
            if status in ("passed", "failed"):
                passed.setdefault(place, []).append((float(status == "passed"), source))
            headline = None if verdicts.by_every_check else verdicts.headline(row)
            if headline is not None:
                block.thresholds.add(headline.threshold)
        for place, pairs in passed.items():
            self.blocks[place].numbers.add([value for value, _ in pairs], [source for _, source in pairs])

    def merge(self, other: PassShares) -> None:
        """Take the counts of other rows in."""
        for place, its in other.blocks.items():
            own = self.blocks.setdefault(place, _ShareBlock())
            own.numbers.merge(its.numbers)
            own.skipped += its.skipped
            own.errors += its.errors
            own.thresholds |= its.thresholds

    def summaries(self) -> dict[str, dict[str, Summary]]:
        """Dataset -> system -> the share of rows with a verdict that passed."""
        found: dict[str, dict[str, Summary]] = {}
        for (dataset, system), block in self.blocks.items():
            threshold = next(iter(block.thresholds)) if len(block.thresholds) == 1 else None
            share = block.numbers.share(threshold, skipped=block.skipped, errors=block.errors)
            found.setdefault(dataset, {})[system] = share
        return found
