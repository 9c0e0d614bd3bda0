"""Several items in one question: each has a number, and the answer has one entry for each number."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from ringtrue.evaluators.judged.ledger import Ledger
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import choice, record, several
from ringtrue.models.question import Question
from ringtrue.models.structured import Malformed, Outcome
from ringtrue.records import Json

Entry: TypeAlias = dict[str, Json] | Malformed
Material: TypeAlias = Callable[[Sequence[int]], Mapping[str, str]]
_T = TypeVar("_T")
_SMALLER_MAY_HELP = ("unreadable", "truncated")


@dataclass(frozen=True)
class Form:
    """A prompt about numbered items: what the number is called, the other properties of an entry, and their flaws."""

    prompt: str
    number: str
    properties: Mapping[str, Json]
    flaw: Callable[[Json], str]

    async def filled(self, ledger: Ledger, numbers: Sequence[int], material: Material, seed: str) -> dict[int, Entry]:
        """The entry of each item; a reply that cannot be used is asked for again in two halves.

        Where one of the halves can be used, the other is halved in its turn: one item that no reply gets right loses no
        other. Where neither can, they are given up.
        """
        seed = f"{ledger.seed}|{seed}"
        outcome = await ledger.ask(self._question(numbers, material, seed))
        found: dict[int, Entry] = {}
        while isinstance(outcome, Malformed) and len(numbers) > 1 and outcome.kind in _SMALLER_MAY_HELP:
            middle = (len(numbers) + 1) // 2
            halves = [numbers[:middle], numbers[middle:]]
            outcomes = await ledger.ask_all(self._question(half, material, f"{seed}|half") for half in halves)
            pairs = sorted(zip(halves, outcomes, strict=True), key=lambda pair: isinstance(pair[1], Malformed))
            (done, told), (numbers, outcome) = pairs
            found |= self._entries(done, told)
            if isinstance(told, Malformed):
                break
        return found | self._entries(numbers, outcome)

    def _question(self, numbers: Sequence[int], material: Material, seed: str) -> Question:
        entry = record(**{self.number: choice(*numbers)}, **self.properties)
        return prompt(self.prompt).question(
            material(numbers),
            record(entries=several(entry, len(numbers))),
            check=lambda value: self._problem(numbers, value["entries"]),
            seed=seed,
        )

    def _problem(self, numbers: Sequence[int], entries: Sequence[Mapping[str, Json]]) -> str:
        told = {entry[self.number] for entry in entries}
        missing = [number for number in numbers if number not in told]
        if missing:
            return f"'entries' leaves out {self.number} {missing[0]}"
        flaws = ((entry[self.number], self.flaw(entry)) for entry in entries)
        return next((f"the entry of {self.number} {number}: {flaw}" for number, flaw in flaws if flaw), "")

    def _entries(self, numbers: Sequence[int], outcome: Outcome) -> dict[int, Entry]:
        if isinstance(outcome, Malformed):
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
