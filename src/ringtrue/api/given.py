"""`Given`: outputs that exist already, as a system and a journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ringtrue.errors import RingtrueError
from ringtrue.records import Case, Output
from ringtrue.runner.loop import Known, Task
from ringtrue.store.journal import NoJournal


class Given(NoJournal):
    """Knows every answer before it is asked for, so that a latency nobody measured stays unknown."""

    in_flight = 1

    def __init__(self, outputs: Sequence[Output], name: str = "given") -> None:
        self.outputs, self.name = outputs, name

    async def known(self, tasks: Sequence[Task]) -> Mapping[str, Known]:
        """The outputs of these tasks."""
        return {task.key: Known(self.outputs[task.position], {}) for task in tasks}

    async def answer(self, case: Case, repeat: int) -> Output:
        """Nothing is ever asked."""
        raise RingtrueError(f"there is no output for the case {case.id!r}")

    def signature(self) -> str:
        """The name; the outputs themselves are data."""
        return self.name

    def request_key(self, case: Case, repeat: int) -> str | None:
        """Other outputs may be given next time."""
        return None
