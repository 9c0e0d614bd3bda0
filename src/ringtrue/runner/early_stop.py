"""`EarlyStop`: says when a run has decided what it was asked, by intervals that hold at any time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from random import Random
from typing import Literal, TypeAlias

from ringtrue.errors import ConfigurationError
from ringtrue.records import Case, Made, Row, Summaries, Unit
from ringtrue.stats.confidence_sequences import BettingSequence, DifferenceSequence
from ringtrue.stats.row_pages import number_of
from ringtrue.stats.row_status import PASS_RATE, RowVerdicts

OPTION = "stop_when_decided"
"""The option under which a run says what it decides: floors by score, or True for the difference of two systems."""
METHOD = "betting"
ROUND = 16
"""How many cases are asked at least between two looks."""
MARGIN = 0.02
"""Two systems that differ by less are equivalent, and need not be asked further."""

Answer: TypeAlias = Literal["yes", "no", "equivalent", "open"]


@dataclass(frozen=True, slots=True)
class Decision:
    """One question of a run: whether a system reaches a floor, or is better than another, and what was found."""

    dataset: str
    system: str
    other: str
    score: str
    floor: float | None
    answer: Answer
    value: float | None
    interval: tuple[float, float]
    n: int
    unit: Unit


class EarlyStop:
    """The sequences of a run; rows are taken in by the round, in the order in which the cases were drawn."""

    def __init__(self, made: Made) -> None:
        wanted = made.options.get(OPTION)
        self.floors: Mapping[str, float] = wanted if isinstance(wanted, Mapping) else {}
        self.verdicts = RowVerdicts(made)
        self.systems = [one.name for one in made.systems]
        self.datasets = [one.name for one in made.datasets]
        self._means: dict[tuple[str, str, str], BettingSequence] = {}
        self._differences: dict[str, DifferenceSequence] = {}

    def add(self, rows: Iterable[Row]) -> None:
        """Take a whole round in: a part of it would favour the cases that are answered fast."""
        cases: dict[tuple[str, int], dict[str, list[Row]]] = {}
        for row in sorted(rows, key=lambda row: row.position):
            cases.setdefault((row.dataset, row.position), {}).setdefault(row.system, []).append(row)
        for (dataset, _), systems in cases.items():
            for score in self.floors:
                for system, own in systems.items():
                    value = self._value(own, score)
                    if value is not None:
                        self._means.setdefault((dataset, system, score), BettingSequence()).add(value)
            if not self.floors:
                pair = [self._value(systems.get(system, []), PASS_RATE) for system in self.systems]
                if pair[0] is not None and pair[1] is not None:
                    self._differences.setdefault(dataset, DifferenceSequence()).add(pair[0], pair[1])

    @property
    def is_decided(self) -> bool:
        """Whether every question has its answer."""
        found = self.decisions()
        expected = len(self.datasets) * (len(self.floors) * len(self.systems) if self.floors else 1)
        return len(found) >= expected and all(one.answer != "open" for one in found)

    def decisions(self) -> list[Decision]:
        """Every question, with what is known by now."""
        found = []
        for (dataset, system, score), sequence in self._means.items():
            low, high = sequence.interval
            floor = self.floors[score]
            answer: Answer = "yes" if low >= floor else "no" if high < floor else "open"
            unit: Unit = "share" if score == PASS_RATE else "score"
            known = sequence.mean, sequence.interval, sequence.n, unit
            found.append(Decision(dataset, system, "", score, floor, answer, *known))
        for dataset, difference in self._differences.items():
            low, high = difference.interval
            answer = "yes" if low > 0 else "no" if high < 0 else "open"
            if answer == "open" and low > -MARGIN and high < MARGIN:
                answer = "equivalent"
            sums = difference.mean, difference.interval, difference.n
            found.append(Decision(dataset, self.systems[1], self.systems[0], PASS_RATE, None, answer, *sums, "share"))
        return found

    def _value(self, rows: Sequence[Row], score: str) -> float | None:
        """The mean over the repeats of a case; None where none has a number in [0, 1]."""
        if score == PASS_RATE:
            statuses = [self.verdicts.status(row) for row in rows]
            values = [float(status == "passed") for status in statuses if status in ("passed", "failed")]
        else:
            numbers = [number_of(row, score, self.verdicts) for row in rows]
            values = [one for one in numbers if one is not None and 0 <= one <= 1]
        return fsum(values) / len(values) if values else None


def require_decidable(wanted: Mapping[str, float] | bool, systems: int, cases: Iterable[Case]) -> None:
    """Raise before the first call if there is nothing to decide, or not by these cases."""
    if wanted is True and systems != 2:
        words = f"--stop-when-decided needs --fail-under NUMBER, or two systems to compare; there are {systems}"
        raise ConfigurationError(words, parameter=OPTION, value=wanted)
    if any(case.fields.get("source_id") is not None for case in cases):
        words = "--stop-when-decided needs independent cases, and these share a source_id"
        raise ConfigurationError(words, parameter=OPTION, value=wanted)


def drawn_order(cases: Iterable[Case], seed: int) -> list[Case]:
    """The cases in an order drawn by a seed: a run that stops early has then asked a fair sample."""
    found = list(cases)
    Random(seed).shuffle(found)
    return found


def decisions_of(made: Made, rows: Iterable[Row]) -> list[Decision]:
    """Return the decisions of a run that could stop early; none for any other run."""
    if not made.options.get(OPTION):
        return []
    stop = EarlyStop(made)
    stop.add(rows)
    return stop.decisions()


def anytime_summaries(summaries: Summaries, found: Sequence[Decision]) -> Summaries:
    """The summaries in which what was decided has the interval that holds whenever a run stops."""
    if not found:
        return summaries
    sums = {dataset: {system: dict(own) for system, own in systems.items()} for dataset, systems in summaries.items()}
    for one in found:
        own = sums.get(one.dataset, {}).get(one.system, {})
        if one.floor is not None and one.score in own:
            own[one.score] = replace(own[one.score], interval=one.interval, method=METHOD)
    return sums
