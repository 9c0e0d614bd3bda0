"""`ReferenceCheck`: a check that measures how near the output comes to one or more reference texts."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score


@dataclass(frozen=True)
class ReferenceCheck(TextCheck):
    """A check that needs a reference: without one it is skipped, and an empty one is never met."""

    needs = "one or more expected outputs"

    @abstractmethod
    def compare(self, text: str, references: tuple[str, ...]) -> Score:
        """The score of a text against references of which at least one is not empty."""

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Skipped without an expected output, a failure against an empty one, else what `compare` says."""
        if expected is None:
            return Score.skipped("there is no expected output to compare with")
        if not any(expected):
            return self.fail("the expected output is empty")
        return self.compare(text, expected)
