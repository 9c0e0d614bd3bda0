"""A user's system in the runner's words."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from ringtrue.dialects.dicts import example
from ringtrue.identity import name_of, origin
from ringtrue.records import Case, Output
from ringtrue.sync import in_thread
from ringtrue.systems.function import as_output


@dataclass(frozen=True)
class Processing:
    """Asks `process`, or `process_conversation` for an example of several turns where the system has it."""

    speaker: Any
    in_flight: int = 1
    case_seconds: float = 600.0
    reads_rows: bool = True

    @property
    def name(self) -> str:
        """The system's own name."""
        return name_of(self.speaker)

    async def answer(self, case: Case, repeat: int) -> Output:
        """Return the system's version of a copy of the example."""
        given = example(case)
        return as_output(await in_thread(_processed, self.speaker, _copied(given)), given)

    def signature(self) -> str:
        """The system's own signature where it has one, else where its code is, with a hash of code and attributes."""
        own = getattr(self.speaker, "signature", None)
        return str(own()) if callable(own) else f"{self.name}={origin(self.speaker)}"

    def request_key(self, case: Case, repeat: int) -> str | None:
        """Answers of equal code and settings to an equal example serve later runs, as a cache folder promises."""
        return "process"


def _processed(system: Any, given: dict[str, Any]) -> Any:
    converse = getattr(system, "process_conversation", None)
    if not given.get("multi_turn") or "turns" not in given or not callable(converse):
        return system.process(given)
    said = [message.get("content") or "" for message in converse(given["turns"])]
    return {**given, "response": said[-1] if said else "", "turn_responses": said}


def _copied(given: dict[str, Any]) -> dict[str, Any]:
    try:
        return deepcopy(given)
    except TypeError:  # an example may hold an open file or a lock
        return given
