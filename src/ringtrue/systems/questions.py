"""Whether cases ask anything, found out before the first call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ringtrue.dialects.fields import DEFAULT
from ringtrue.errors import ConfigurationError
from ringtrue.records import Case
from ringtrue.systems.system import System


def asks_something(case: Case) -> bool:
    """Whether a case has a question, a context, or messages or turns of a conversation."""
    return bool(case.input or case.context or case.messages or case.fields.get("turns"))


def require_questions(systems: Iterable[System], cases: Sequence[Case]) -> None:
    """Raise a ConfigurationError if a row has no question by any known name, and a system would be asked nothing.

    Systems that are given the whole row may ask by a name of their own, and stored answers need no question.
    """
    if all(getattr(system, "replays", False) or getattr(system, "reads_rows", False) for system in systems):
        return
    for place, case in enumerate(cases, 1):
        row = {name: value for name, value in case.fields.items() if name != "dataset"}
        if row and not asks_something(case) and DEFAULT.columns(row).input is None:
            raise ConfigurationError(
                f"row {place:,} of the dataset asks nothing: no question ({DEFAULT.absence('input', row)}), and no "
                "context, messages or turns; --map input=FIELD names the question, mapping={'input': FIELD} in Python",
                parameter="dataset",
                value=case.id,
            )
