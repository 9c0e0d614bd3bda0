"""`Refusals`: when a system that refuses every question need not be asked the rest."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.errors import ModelError

ENOUGH = 5
"""So many equal refusals in a row."""
_DENIED = frozenset({401, 403, 404})


@dataclass
class Refusals:
    """Equal refusals of a key, a model or an address in a row; enough of them stop a run.

    A connection that fails counts while nothing was answered at all: later it may be a server that starts again.
    """

    kind: str = ""
    count: int = 0
    answered: bool = False
    stopped_by: str = ""

    def note_answer(self) -> None:
        """A question was answered."""
        self.answered = True
        self.count = 0

    def note_failure(self, error: ModelError) -> None:
        """A question was not answered."""
        denied = error.status in _DENIED
        kind = str(error.status) if denied else "connection" if error.kind == "connection" and not self.answered else ""
        self.count = self.count + 1 if kind == self.kind else 1
        self.kind = kind
        if kind and self.count >= ENOUGH and not self.stopped_by:
            self.stopped_by = f"{error}; {ENOUGH} questions in a row ended so, and the rest was not asked"
