"""`Blind`: names that say nothing, in an order that is fair over several runs."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.evaluators.judged.audit.snapshot import Snapshot

PREFIX = "agent_"
_DIGITS = 4


@dataclass(frozen=True)
class Blind:
    """The things in the order in which they are shown, each by a name; sorted by name they stay in this order."""

    order: tuple[int, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, things: Sequence[str], *, run: int = 0, seed: str = "") -> Blind:
        """The names and places of things in one run of a series; what they hold decides them, and not their order.

        In any `n` runs that follow one another from a multiple of n on, each of n things is once in every place; in
        twice as many, each also follows every other equally often. Whoever made one of the things cannot know its
        name, which comes from all of them.
        """
        count, drawn = len(things), random.Random("|".join([repr(seed), *sorted(things)]))
        places = sorted(range(count), key=lambda index: (things[index], index))
        drawn.shuffle(places)
        order = tuple(places[place] for place in _row(count, run))
        numbers = random.Random(f"{drawn.random()}|{run}").sample(range(16**_DIGITS), count)
        return cls(order, tuple(f"{PREFIX}{number:0{_DIGITS}x}" for number in sorted(numbers)))

    @property
    def index(self) -> dict[str, int]:
        """Which thing each name stands for."""
        return dict(zip(self.names, self.order, strict=True))

    def together(self, snapshots: Sequence[Snapshot]) -> Snapshot:
        """The things as folders of one."""
        return Snapshot.joined(snapshots[index].below(name) for name, index in self.index.items())


def digest(snapshot: Snapshot) -> str:
    """What a folder holds, in short."""
    return hashlib.sha256(snapshot.archive).hexdigest()


def _row(count: int, run: int) -> list[int]:
    """A row of Williams' design: a Latin square whose rows also balance what follows what, then the same reversed."""
    zigzag = [(place + 1) // 2 if place % 2 else -place // 2 for place in range(count)]
    row = [(step + run) % count for step in zigzag]
    return row[::-1] if (run // count) % 2 else row
