"""Several items in one question: each has a number, and the answer has one entry for each number."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import choice, record, several
from ringtrue.evaluators.judged.session import JudgeSession
from ringtrue.models.structured.features import too_long
from ringtrue.models.structured.question import Question
from ringtrue.models.structured.structured_model import NoValue, Outcome
from ringtrue.records import Json

Entry: TypeAlias = dict[str, Json] | NoValue
Material: TypeAlias = Callable[[Sequence[int]], Mapping[str, str]]
_T = TypeVar("_T")
_SMALLER_MAY_HELP = ("unreadable", "truncated", "refused")
MOST_IN_VAIN = 3
"""After this many rounds in a row without a usable reply the judge counts as broken and is not asked again."""


@dataclass(frozen=True)
class Form:
    """A prompt about numbered items: what the number is called, the other properties of an entry, and their flaws.

    `grows` says whether the prompt is mostly about the items, so that one that is too long is shorter in halves.
    """

    prompt: str
    number: str
    properties: Mapping[str, Json]
    flaw: Callable[[Json], str]
    grows: bool = True

    async def fill(
        self, session: JudgeSession, numbers: Sequence[int], material: Material, seed: str
    ) -> dict[int, Entry]:
        """The entry of each item; what a reply that cannot be used was about is asked again in halves, and so on.

        So an item that no reply gets right loses no other, wherever others like it are; `MOST_IN_VAIN` bounds it.
        """
        seed = f"{session.seed}|{seed}"
        waiting, in_vain = [numbers], 0
        found: dict[int, Entry] = {}
        while waiting and in_vain < MOST_IN_VAIN:
            outcomes = await session.ask_all(self._question(some, material, seed) for some in waiting)
            in_vain = in_vain + 1 if all(isinstance(outcome, NoValue) for outcome in outcomes) else 0
            halves: list[Sequence[int]] = []
            for some, outcome in zip(waiting, outcomes, strict=True):
                found |= self._entries(some, outcome)
                if isinstance(outcome, NoValue) and len(some) > 1 and self._smaller_may_help(outcome):
                    middle = (len(some) + 1) // 2
                    halves += [some[:middle], some[middle:]]
            waiting = halves
        return found

    def _smaller_may_help(self, outcome: NoValue) -> bool:
        return self.grows if too_long(outcome.reason) else outcome.kind in _SMALLER_MAY_HELP

    def _question(self, numbers: Sequence[int], material: Material, seed: str) -> Question:
        entry = record(**{self.number: choice(*numbers)}, **self.properties)
        return prompt(self.prompt).question(
            material(numbers),
            record(entries=several(entry, len(numbers))),
            check=lambda value: self._problem(numbers, value["entries"]),
            seed=seed,
        )

    def _problem(self, numbers: Sequence[int], entries: Sequence[Mapping[str, Json]]) -> str:
        answered = {entry[self.number] for entry in entries}
        missing = [number for number in numbers if number not in answered]
        if missing:
            return f"'entries' leaves out {self.number} {missing[0]}"
        flaws = ((entry[self.number], self.flaw(entry)) for entry in entries)
        return next((f"the entry of {self.number} {number}: {flaw}" for number, flaw in flaws if flaw), "")

    def _entries(self, numbers: Sequence[int], outcome: Outcome) -> dict[int, Entry]:
        if isinstance(outcome, NoValue):
            return dict.fromkeys(numbers, outcome)
        return {entry[self.number]: entry for entry in outcome.value["entries"]}


async def together(several_at_once: Iterable[Coroutine[Any, Any, _T]]) -> list[_T]:
    """The results in order; leaving, or the first exception, cancels what is under way."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one) for one in several_at_once]
    except ExceptionGroup as several_errors:
        raise several_errors.exceptions[0] from None
    return [task.result() for task in tasks]
