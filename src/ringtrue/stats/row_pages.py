"""Rows in memory, and how any rows are filtered, ordered and paged."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import islice

from ringtrue.records import Made, Row, RowFilter, RowOrder, Rows
from ringtrue.stats.row_status import WORST_FIRST, RowVerdicts, headline_of

_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
}


class PagedRows(ABC):
    """Rows that can be read again and again; a page of them is found by reading them."""

    made: Made

    @abstractmethod
    def __iter__(self) -> Iterator[Row]: ...

    @abstractmethod
    def __len__(self) -> int: ...

    def page(
        self, wanted: RowFilter | None = None, order: RowOrder = "position", offset: int = 0, limit: int | None = None
    ) -> list[Row]:
        """The rows that match, in an order, from one place on."""
        return page_of(self, self.made, wanted, order, offset, limit)


class ListRows(PagedRows):
    """The rows of a run, in memory."""

    def __init__(self, rows: Sequence[Row], made: Made) -> None:
        self.rows, self.made = rows, made

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def page_of(
    rows: Iterable[Row],
    made: Made,
    wanted: RowFilter | None = None,
    order: RowOrder = "position",
    offset: int = 0,
    limit: int | None = None,
) -> list[Row]:
    """The rows that match, in an order, from one place on; memory grows with the page and no further."""
    verdicts = RowVerdicts(made)
    found = (row for row in rows if wanted is None or matches(row, wanted, verdicts))
    if order == "worst":

        def badness(pair: tuple[int, Row]) -> tuple[int, float, int]:
            place, row = pair
            value = verdicts.value(row)
            return WORST_FIRST[verdicts.status(row)], 1.0 if value is None else value, place

        pairs = enumerate(found)
        best = sorted(pairs, key=badness) if limit is None else nsmallest(offset + limit, pairs, key=badness)
        return [row for _, row in best[offset:]]
    return list(islice(found, offset, None if limit is None else offset + limit))


def count_rows(rows: Rows, made: Made, wanted: RowFilter) -> int:
    """Count the rows that match; rows that know their counts by dataset, system and status are not read for those."""
    if (counts := getattr(rows, "counts", None)) is not None and not (
        wanted.text or wanted.scores or wanted.case_id is not None
    ):
        asked = (wanted.dataset, wanted.system, wanted.status)
        found: Mapping[tuple[str, str, str], int] = counts()
        return sum(
            count
            for cell, count in found.items()
            if all(one in (None, own) for one, own in zip(asked, cell, strict=True))
        )
    verdicts = RowVerdicts(made)
    return sum(matches(row, wanted, verdicts) for row in rows)


def matches(row: Row, wanted: RowFilter, verdicts: RowVerdicts) -> bool:
    """Whether a row is one of those that are wanted."""
    case, output = row.trial.case, row.trial.output
    if wanted.dataset is not None and row.dataset != wanted.dataset:
        return False
    if wanted.system is not None and row.system != wanted.system:
        return False
    if wanted.case_id is not None and str(case.id) != wanted.case_id:
        return False
    if wanted.status is not None and verdicts.status(row) != wanted.status:
        return False
    if wanted.text and wanted.text.casefold() not in f"{case.input}\n{case.context}\n{output.text}".casefold():
        return False
    return all(
        (value := number_of(row, key, verdicts)) is not None and _COMPARE[sign](value, number)
        for key, sign, number in wanted.scores
    )


def number_of(row: Row, key: str, verdicts: RowVerdicts) -> float | None:
    """The number that a row has under a key: a part, an evaluator's name, or `evaluator.part`."""
    found = headline_of(key, verdicts.evaluators)
    if found is not None and found.evaluator in row.scores:
        score = row.scores[found.evaluator]
        return None if score.value is None else score.parts.get(found.part, score.value)
    for name, score in row.scores.items():
        if score.value is not None and key in (name, *score.parts):
            return score.parts.get(key, score.value)
    return None
