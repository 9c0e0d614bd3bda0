"""`Replay`: the system that answers with what a file already holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ringtrue.dialects.fields import Fields
from ringtrue.records import Json, Problem, Trial

Texts = tuple[list[str], list[tuple[str, ...] | None]]


@dataclass(frozen=True)
class Replay:
    """Stored outputs beside their cases in flat rows."""

    fields: Fields = field(default_factory=Fields)

    def missing(self, row: Mapping[str, Json], where: str) -> Problem | None:
        """The problem of a row that holds no response at all, else None."""
        if self.fields.columns(row).response is not None:
            return None
        names = self.fields.looked_for("response")
        return Problem(where, f"no response (looked for {names}); --map response=FIELD names another field")

    def trials(self, rows: Iterable[tuple[int, Mapping[str, Json]]]) -> list[Trial]:
        """The trials of rows with their positions."""
        return [self.fields.trial(row, position) for position, row in rows]

    def texts(self, rows: Iterable[tuple[int, Mapping[str, Json]]]) -> Texts | None:
        """The same rows as two columns, response texts and expected answers; None if a response is not plain text."""
        texts: list[str] = []
        wanted: list[tuple[str, ...] | None] = []
        columns, expected = self.fields.columns, self.fields.expected
        for _, row in rows:
            at = columns(row)
            text = row[at.response or ""]
            if type(text) is not str:
                return None
            texts.append(text)
            wanted.append(expected(row[at.expected]) if at.expected else None)
        return texts, wanted
