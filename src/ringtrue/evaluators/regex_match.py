"""`RegexMatch`: a regular expression matches somewhere in the output."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score
from ringtrue.require import require
from ringtrue.scoring.patterns.bounded_search import SECONDS_PER_MILLION_CHARACTERS, BoundedPattern, bounded_pattern


@dataclass(frozen=True)
class RegexMatch(TextCheck):
    """Passes if the pattern, with the syntax, flags and meaning of Python's `re`, matches anywhere in the output.

    A compiled pattern keeps its own flags. A search that takes too long is a failure that says so.
    """

    default_name = "regex_match"
    parts = ("regex_match",)
    needs = "nothing but an output"
    formula = "1 if re.search(pattern, output, flags) finds a match, else 0"
    matches = "Python's re"

    pattern: str | re.Pattern[str]
    flags: int = re.IGNORECASE
    threshold: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        bounded = self._bounded_pattern
        if isinstance(self.pattern, re.Pattern):
            # The default of `flags` looks like a flag that was asked for; any other would be silently lost.
            require(
                self.flags in (0, re.IGNORECASE, self.pattern.flags),
                f"a compiled pattern has its own flags; compile it with {self.flags!r} or pass its text",
                parameter="flags",
                value=self.flags,
            )
        object.__setattr__(self, "pattern", bounded.compiled.pattern)
        object.__setattr__(self, "flags", bounded.flags)

    @cached_property
    def _bounded_pattern(self) -> BoundedPattern:
        return bounded_pattern(self.pattern, self.flags)

    @cached_property
    def _absent(self) -> Score:
        return self.verdict(0.0, "the pattern matches nowhere")

    @cached_property
    def _given_up(self) -> Score:
        return self.fail(
            f"the search was given up after {SECONDS_PER_MILLION_CHARACTERS} s of CPU time per million characters; "
            "a pattern without repeats inside repeats is faster",
            undecided=True,
        )

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Full marks for a match."""
        found = self._bounded_pattern.found_in(text)
        if found:
            return self.full_marks
        return self._given_up if found is None else self._absent

    def grade_texts(self, texts: Sequence[str], expected: Sequence[tuple[str, ...] | None]) -> list[Score]:
        """The scores of a column; a pattern that is safe on any text searches without further ado."""
        if self._bounded_pattern.safe_chars < inf:
            return super().grade_texts(texts, expected)
        search, there, absent = self._bounded_pattern.compiled.search, self.full_marks, self._absent
        try:
            return [there if search(text) else absent for text in texts]
        except SystemError:  # of one text; see BoundedPattern.found_in
            return super().grade_texts(texts, expected)
