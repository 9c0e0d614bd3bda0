"""`StoredAnswers`: the system that answers with what a file of earlier answers says, by case id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ringtrue.dialects.fields import Fields
from ringtrue.errors import InputError, RingtrueError
from ringtrue.identity import digest
from ringtrue.records import Case, Json, Output


class NoStoredAnswer(RingtrueError):
    """The file has no answer for a case."""


class StoredAnswers:
    """Answers by id; where rows have none, by position."""

    in_flight = 1

    def __init__(self, rows: Iterable[Mapping[str, Json]], name: str = "replay", fields: Fields | None = None) -> None:
        self.name = name
        self.outputs: dict[str | int, Output] = {}
        reader = fields or Fields(answered=True)
        told = []
        for position, row in enumerate(rows):
            case, output = reader.identity(row, position), reader.trial(row, position).output
            if self.outputs.setdefault(case, output) != output:
                raise InputError(f"{name}: row {position + 1} gives the case {case!r} a second, different answer")
            told.append(repr((case, output)))
        self.digest = digest(*told)[:16]

    async def answer(self, case: Case, repeat: int = 0) -> Output:
        """The stored answer of a case."""
        if case.id not in self.outputs:
            raise NoStoredAnswer(f"no stored answer for the case {case.id!r}")
        return self.outputs[case.id]

    def signature(self) -> str:
        """The name and a hash of the answers."""
        return f"{self.name}=StoredAnswers({len(self.outputs)})|sha256:{self.digest}"

    def request_key(self, case: Case, repeat: int) -> str | None:
        """Another file may answer next time."""
        return None
