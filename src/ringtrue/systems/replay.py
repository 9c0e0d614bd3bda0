"""`Replay`: answers that exist already, as a system; and `RowReader`, which finds them in flat rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import itemgetter
from typing import Any

from ringtrue.dialects.field_paths import walk
from ringtrue.dialects.fields import Fields, is_row_record
from ringtrue.dialects.own_rows import trial_from
from ringtrue.errors import ConfigurationError, InputError, RingtrueError
from ringtrue.identity import NamedByClass, digest
from ringtrue.records import Case, CaseId, Json, Output, Problem, Trial

FlatRows = Sequence[tuple[int, Mapping[Any, Json]]]
"""Rows of a file with their positions."""
Shapes = set[tuple[str, ...]]
"""The names of fields, in order, that rows have: mostly all have the same."""
Texts = tuple[list[str], list[tuple[str, ...] | None]]
"""Response texts and expected answers."""

SHOWN_IDS = 3


def shapes_of(rows: FlatRows) -> Shapes:
    """The shapes that rows have."""
    return {*map(tuple, map(itemgetter(1), rows))}


class NoStoredAnswer(RingtrueError):
    """There is no answer for a case."""


class Replay(NamedByClass):
    """Answers that exist already; a latency that was not measured stays unknown."""

    name: str
    replays = True
    in_flight = 8

    def __init__(
        self,
        outputs: Mapping[CaseId, Output] | None = None,
        name: str = "",
        signature: str = "",
        hint: str = "",
    ) -> None:
        self.take_name(name, "replay")
        self.outputs, self._hint = outputs or {}, hint
        self._signature = signature

    @classmethod
    def of_rows(cls, rows: Iterable[Mapping[str, Json]], name: str = "replay", fields: Fields | None = None) -> Replay:
        """The answers of flat rows by id; where rows have none, by position."""
        outputs: dict[CaseId, Output] = {}
        parts: list[str] = []
        reader, hint = fields or Fields(answered=True), ""
        for position, given in enumerate(rows):
            if not position:
                reader = _fields_of_answers(reader, given)
                hint = _missing_fields(reader, reader.lift_paths(given), name)
            row = reader.lift_paths(given)
            case, output = reader.identity(row, position), reader.trial(row, position).output
            if outputs.setdefault(case, output) != output:
                raise InputError(f"{name}: row {position + 1} gives the case {case!r} a second, different answer")
            parts.append(repr((case, output)))
        signature = f"{name}=Replay({len(outputs)})|sha256:{digest(*parts)[:16]}"
        return cls(outputs, name, signature, hint)

    async def answer(self, case: Case, repeat: int = 0) -> Output:
        """The stored answer of a case."""
        found = self.outputs.get(case.id)
        if found is None and not isinstance(case.id, str):
            found = self.outputs.get(str(case.id))  # a file of cells has no numbers
        if found is None:
            known = ", ".join(repr(name) for name in islice(self.outputs, SHOWN_IDS)) or "none"
            more = f" … ({len(self.outputs):,} in all)" if len(self.outputs) > SHOWN_IDS else ""
            raise NoStoredAnswer(
                f"no stored answer for the case {case.id!r}; {self.name} has answers for {known}{more}{self._hint}"
            )
        return found

    def signature(self) -> str:
        """The name, and a hash of the answers where they are a file's."""
        return self._signature or self.name


def _fields_of_answers(fields: Fields, row: Mapping[str, Json]) -> Fields:
    """The fields without names that only the dataset has; that of the response is always about the answers."""
    mapping = fields.mapping
    own = {name: field for name, field in mapping.items() if name == "response" or walk(row, field).arrived}
    return fields if own == mapping else Fields(own, answered=True)


def _missing_fields(fields: Fields, row: Mapping[str, Json], name: str) -> str:
    """Return the complaint about a missing answer if rows have no id; rows without any response are refused at once."""
    problem = RowReader(fields).problem(row, name)
    if problem is not None:
        raise ConfigurationError(f"{problem.where}: {problem.what}", parameter="response", value=name)
    if fields.columns(row).id is not None:
        return ""
    looked = fields.absence("id", row)
    return f": its rows have no id ({looked}) and are known by their place; --map id=FIELD names it"


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
        """The trials of rows with their positions; a row that ringtrue wrote is read as it was written."""
        return [self._trial_of_record(row, position) or self.fields.trial(row, position) for position, row in rows]

    def _trial_of_record(self, row: Mapping[str, Json], position: int) -> Trial | None:
        found = trial_from(row)
        named = self.fields.mapping
        if found is None or not named:
            return found
        seen = self.fields.trial({**found.case.fields, **row}, position)
        case = {name: getattr(seen.case, name) for name in ("id", "input", "expected", "context") if name in named}
        output = seen.output if "response" in named else found.output
        if "latency" in named:
            output = replace(output, latency_seconds=seen.output.latency_seconds)
        return Trial(replace(found.case, **case), output)

    def texts(self, rows: FlatRows, shapes: Shapes) -> Texts | None:
        """The same rows as two columns, response texts and expected answers; None if texts are not all they say."""
        if any(map(is_row_record, shapes)):
            return None
        columns, expected = self.fields.columns, self.fields.expected
        if len(shapes) == 1:
            said, gold = columns(rows[0][1])[:2]
            texts, answers = [row.get(said) for _, row in rows], [row.get(gold) for _, row in rows]
        else:
            texts = [row.get(columns(row).response) for _, row in rows]
            answers = [row.get(columns(row).expected) for _, row in rows]
        if not {*map(type, texts)} <= {str}:
            return None
        return texts, [(one,) if type(one) is str and one else expected(one) for one in answers]  # type: ignore[return-value]
