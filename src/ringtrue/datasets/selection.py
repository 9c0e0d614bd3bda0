"""`Selection`: which cases of a dataset are asked, in what order, and in what words."""

from __future__ import annotations

import heapq
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ringtrue.errors import ConfigurationError
from ringtrue.records import Json
from ringtrue.require import require_count

Row = dict[str, Json]
_FIELD = re.compile(r"(?<![\w}])\{([A-Za-z_]\w*)\}")
"""A name in braces; braces after a letter or a brace are LaTeX's own."""


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The choice of cases of a dataset, and the form of their questions.

    `limit` cases, drawn across the subjects of a benchmark by `seed`, or the `first` ones; `shuffle` draws from files
    as well. `split` is another split than the benchmark's own. `few_shot` is the number of worked examples, from the
    training split, before each question. `template` is a text with {question}, {context} and other fields of a case;
    it replaces the question. `seed` also decides what a benchmark itself draws.
    """

    limit: int | None = None
    split: str | None = None
    shuffle: bool = False
    seed: int = 0
    first: bool = False
    few_shot: int = 0
    template: str = ""

    def __post_init__(self) -> None:
        for name in ("limit", "few_shot"):
            if (value := getattr(self, name)) is not None:
                require_count(name, value, least=0)
        if self.first and self.shuffle:
            raise ConfigurationError(
                "first and shuffle exclude each other; leave one out", parameter="first", value=True
            )
        if self.template and not _FIELD.search(self.template):
            raise ConfigurationError(
                "a template names fields of a case in braces, as in {question}",
                parameter="template",
                value=self.template,
            )

    def chosen(self, rows: Iterable[Row], *, subject: str | None = None) -> Iterator[Row]:
        """The rows that are taken; no more are read than that needs.

        `subject` is the field a sample is spread over, "" draws it from all rows alike, and None takes rows as they
        come: the first rows of a sorted dataset are not a sample of it.
        """
        if self.shuffle:
            return iter(_spread(rows, self.limit, self.seed, lambda row: ""))
        if self.limit is None or self.first or subject is None:
            return islice(rows, self.limit)
        return iter(_spread(rows, self.limit, self.seed, lambda row: str(row.get(subject, "")) if subject else ""))

    def worded_row(self, row: Row, examples: Sequence[Row] = ()) -> Row:
        """A row whose question is in the words of the template, with worked examples before it."""
        if self.template:
            row = {**row, "question": filled_template(self.template, row)}
        return {**row, "question": with_examples(str(row["question"]), examples)} if examples else row


def filled_template(template: str, row: Mapping[str, Any]) -> str:
    """A template with the fields of a row; a name that the row does not have raises."""

    def value(found: re.Match[str]) -> str:
        if found[1] not in row:
            raise ConfigurationError(
                f"the template names {found[0]}, which a case does not have; it has {', '.join(map(str, row))}",
                parameter="template",
                value=found[1],
            )
        given = row[found[1]]
        return "\n".join(map(str, given)) if isinstance(given, (list, tuple)) else str(given)

    return _FIELD.sub(value, template)


def with_examples(question: str, examples: Sequence[Mapping[str, Any]]) -> str:
    """A question after worked examples, each with the answer as it is to be written."""
    shown = [f"Question: {asked_text(row)}\nAnswer: {worked_answer(row)}" for row in examples]
    return "\n\n".join([*shown, f"Question: {question}\nAnswer:"])


def asked_text(row: Mapping[str, Any]) -> str:
    """Return the question of an example, its context first."""
    return "\n\n".join(str(row[name]) for name in ("context", "question") if row.get(name))


def worked_answer(row: Mapping[str, Any]) -> str:
    """The answer of an example in the form its question asks for: a solution, a letter, or the first reference."""
    answer = str((row.get("answer") or [""])[0])
    if row.get("reasoning"):
        return f"{row['reasoning']}\n#### {answer}"
    if row.get("solution"):
        return str(row["solution"])
    return str(row.get("correct_letter") or answer)


def examples_for(row: Row, pool: Sequence[Row], count: int, subject: str) -> list[Row]:
    """The first examples of the row's own subject, or of all where the pool has none of it; too few raise."""
    own = [one for one in pool if subject and one.get(subject) == row.get(subject)] or pool
    if len(own) < count:
        where = f" for {row[subject]}" if own is not pool else ""
        words = f"few_shot asks for {count} worked examples, more than the {len(own)} there are{where}"
        raise ConfigurationError(words, parameter="few_shot", value=count)
    return list(own[:count])


def _spread(rows: Iterable[Row], limit: int | None, seed: int, group: Callable[[Row], str]) -> list[Row]:
    """`limit` rows in an order that the seed decides, of each group in proportion to its size.

    Of each group the rows with the smallest draws are kept, no more than the limit: a large dataset is read once and
    never held whole. What a smaller limit takes is the beginning of what a larger one takes.
    """
    kept: dict[str, list[tuple[float, int, Row]]] = {}
    sizes: dict[str, int] = {}
    for place, row in enumerate(rows):
        name = group(row)
        sizes[name] = sizes.get(name, 0) + 1
        draw = random.Random(f"{seed}:{place}").random()  # a text seeds the same draw in every process
        held = kept.setdefault(name, [])
        if limit is None or len(held) < limit:
            heapq.heappush(held, (-draw, place, row))
        elif limit and -draw > held[0][0]:
            heapq.heapreplace(held, (-draw, place, row))
    placed: list[tuple[float, int, Row]] = []
    for name, held in kept.items():
        ordered = sorted(held, key=lambda item: -item[0])
        offset = random.Random(f"{seed}:{name}").random()
        placed += [((rank + offset) / sizes[name], place, row) for rank, (_, place, row) in enumerate(ordered)]
    placed.sort(key=lambda item: item[:2])
    return [row for _, _, row in placed[:limit]]
