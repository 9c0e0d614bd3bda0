"""`FileJob`: the rows of files, scored piece by piece on every core; no answer is asked for, and nothing is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from ringtrue.datasets.files.chunks import Chunk
from ringtrue.dialects.coercion import plain_value
from ringtrue.dialects.fields import is_row_record
from ringtrue.dialects.flat_record import flat_row_records
from ringtrue.dialects.own_rows import place_and_repeat
from ringtrue.dialects.run_record import row_record, score_records
from ringtrue.jsontext import json_lines
from ringtrue.records import DatasetInfo, EvaluatorInfo, Json, Made, Problem, Row, Score, Summary, Trial
from ringtrue.runner.error_causes import ErrorCauses
from ringtrue.runner.plan import Plan
from ringtrue.stats.row_status import headline_of
from ringtrue.stats.summarise import RunTally
from ringtrue.systems.replay import FlatRows, RowReader, Shapes, Texts, shapes_of

SHOWN_PROBLEMS = 20
WORTH_SECONDS = 1.0
"""Work goes to other processes once it has cost what starting them costs: no job is twice as dear for it."""
_NAMED_PROBLEMS = SHOWN_PROBLEMS + 1  # one more says that there are more

ANSWERS = "answers"
"""The name of the system whose answers a file holds, where its rows do not say."""

Columns = Sequence[Sequence[Score]]
ChunkListener = Callable[[int, float, Sequence[Problem]], None]
"""Hears after each piece of work how many rows and bytes were read, and what could not be."""


@dataclass(slots=True)
class ChunkResult:
    """The result of one piece of the input."""

    tally: RunTally
    causes: ErrorCauses = field(default_factory=ErrorCauses)
    size: float = 0.0
    broken: int = 0
    problems: tuple[Problem, ...] = ()
    lines: bytes = field(default=b"", repr=False)

    def merge(self, other: ChunkResult) -> None:
        """Take another piece in."""
        self.tally.merge(other.tally)
        self.causes.merge(other.causes)
        self.size += other.size
        self.broken += other.broken
        self.problems = (*self.problems, *other.problems)[:_NAMED_PROBLEMS]


@dataclass(frozen=True)
class FileJob:
    """From a chunk to its scores; it travels to worker processes.

    `dataset` and `system` are the names of rows that do not say their own. With `writes_lines`, results hold their rows
    as JSON lines.
    """

    plan: Plan
    reader: RowReader
    dataset: str = ""
    system: str = ANSWERS
    writes_lines: bool = False

    @property
    def evaluators(self) -> tuple[EvaluatorInfo, ...]:
        """The evaluators of the plan."""
        return self.plan.infos

    def results(self, chunks: Iterable[Chunk], workers: int) -> Generator[ChunkResult, None, None]:
        """Yield the result of each chunk, in order: from this process, and from every core once that is worth it."""
        remaining = iter(chunks)
        started = time.process_time()
        for chunk in remaining:
            yield self(chunk)
            if workers > 1 and time.process_time() - started > WORTH_SECONDS:
                from ringtrue.runner.process_map import map_in_processes  # most files are done before they need it

                yield from map_in_processes(self, remaining, workers)

    def nothing(self) -> ChunkResult:
        """The result of no chunk at all."""
        return ChunkResult(RunTally(self.evaluators))

    def __call__(self, chunk: Chunk) -> ChunkResult:
        """Return the result of a chunk."""
        rows, problems = self._read(chunk)
        shapes = shapes_of(rows)
        texts = self.reader.texts(rows, shapes) if self.plan.reads_only_texts else None
        are_own = any(map(is_row_record, shapes))
        trials: list[Trial] = []
        if texts is not None:  # every response is text and nothing else is looked at: no trial has to be built
            columns = self.plan.measure_texts(texts)
        else:
            rows = self._with_answers(chunk, rows, problems)
            trials = self.reader.trials(self._with_dataset(rows) if self.writes_lines or are_own else rows)
            columns = self.plan.measure(trials)
        result = self.nothing()
        result.size, result.broken, result.problems = chunk.size, len(problems), tuple(problems)
        if are_own:  # they may repeat cases, and hold what a case comes from among its fields
            result.tally.add(self.rows(trials, rows, columns))
        else:
            self._count(result.tally, rows, columns, {*chain.from_iterable(shapes)})
        self._note_errors(result, columns)
        if self.writes_lines:
            if texts is not None:
                records = self._text_records(rows, shapes, texts, columns)
            else:
                records = map(row_record, self.rows(trials, rows, columns))
            result.lines = json_lines(records)
        return result

    def scored_rows(self, chunk: Chunk) -> list[Row]:
        """The rows of a chunk with their scores."""
        rows, _ = self.answered_rows(chunk)
        trials = self.reader.trials(rows)
        return self.rows(trials, rows, self.plan.measure(trials))

    def answered_rows(self, chunk: Chunk) -> tuple[FlatRows, list[Problem]]:
        """The rows of a chunk that hold a response, each with its dataset, and a Problem for each of the others."""
        rows, problems = self._read(chunk)
        return self._with_dataset(self._with_answers(chunk, rows, problems)), problems

    def _read(self, chunk: Chunk) -> tuple[FlatRows, list[Problem]]:
        rows, problems = chunk.read()
        fields = self.reader.fields
        return [(position, fields.lift_paths(row)) for position, row in rows] if fields.paths else rows, problems

    def _with_answers(self, chunk: Chunk, rows: FlatRows, problems: list[Problem]) -> FlatRows:
        """The rows that hold a response; the others join the problems."""
        found = [(item, self.reader.problem(item[1], chunk.place(item[0]))) for item in rows]
        problems += [problem for _, problem in found if problem]
        return [item for item, problem in found if not problem]

    def _with_dataset(self, rows: FlatRows) -> FlatRows:
        """Rows that say which dataset they are of, as one that is kept or written down has to."""
        return [(place, row if _own_name(row, "dataset") else {**row, "dataset": self.dataset}) for place, row in rows]

    def _text_records(
        self, rows: FlatRows, shapes: Shapes, texts: Texts, columns: Columns
    ) -> Iterator[dict[str, Json]]:
        scores = score_records([evaluator.name for evaluator in self.evaluators], columns)
        names = {"dataset": self.dataset, "system": self.system}
        return flat_row_records(rows, shapes, texts, scores, self.reader.fields, names)

    def _count(self, tally: RunTally, rows: FlatRows, columns: Columns, names: set[str]) -> None:
        """Count scores by dataset and system, as rows say them; `names` are the fields that some row has."""
        tally.rows += len(rows)
        groups: dict[tuple[str, str], list[int]] = {}
        sources: list[Hashable] | None = None
        if "dataset" in names or "system" in names:
            for place, (_, row) in enumerate(rows):
                groups.setdefault(self._names(row), []).append(place)
        if "source_id" in names:
            sources = [_source(row) for _, row in rows]
        if len(groups) <= 1:
            block = next(iter(groups), (self.dataset, self.system))
            tally.add_columns(*block, columns, sources)
            return
        for block, places in groups.items():
            own = None if sources is None else [sources[place] for place in places]
            tally.add_columns(*block, [[column[place] for place in places] for column in columns], own)

    def _note_errors(self, result: ChunkResult, columns: Columns) -> None:
        if any(tally.errors for tallies in result.tally.blocks.values() for tally in tallies.values()):
            for evaluator, column in zip(self.evaluators, columns, strict=True):
                for score in column:
                    result.causes.note(evaluator.name, score)

    def _names(self, row: Any) -> tuple[str, str]:
        return _own_name(row, "dataset") or self.dataset, _own_name(row, "system") or self.system

    def rows(self, trials: Sequence[Trial], rows: FlatRows, columns: Columns = ()) -> list[Row]:
        """Rows with their scores, if there are any yet; one that ringtrue wrote keeps its case's place, and repeat."""
        names = [evaluator.name for evaluator in self.evaluators]
        found = []
        for trial, (position, row), *scores in zip(trials, rows, *columns, strict=True):
            system = _own_name(row, "system") or self.system
            number, repeat = place_and_repeat(row) or (position, 0)
            own = dict(zip(names, scores, strict=False))
            found.append(Row(trial=trial, scores=own, position=number, system=system, repeat=repeat))
        return found


def file_summaries(tally: RunTally, made: Made) -> dict[str, dict[str, dict[str, Summary]]]:
    """Dataset -> system -> key -> summary, with the share of rows that passed by the headline."""
    found = tally.summaries()
    headlines = {one.name: headline_of(one.headline, made.evaluators) for one in made.datasets}
    for (dataset, system), tallies in tally.blocks.items():
        headline = headlines.get(dataset)
        if headline is not None and headline.is_main:
            own = found.setdefault(dataset, {}).setdefault(system, {})
            own.setdefault("pass_rate", tallies[headline.evaluator].pass_share())
    return found


def datasets_of_tally(tally: RunTally) -> tuple[DatasetInfo, ...]:
    """The datasets that the rows name, with how many rows each has."""
    counts: dict[str, int] = {}
    for (dataset, _), tallies in tally.blocks.items():
        one = next(iter(tallies.values()))
        measured = max((numbers.n for numbers in one.parts.values()), default=0)
        counts[dataset] = counts.get(dataset, 0) + measured + one.skipped + one.errors
    return tuple(DatasetInfo(name, cases=cases) for name, cases in counts.items())


def _own_name(row: Any, name: str) -> str:
    """The dataset or system that a row itself names; NaN is none."""
    return str(plain_value(row.get(name)) or "")


def _source(row: Any) -> Hashable:
    source = row.get("source_id")
    if source is None:
        return None
    return "source", source if isinstance(source, (str, int)) else repr(source)
