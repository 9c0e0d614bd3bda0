"""Rows whose answers are measured again: their cases, a part of them, and where their answers are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ringtrue.records import Case, Made, Row, Rows
from ringtrue.stats.pairs import in_places_of_their_own
from ringtrue.stats.row_pages import PagedRows


class CasesOfRows:
    """The cases of rows, one for each; they can be iterated again, as the rows can."""

    def __init__(self, rows: Rows | Sequence[Row]) -> None:
        self.rows = rows

    def __iter__(self) -> Iterator[Case]:
        return (row.trial.case for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def rows_with_answer_keys(rows: Rows | Sequence[Row]) -> Iterator[tuple[Row, str]]:
    """Rows, each with the key under which its answer is kept: it is referred to, and not kept again.

    The key is empty where there is none: only rows that come from a store as they are have one.
    """
    with_keys = getattr(rows, "with_keys", None)
    return with_keys() if with_keys else ((row, "") for row in rows)


class PlacedRows(PagedRows):
    """Rows of a file, each case in a place of its own: files that were put together number theirs from 1 again."""

    def __init__(self, rows: Rows, made: Made) -> None:
        self.rows, self.made = rows, made

    def __iter__(self) -> Iterator[Row]:
        return in_places_of_their_own(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


class ReplayRows(PagedRows):
    """Rows of a run that are measured again: of at most `limit` cases of each dataset, each as `change` makes it."""

    def __init__(
        self, rows: Rows, made: Made, *, limit: int | None = None, change: Callable[[Case], Case] | None = None
    ) -> None:
        self.rows, self.made, self.limit, self.change = rows, made, limit, change

    def __iter__(self) -> Iterator[Row]:
        return (row for row, _ in self.with_keys())

    def __len__(self) -> int:
        return len(self.rows) if self.limit is None else sum(1 for _ in self)

    def with_keys(self) -> Iterator[tuple[Row, str]]:
        """The rows, each with the key under which its answer is kept; a changed case makes another answer of it."""
        cases: dict[str, set[int]] = {}
        for row, key in rows_with_answer_keys(self.rows):
            taken = cases.setdefault(row.dataset, set())
            if self.limit is None or row.position in taken or len(taken) < self.limit:
                taken.add(row.position)
                yield (row, key) if self.change is None else (self._changed_row(row, self.change), "")

    def _changed_row(self, row: Row, change: Callable[[Case], Case]) -> Row:
        return replace(row, trial=replace(row.trial, case=change(row.trial.case)))
