"""`Selection`: which cases of a dataset are asked, in what order, and in what words."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ringtrue.datasets.worked_examples import FIELD, GENERAL, ExampleFormat, Row, filled_template
from ringtrue.errors import ConfigurationError
from ringtrue.require import require_count


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The choice of cases of a dataset, and the form of their questions.

    `limit` cases, drawn across the subjects of a benchmark by `seed`, or the `first` ones; `shuffle` draws from files
    as well. `split` is another split than the benchmark's own. `few_shot` is the number of worked examples, from the
    training split and in the benchmark's format, before each question. `template` is a text with {question}, {context}
    and other fields of a case; it replaces the question, and that of the examples. `seed` also decides what a
    benchmark itself draws.
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
        if self.template and not FIELD.search(self.template):
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

    def worded_row(self, row: Row, examples: Sequence[Row] = (), form: ExampleFormat = GENERAL) -> Row:
        """A row whose question is in the words of the template, with worked examples in their format before it."""
        if self.template:
            row, *examples = [{**one, "question": filled_template(self.template, one)} for one in (row, *examples)]
            form = GENERAL
        return form.with_examples(row, examples) if examples else row


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
