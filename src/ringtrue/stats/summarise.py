"""`RunTally`: what rows come to, dataset by dataset and system by system. Every run's summaries are made here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ringtrue.records import EvalRow, EvaluatorInfo, Row, Score, Summary
from ringtrue.stats.tally import Tally

Block = tuple[str, str]
"""A dataset and a system."""
_AnyRow = TypeVar("_AnyRow", Row, EvalRow)
_CASE = "case"
"""How the source of a row begins that is its own case."""


@dataclass(slots=True)
class RunTally:
    """Tallies of every evaluator for every dataset and system; they merge, and so may be made in several processes."""

    evaluators: Sequence[EvaluatorInfo]
    blocks: dict[Block, dict[str, Tally]] = field(default_factory=dict)
    rows: int = 0

    def add_columns(
        self,
        dataset: str,
        system: str,
        columns: Sequence[Sequence[Score]],
        sources: Sequence[Hashable] | None = None,
    ) -> None:
        """Count one column of scores for each evaluator, all of one dataset and system."""
        block = self._block((dataset, system))
        for evaluator, column in zip(self.evaluators, columns, strict=True):
            block[evaluator.name].add(column, sources)

    def add(self, rows: Iterable[Row]) -> None:
        """Count rows; those of one source, or repeats of one case, are one piece of evidence."""
        columns: dict[Block, dict[str, list[tuple[Score, Hashable]]]] = {}
        found_rows = list(rows)
        self.rows += len(found_rows)
        for row, source in zip(found_rows, sources_of(found_rows), strict=True):
            column = columns.setdefault((row.dataset, row.system), {})
            for name, score in row.scores.items():
                column.setdefault(name, []).append((score, source))
        for place, found in columns.items():
            block = self._block(place)
            for name, pairs in found.items():
                block[name].add([score for score, _ in pairs], [source for _, source in pairs])

    def merge(self, other: RunTally) -> None:
        """Take another run's counts in."""
        self.rows += other.rows
        for place, tallies in other.blocks.items():
            block = self._block(place)
            for name, tally in tallies.items():
                block[name].merge(tally)

    def summaries(self) -> dict[str, dict[str, dict[str, Summary]]]:
        """Dataset -> system -> key -> summary; an evaluator that was meant for no row of a block is left out."""
        keys = self.keys()
        found: dict[str, dict[str, dict[str, Summary]]] = {}
        for (dataset, system), tallies in self.blocks.items():
            own = found.setdefault(dataset, {}).setdefault(system, {})
            for name, tally in tallies.items():
                if tally.parts or tally.skipped or tally.errors:
                    own.update(tally.summaries(keys[name]))
        return found

    def keys(self) -> Mapping[str, Mapping[str, str]]:
        """Evaluator -> part -> key."""
        seen: dict[str, dict[str, None]] = {}
        for tallies in self.blocks.values():
            for name, tally in tallies.items():
                seen.setdefault(name, {}).update(dict.fromkeys(part for part in tally.parts if part))
        return part_keys(self.evaluators, seen)

    def first_skips(self) -> dict[str, str]:
        """Return, for each evaluator that skipped a row, the reason of its first skip."""
        found: dict[str, str] = {}
        for tallies in self.blocks.values():
            for name, tally in tallies.items():
                if tally.skipped:
                    found.setdefault(name, tally.why_skipped)
        return found

    def _block(self, place: Block) -> dict[str, Tally]:
        if place not in self.blocks:
            self.blocks[place] = {evaluator.name: Tally(evaluator) for evaluator in self.evaluators}
        return self.blocks[place]


def part_keys(
    evaluators: Sequence[EvaluatorInfo], seen: Mapping[str, Iterable[str]] | None = None, taken: Iterable[str] = ()
) -> dict[str, dict[str, str]]:
    """Under which key each part of each evaluator goes where all of them share one row.

    The parts of a user's own evaluator are known from its scores alone, as `seen`. A key that two evaluators share, or
    that is `taken`, is `name.part` for both.
    """
    found: dict[str, dict[str, str]] = {}
    for evaluator in evaluators:
        parts = list((seen or {}).get(evaluator.name, ()))
        own = dict(evaluator.keys) or {part: part for part in parts} or {evaluator.name: evaluator.name}
        found[evaluator.name] = own
    uses = [*taken, *(key for own in found.values() for key in own.values())]
    shared = {key for key in uses if uses.count(key) > 1}
    return {
        name: {part: f"{name}.{part}" if key in shared else key for part, key in own.items()}
        for name, own in found.items()
    }


def numbers_by_key(score: Score, keys: Mapping[str, str]) -> dict[str, float]:
    """The numbers of a score by key; none where it has no value."""
    if score.value is None:
        return {}
    if score.parts:
        return {keys.get(part, part): value for part, value in score.parts.items()}
    return {next(iter(keys.values())): score.value}


def source_of(row: Row) -> tuple[Any, ...]:
    """Return the source of a row: its `source_id`, else its case, known by its place and its id: ids may repeat."""
    case = row.trial.case
    source = case.fields.get("source_id")
    if source is None:
        return _CASE, row.dataset, row.position, type(case.id), case.id
    return "source", source if isinstance(source, (str, int)) else repr(source)  # a row may hold anything there


def sources_of(rows: Sequence[Row]) -> list[Hashable]:
    """Return the source of each row; None for one that shares it with no other row, which costs no memory."""
    return lone_as_none(rows, [row.trial.case.fields.get("source_id") for row in rows], source_of)


def lone_as_none(
    rows: Sequence[_AnyRow], named: Sequence[Any], source: Callable[[_AnyRow], tuple[Any, ...]]
) -> list[Hashable]:
    """Sources of rows, None in place of a case that occurs once; where cases are repeated, each is kept.

    Rows come part by part, and repeats of one case follow each other: a part without any is one of single rows.
    `named` are the sources that rows name themselves.
    """
    if any(row.repeat for row in rows):
        return [source(row) for row in rows]
    if all(name is None for name in named) and len({row.position for row in rows}) == len(rows):
        return [None] * len(rows)
    sources = [source(row) for row in rows]
    times = Counter(sources)
    return [None if times[source] == 1 and source[0] == _CASE else source for source in sources]
