"""The fields of a row by meaning: the names of all three dialects and of peers, and a user's own mapping."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from ringtrue.dialects.coercion import (
    answers,
    case_id,
    context_text,
    is_absent,
    only,
    output_text,
    output_value,
    plain_row,
    plain_text,
    plain_value,
    question_text,
    seconds,
)
from ringtrue.dialects.field_paths import there, walk
from ringtrue.dialects.transcripts import last_said, trial_of_messages, turns
from ringtrue.errors import ConfigurationError
from ringtrue.records import Case, CaseId, Json, Output, Trial

ALIASES: dict[str, tuple[str, ...]] = {
    "response": (
        "response",
        "output",
        "actual_output",
        "prediction",
        "completion",
        "model_output",
        "model_response",
        "generated_text",
        "generation",
        "actualOutput",
        "filtered_resps",
        "resps",
    ),
    "expected": (
        "answer",
        "expected",
        "expected_output",
        "target",
        "reference",
        "references",
        "answers",
        "gold_answers",
        "gold",
        "ground_truth",
        "ground_truths",
        "reference_answer",
        "ideal",
        "expectedOutput",
    ),
    "input": ("question", "input", "prompt", "query", "user_input", "inputs", "problem", "instruction"),
    "context": ("context", "contexts", "retrieval_context", "retrieved_contexts", "retrievalContext"),
    "id": ("id", "case_id", "example_id", "task_id", "question_id", "key", "doc_id"),
    "latency": ("latency_seconds", "latency_ms", "latencyMs", "latency"),
}
"""Meaning -> field names, the first present one wins. `latency` and `latency_seconds` are seconds."""


TRANSCRIPT = "messages"
"""Where a row keeps a whole conversation; `tools` beside it are the assistant's."""

ASSISTANTS = ("assistant", "model", "ai")
"""Roles of the one who is asked."""

ERRORS = ("model_error", "system_error", "timeout")
"""What a row that ringtrue wrote has as its `error` if there is no answer."""

_RECORD = frozenset({"row", "system", "repeat", "response", "problem"})

_LISTED = ("filtered_resps", "resps")
"""Fields of lm-eval, which keeps a response as a list in a list."""


def is_row_record(names: Iterable[str]) -> bool:
    """Whether these are the fields of a row that ringtrue wrote."""
    return _RECORD.issubset(names)


class Columns(NamedTuple):
    """The field of each meaning in rows of one shape, None where there is none.

    `others` are fields whose values a record of the row does not have under a name of its own.
    """

    response: str | None
    expected: str | None
    input: str | None
    context: str | None
    id: str | None
    latency: str | None
    others: tuple[str, ...] = ()


def _meaning(name: str) -> str:
    """Return the meaning of a name: a meaning's own name, or one of the fields that are read as it."""
    found = name if name in ALIASES else next((meaning for meaning, names in ALIASES.items() if name in names), None)
    if found is None:
        words = f"a mapping (--map) names the field of {', '.join(ALIASES)}; got {name!r}"
        raise ConfigurationError(words, parameter="map", value=name)
    return found


class Fields:
    """Finds the fields of rows; rows of one shape are looked at once.

    `mapping` names other fields by meaning; `meta.gold.0` leads into objects and lists, in rows that are `lifted`.
    `answered` rows hold a response beside the case; other rows are cases alone.
    """

    _REMEMBERED = 1_000

    def __init__(
        self, mapping: Mapping[str, str] | None = None, *, blank_is_missing: bool = False, answered: bool = False
    ) -> None:
        if mapping is not None and not isinstance(mapping, Mapping):
            words = f"mapping must be a dict, as in {{'response': 'model_said'}}; got {mapping!r}"
            raise ConfigurationError(words, parameter="mapping", value=mapping)
        self.mapping = {_meaning(name): field for name, field in (mapping or {}).items()}
        self.blank_is_missing = blank_is_missing
        self.answered = answered
        self.paths = tuple(name for name in self.mapping.values() if "." in name)
        self._shapes: dict[tuple[str, ...], Columns] = {}

    def columns(self, row: Mapping[str, Json]) -> Columns:
        """Return the columns of a row of this shape, by meaning."""
        shape = tuple(row)
        found = self._shapes.get(shape)
        if found is None:
            found = self._look(row)
            if len(self._shapes) < self._REMEMBERED:
                self._shapes[shape] = found
        return found

    def lift_paths(self, row: Mapping[str, Json]) -> Mapping[str, Json]:
        """A row in which every mapped path that leads somewhere is a field of its own."""
        ends = {name: walk(row, name) for name in self.paths if name not in row}
        found = {name: plain_value(end.value) for name, end in ends.items() if end.arrived}
        return {**row, **found} if found else row

    def _look(self, row: Mapping[str, Json]) -> Columns:
        found = {meaning: self._first(meaning, row) for meaning in ALIASES}
        named = not self.mapping.keys().isdisjoint(("response", "expected"))
        if self.answered and not named and found["response"] is None and found["expected"] == "answer":
            # Rows of answers in the shape question, answer, ground_truth: there `answer` is what the system said.
            other = next((name for name in ALIASES["expected"][1:] if name in row), None)
            if other is not None:
                found["response"], found["expected"] = "answer", other
        parts = {name for meaning, name in found.items() if meaning != "latency" and meaning not in self.mapping}
        others = (name for name in row if name not in parts or name == found["latency"])
        return Columns(**found, others=tuple(others))

    def _first(self, meaning: str, row: Mapping[str, Json]) -> str | None:
        if meaning in self.mapping:
            name = self.mapping[meaning]
            return name if name in row else None
        return next((name for name in ALIASES[meaning] if name in row), None)

    def absence(self, meaning: str, row: Mapping[str, Json]) -> str:
        """The names that were tried and those that a row has, for messages."""
        own = self.mapping.get(meaning)
        return f"looked for {own or ', '.join(ALIASES[meaning])}; the row has {there(row, own)}"

    def trial(self, row: Mapping[str, Json], position: int) -> Trial:
        """The trial a row holds: question, gold and response side by side, or a transcript that ends with one."""
        row = plain_row(row)
        at = self.columns(row)
        case, output = self._case(row, at, position), self._output(row, at)
        if at.response is not None or not self.is_transcript(row):
            return Trial(case, output)
        tools = row.get("tools")
        seen = trial_of_messages(row[TRANSCRIPT], tools if isinstance(tools, (list, tuple)) else ())
        found = replace(
            case,
            input=case.input or seen.case.input,
            messages=seen.case.messages,
            tools=seen.case.tools,
        )
        return Trial(found, replace(seen.output, latency_seconds=output.latency_seconds))

    def is_transcript(self, row: Mapping[str, Json]) -> bool:
        """Whether a row has its response as the last of its messages, and nowhere else."""
        messages = row.get(TRANSCRIPT)
        seen = isinstance(messages, (list, tuple)) and bool(messages) and "response" not in self.mapping
        return seen and self.columns(row).response is None

    def output(self, row: Mapping[str, Json]) -> Output:
        """The output a row holds."""
        row = plain_row(row)
        return self._output(row, self.columns(row))

    def _output(self, row: Mapping[str, Json], at: Columns) -> Output:
        text, problem = _response_text(row, at.response)
        error = row.get("error")
        if error in ERRORS and not text and is_row_record(row):
            problem = plain_text(row.get("problem") or error)
        else:
            error = ""
        return Output(text, problem, latency_seconds=self.latency_seconds(row, at), error=error)

    def latency_seconds(self, row: Mapping[str, Json], at: Columns) -> float | None:
        """The seconds that the answer took, if the row has them."""
        if at.latency is None:
            return None
        return seconds(row[at.latency], per_second=1_000.0 if at.latency.endswith(("_ms", "Ms")) else 1.0)

    def response(self, row: Mapping[str, Json]) -> tuple[str, str]:
        """The text of the output that a row holds and, where there is none, the problem."""
        row = plain_row(row)
        return _response_text(row, self.columns(row).response)

    def case(self, row: Mapping[str, Json], position: int) -> Case:
        """The case a row holds."""
        row = plain_row(row)
        return self._case(row, self.columns(row), position)

    def _case(self, row: Mapping[str, Json], at: Columns, position: int) -> Case:
        return Case(
            id=self.identity_of(row[at.id], position) if at.id else position,
            input=question_text(row[at.input]) if at.input else "",
            expected=self.expected(row[at.expected]) if at.expected else None,
            context=context_text(row[at.context]) if at.context else "",
            tags=case_tags(row.get("tags")),
            fields=row,
        )

    def answers(self, row: Mapping[str, Json]) -> tuple[str, ...] | None:
        """The acceptable answers that a row holds."""
        row = plain_row(row)
        name = self.columns(row).expected
        return self.expected(row[name]) if name else None

    def question(self, row: Mapping[str, Json], position: int) -> Case:
        """The case a row asks: its question, or the conversation that its messages are."""
        case = self.case(row, position)
        messages = self.conversation(row)
        if not messages:
            return case
        tools = row.get("tools")
        return replace(
            case,
            input=case.input or last_said(turns(messages), "user"),
            messages=messages,
            tools=tuple(tools) if isinstance(tools, (list, tuple)) else (),
        )

    def expected(self, value: Json) -> tuple[str, ...] | None:
        """The acceptable answers in a field; a blank one is none in rows, where a cell cannot be left out."""
        return None if self.blank_is_missing and isinstance(value, str) and not value else answers(value)

    def identity(self, row: Mapping[str, Json], position: int) -> CaseId:
        """The own id of a row, else its place."""
        name = self.columns(row).id
        return self.identity_of(row[name], position) if name else position

    def identity_of(self, given: Json, position: int) -> CaseId:
        """The id in a field; a blank one is the place."""
        if type(given) is int or (type(given) is str and given):
            return given
        value = plain_value(given)
        if is_absent(value) or value in ([], {}, ()) or (self.blank_is_missing and value == ""):
            return position
        return case_id(value)

    def conversation(self, row: Mapping[str, Json]) -> tuple[Mapping[str, Json], ...]:
        """The messages a row asks with: all of its messages up to the last that is not the assistant's."""
        given = row.get(TRANSCRIPT)
        messages = list(given) if isinstance(given, (list, tuple)) else []
        if not all(isinstance(message, Mapping) for message in messages):
            return ()
        while messages and messages[-1].get("role") in ASSISTANTS:
            messages.pop()
        return tuple(messages)


def case_tags(value: Json) -> tuple[str, ...]:
    """The tags of a row: a list of them, or a cell with commas between them."""
    given = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else ()
    return tuple(tag for one in given if one is not None and (tag := str(one).strip()))


def _response_text(row: Mapping[str, Json], name: str | None) -> tuple[str, str]:
    if name is None:
        return "", "there is no response"
    return output_text(only(row[name]) if name in _LISTED else output_value(row[name]))


DEFAULT = Fields()
