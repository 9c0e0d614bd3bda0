"""The sources of rows, and the shapes that examples share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from string import ascii_uppercase
from typing import Any

from ringtrue.datasets import Origin, Source, find, load
from ringtrue.errors import ConfigurationError

Example = dict[str, Any]
Row = Mapping[str, Any]
_MOST_OPTIONS = 10


class Reader:
    """`load_dataset` of one benchmark: the hub or a mirror, at the revision that ringtrue's catalogue pins."""

    Features = dict
    """The columns rows must have, by name."""

    def __init__(self, name: str) -> None:
        self.benchmark = find(name)

    def load_dataset(
        self,
        path: str,
        config: str | None = None,
        *,
        split: str,
        features: Mapping[str, Any] | None = None,
        trust_remote_code: bool = False,
    ) -> Iterator[Row]:
        """The rows of a configuration and split; `path` is for messages, and no code of a dataset is ever run."""
        files = self.benchmark.files or ""
        if files and "{config}" not in files and split != self.benchmark.split:
            raise ConfigurationError(
                f"{path} is read in the split {self.benchmark.split!r} alone; got {split!r}",
                parameter="split",
                value=split,
            )
        source = Source(self.benchmark, config or self.benchmark.config, Origin.from_env())
        checked = source.config in (self.benchmark.config, *self.benchmark.configs)
        return source.rows(split=split, config=source.config, fields=None if checked else features or {})


def require(name: str) -> Reader:
    """The reader of a benchmark."""
    return Reader(name)


def examples(rows: Iterable[Row], n: int | None, shape: Callable[[int, Row], Example | None]) -> list[Example]:
    """At most `n` examples, one for each row that has one; `shape` gets a row's place and the row."""
    if n is not None and n < 0:
        raise ConfigurationError(f"n must be at least 0; got {n!r}", parameter="n", value=n)
    shaped = (shape(place, row) for place, row in enumerate(rows))
    return list(islice((example for example in shaped if example is not None), n))


def asked(name: str | int, question: str, answer: str, **more: Any) -> Example:
    """An example whose question is all there is to read."""
    return {"id": name, "context": question, "question": question, "answer": answer, **more}


def lettered(question: str, choices: Sequence[str]) -> str:
    """A question with its options behind it."""
    options = "  ".join(f"{ascii_uppercase[place]}) {choice}" for place, choice in enumerate(choices[:_MOST_OPTIONS]))
    return f"{question}\n\n{options}"


def chosen(name: str | int, question: str, choices: Sequence[str], correct: int) -> Example:
    """An example of several options; they are in its context."""
    return {
        "id": name,
        "context": lettered(question, choices),
        "question": question,
        "choices": list(choices),
        "answer": choices[correct],
        "correct_letter": ascii_uppercase[correct],
    }


def calls(name: str, n: int | None) -> list[Example]:
    """Requests with the functions that answer them; request and functions are the context and the question."""

    def shape(place: int, row: Row) -> Example:
        return {**row, "context": row["question"], "answer": first(row.get("answer"))}

    return examples(load(name), n, shape)


def first(answers: Sequence[Any] | None) -> str:
    """The first of the answers as text, or the empty string."""
    return str(answers[0]) if answers else ""
