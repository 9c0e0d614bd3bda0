"""`Example`: a generated question with its context and everything a right answer says."""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    """A context, a question about it, and the texts that a right answer holds, all of them."""

    context: str
    question: str
    required: list[str]

    @property
    def text(self) -> str:
        """The text to send: context and question."""
        return f"{self.context}\n\n{self.question}"
