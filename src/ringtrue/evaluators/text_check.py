"""`TextCheck`: a check of the output's text against the expected answers alone, one by one or by the column."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from ringtrue.dialects.dicts import texts_of
from ringtrue.dialects.suite import AnyCase, answers_of
from ringtrue.evaluators.check import Check
from ringtrue.identity import overridden_method
from ringtrue.records import Case, Json, Output, Score, Trial


@dataclass(frozen=True)
class TextCheck(Check):
    """A check that reads the output's text and the expected answers alone; a subclass defines `grade_text`."""

    @abstractmethod
    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """The score of a text within the size limit."""

    def grade_texts(self, texts: Sequence[str], expected: Sequence[tuple[str, ...] | None]) -> list[Score]:
        """The scores of texts within the size limit; overridden where a column is cheaper than its cells."""
        return list(map(self.grade_text, texts, expected))

    @cached_property
    def reads_only_texts(self) -> bool:
        """Whether columns of texts are enough; a subclass that overrides how a trial is measured has to see trials."""
        kind = type(self)
        measures = kind.measure is Check.measure and kind.measure_many is Check.measure_many
        graded_by_column = kind.grade_texts is TextCheck.grade_texts or not overridden_method(self, "grade_text")
        return measures and kind.grade is TextCheck.grade and graded_by_column

    def grade(self, trial: Trial) -> Score:
        """The score of the trial's text against its expected answers."""
        return self.grade_text(trial.output.text, trial.case.expected)

    def measure_dicts(self, original: Mapping[str, Json], processed: Mapping[str, Json]) -> Score:
        """The score of the trial that two dicts describe, made of its text and its answers alone."""
        if not self.reads_only_texts:
            return super().measure_dicts(original, processed)
        return self._measure_text(*texts_of(original, processed))

    def measure_output(self, case: AnyCase, text: str, problem: str, latency_ms: float | None) -> Score:
        """The score of an output of a case, made of its text and its answers alone."""
        if not self.reads_only_texts:
            return super().measure_output(case, text, problem, latency_ms)
        return self._measure_text(text, problem, answers_of(case))

    def _measure_text(self, text: str, problem: str, expected: tuple[str, ...] | None) -> Score:
        problem = problem or self.size_problem(text, expected)
        return self.fail(problem) if problem else self.grade_text(text, expected)

    def measure_texts(
        self, texts: Sequence[str], expected: Sequence[tuple[str, ...] | None], *, longest: int | None = None
    ) -> list[Score]:
        """The scores of two columns of equal length, identical to measuring a trial of each text with its answers.

        `longest` is what `longest_of` says of them, for one who has asked already.
        """
        if len(texts) != len(expected):
            raise ValueError(f"texts and expected must be equally long; got {len(texts)} and {len(expected)}")
        if (longest_of(texts, expected) if longest is None else longest) <= self.max_chars:
            return self.grade_texts(texts, expected)
        return [
            self.measure(Trial(Case(expected=answers), Output(text)))
            for text, answers in zip(texts, expected, strict=True)
        ]

    @cached_property
    def full_marks(self) -> Score:
        """The pass that every faultless text shares: building a score costs more than most checks do."""
        return self.verdict(1.0)


def longest_of(texts: Sequence[str], expected: Sequence[tuple[str, ...] | None]) -> int:
    """The length of the longest text or answer."""
    return max(map(len, chain(texts, chain.from_iterable(filter(None, expected)))), default=0)
