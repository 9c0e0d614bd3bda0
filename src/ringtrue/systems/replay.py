"""`Replay`: the system that answers with what a file already holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ringtrue.dialects.fields import Fields
from ringtrue.records import Json, Problem, Trial

Rows = Sequence[tuple[int, Mapping[Any, Json]]]
Texts = tuple[list[str], list[tuple[str, ...] | None]]


@dataclass(frozen=True)
class Replay:
    """Stored outputs beside their cases in flat rows."""

    fields: Fields = field(default_factory=lambda: Fields(answered=True))

    def problem(self, row: Mapping[str, Json], where: str) -> Problem | None:
        """The problem of a row that holds no response at all, else None."""
        if self.fields.columns(row).response is not None or self.fields.is_transcript(row):
            return None
        return Problem(where, f"no response ({self.fields.absence('response', row)}); --map response=FIELD names it")

    def trials(self, rows: Rows) -> list[Trial]:
        """The trials of rows with their positions."""
        return [self.fields.trial(row, position) for position, row in rows]

    def texts(self, rows: Rows) -> Texts | None:
        """The same rows as two columns, response texts and expected answers; None if a response is not plain text."""
        texts: list[str] = []
        wanted: list[tuple[str, ...] | None] = []
        expected = self.fields.expected
        shape: tuple[str, ...] | None = None
        for _, row in rows:
            if (here := tuple(row)) != shape:
                shape, at = here, self.fields.columns(row)
                said, gold = at.response, at.expected
            text = row.get(said)
            if type(text) is not str:
                return None
            texts.append(text)
            answer = row.get(gold)
            wanted.append((answer,) if answer and type(answer) is str else expected(answer))
        return texts, wanted
