"""Whether cases ask anything, found out before the first call."""

from __future__ import annotations

from collections.abc import Iterable

from ringtrue.dialects.fields import DEFAULT
from ringtrue.errors import ConfigurationError
from ringtrue.records import Case
from ringtrue.systems.system import System


def asks_something(case: Case) -> bool:
    """Whether a case has a question, a context, or messages or turns of a conversation."""
    return bool(case.input or case.context or case.messages or case.fields.get("turns"))


def require_questions(systems: Iterable[System], cases: Iterable[Case]) -> None:
    """Raise a ConfigurationError if no row of a dataset asks anything by a known name, and a system would be asked so.

    Systems that are given the whole row may ask by a name of their own, and stored answers need no question. A single
    row that asks nothing costs itself alone.
    """
    if all(getattr(system, "replays", False) or getattr(system, "reads_rows", False) for system in systems):
        return
    silent: dict[str, Case | None] = {}  # the first case of a dataset, until one of its cases asks something
    for case in cases:
        name = str(case.fields.get("dataset") or "")
        if silent.setdefault(name, case) is not None and (asks_something(case) or _has_question_field(case)):
            silent[name] = None
    for name, first in silent.items():
        row = {field: value for field, value in first.fields.items() if field != "dataset"} if first else {}
        if row:
            looked = DEFAULT.absence("input", row)
            raise ConfigurationError(
                f"the rows of {name or 'the dataset'} ask nothing: no question ({looked}), and no "
                "context, messages or turns; --map input=FIELD names the question, mapping={'input': FIELD} in Python",
                parameter="dataset",
                value=name,
            )


def _has_question_field(case: Case) -> bool:
    return DEFAULT.columns(case.fields).input is not None
