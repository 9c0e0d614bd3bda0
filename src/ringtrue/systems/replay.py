"""`Replay`: answers that exist already, as a system; and `RowReader`, which finds them in flat rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ringtrue.dialects.fields import Fields
from ringtrue.errors import InputError, RingtrueError
from ringtrue.identity import digest
from ringtrue.records import Case, Json, Output, Problem, Trial
from ringtrue.systems.system import PreparedRequest

FlatRows = Sequence[tuple[int, Mapping[Any, Json]]]
"""Rows of a file with their positions."""
Texts = tuple[list[str], list[tuple[str, ...] | None]]
"""Response texts and expected answers."""
AnswerKey = Callable[[Case, int], Hashable]


class NoStoredAnswer(RingtrueError):
    """There is no answer for a case."""


def by_case_id(case: Case, repeat: int) -> Hashable:
    """Answers belong to the ids of cases."""
    return case.id


def by_identity(case: Case, repeat: int) -> Hashable:
    """Answers belong to the very objects that stand for cases: ids may repeat."""
    return id(case), repeat


class Replay:
    """Answers that exist already; a latency that nobody measured stays unknown.

    `answer_keys` are where the store has the answers, for a run that is scored again.
    """

    replays = True
    in_flight = 8

    def __init__(
        self,
        outputs: Mapping[Hashable, Output],
        name: str = "replay",
        *,
        key: AnswerKey = by_case_id,
        signature: str = "",
        answer_keys: Mapping[Hashable, str] | None = None,
    ) -> None:
        self.outputs, self.name, self.key = outputs, name, key
        self.answer_keys = answer_keys or {}
        self._signature = signature or name

    @classmethod
    def of_trials(cls, trials: Iterable[Trial], name: str = "replay") -> Replay:
        """The outputs of trials, each for its own case; keep the trials, whose cases are known by being themselves."""
        return cls({by_identity(trial.case, 0): trial.output for trial in trials}, name, key=by_identity)

    @classmethod
    def of_rows(cls, rows: Iterable[Mapping[str, Json]], name: str = "replay", fields: Fields | None = None) -> Replay:
        """The answers of flat rows by id; where rows have none, by position."""
        reader = fields or Fields(answered=True)
        outputs: dict[Hashable, Output] = {}
        told = []
        for position, row in enumerate(rows):
            case, output = reader.identity(row, position), reader.trial(row, position).output
            if outputs.setdefault(case, output) != output:
                raise InputError(f"{name}: row {position + 1} gives the case {case!r} a second, different answer")
            told.append(repr((case, output)))
        signature = f"{name}=Replay({len(outputs)})|sha256:{digest(*told)[:16]}"
        return cls(outputs, name, signature=signature)

    async def answer(self, case: Case, repeat: int = 0) -> Output:
        """The stored answer of a case."""
        found = self.outputs.get(self.key(case, repeat))
        if found is None:
            raise NoStoredAnswer(f"no stored answer for the case {case.id!r}")
        return found

    def prepare_request(self, case: Case, repeat: int) -> PreparedRequest:
        """Where the answer is kept, if it is."""
        kept = self.answer_keys.get(self.key(case, repeat), "")
        return PreparedRequest(None, partial(self.answer, case, repeat), kept)

    def signature(self) -> str:
        """The name, and a hash of the answers where they are a file's."""
        return self._signature

    def request_key(self, case: Case, repeat: int) -> str | None:
        """Another file may answer next time."""
        return None


@dataclass(frozen=True)
class RowReader:
    """Reads cases and stored outputs out of flat rows."""

    fields: Fields = field(default_factory=lambda: Fields(answered=True))

    def problem(self, row: Mapping[str, Json], where: str) -> Problem | None:
        """The problem of a row that holds no response at all, else None."""
        if self.fields.columns(row).response is not None or self.fields.is_transcript(row):
            return None
        return Problem(where, f"no response ({self.fields.absence('response', row)}); --map response=FIELD names it")

    def trials(self, rows: FlatRows) -> list[Trial]:
        """The trials of rows with their positions."""
        return [self.fields.trial(row, position) for position, row in rows]

    def texts(self, rows: FlatRows) -> Texts | None:
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
