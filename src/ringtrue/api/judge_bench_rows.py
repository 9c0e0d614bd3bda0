"""The labelled answers and pairs on which judges are tried; every row names its source and its licence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from random import Random
from typing import Any, TypeVar

from ringtrue.jsontext import parse_json
from ringtrue.records import Case, Output, Trial

_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """A response to a question, the accepted answers, and whether people found it right."""

    id: str
    source: str
    licence: str
    question: str
    answers: tuple[str, ...]
    response: str
    correct: bool

    def trial(self, planted: str = "") -> Trial:
        """As a judge reads it, with a text behind the response."""
        return Trial(Case(input=self.question, expected=self.answers), Output(self.response + planted))


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two responses to an instruction, and which of them people found better: `first` or `second`."""

    id: str
    source: str
    licence: str
    question: str
    first: str
    second: str
    better: str

    def trial(self) -> Trial:
        """As a judge of pairs reads it."""
        return Trial(Case(input=self.question, fields={"baseline": self.second}), Output(self.first))


def labelled_answers() -> list[LabelledAnswer]:
    """The labelled answers that come with the package; each names its source and licence."""
    return [LabelledAnswer(**{**row, "answers": tuple(row["answers"])}) for row in _rows("answers")]


def labelled_pairs() -> list[LabelledPair]:
    """The labelled pairs that come with the package; each names its source and licence."""
    return [LabelledPair(**row) for row in _rows("pairs")]


def balanced_rows(rows: Sequence[_Row], label: Callable[[_Row], Any], count: int) -> list[_Row]:
    """`count` rows, always the same, about as many of each label; all rows if there are fewer."""
    groups: dict[Any, list[_Row]] = {}
    for row in rows:
        groups.setdefault(label(row), []).append(row)
    random = Random(0)
    for group in groups.values():
        random.shuffle(group)
    found: list[_Row] = []
    while len(found) < count and any(groups.values()):
        for group in groups.values():
            if group and len(found) < count:
                found.append(group.pop())
    return found


def _rows(name: str) -> list[dict[str, Any]]:
    data = files("ringtrue.api").joinpath("judge_bench_data", f"{name}.jsonl").read_bytes()
    return [parse_json(line) for line in data.splitlines()]
