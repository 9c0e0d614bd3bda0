"""The runner's journal: the protocols that the store implements, and the ones that keep nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol

from ringtrue.records import Case, Made, Output, Row, Rows, Run, Score, StoredAnswer

if TYPE_CHECKING:
    from ringtrue.models.cache import ResponseCache


class Cases(Protocol):
    """Cases that can be iterated again and counted, wherever they are."""

    def __iter__(self) -> Iterator[Case]: ...

    def __len__(self) -> int: ...


class Journal(Protocol):
    """The place where answers and rows are kept; each call returns when its record would survive `kill -9`."""

    async def stored_answers(self, keys: Sequence[str]) -> Mapping[str, StoredAnswer]:
        """Return the stored answers with these keys."""

    async def keep_answer(self, key: str, output: Output) -> None:
        """Keep an answer."""

    async def keep_row(self, row: Row, key: str, content: str, new: Mapping[str, Score]) -> None:
        """Keep a row and its new scores, by evaluator signature."""


class RunKeeper(Protocol):
    """The place where runs are kept."""

    @property
    def responses(self) -> ResponseCache | None:
        """The cache of judges' replies."""

    def at_work(self) -> AbstractAsyncContextManager[None]:
        """In here nothing that was kept is taken away."""

    def keep_cases(self, cases: Iterable[Case]) -> Iterator[str]:
        """Keep cases while their contents are asked for, one by one: what identifies each."""

    def content(self, case: Case, position: int) -> str:
        """Return the digest of one case's content."""

    def working_on(self, plan: str) -> AbstractAsyncContextManager[None]:
        """In here no other process works on the plan."""

    def begin(self, plan: str, made: Made, *, resume: str | None, fresh: bool) -> str:
        """Begin a run, or continue an unfinished one of the plan; return its id."""

    def journal(self, run: str, made: Made) -> Journal:
        """Return the journal of the run's answers and rows."""

    def rows(self, run: str, made: Made) -> Rows | None:
        """The rows of a run as they are kept; None where they are not."""

    def end(self, id: str, status: str, run: Run | None) -> None:
        """Keep how a run ended."""


class NoJournal:
    """Keeps nothing."""

    async def stored_answers(self, keys: Sequence[str]) -> Mapping[str, StoredAnswer]:
        """Nothing is known."""
        return {}

    async def keep_answer(self, key: str, output: Output) -> None:
        """Forget an answer."""

    async def keep_row(self, row: Row, key: str, content: str, new: Mapping[str, Score]) -> None:
        """Forget a row."""


class KeepNothing:
    """A place that keeps nothing, for runs that live in memory alone."""

    responses: ResponseCache | None = None

    def __enter__(self) -> KeepNothing:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def at_work(self) -> AbstractAsyncContextManager[None]:
        """Nothing is kept that could be taken away."""
        return nullcontext()

    def keep_cases(self, cases: Iterable[Case]) -> Iterator[str]:
        """The places of the cases, which tell them apart within this run."""
        return (self.content(case, position) for position, case in enumerate(cases))

    def content(self, case: Case, position: int) -> str:
        """The place of a case."""
        return str(position)

    def working_on(self, plan: str) -> AbstractAsyncContextManager[None]:
        """No other process can know of this run."""
        return nullcontext()

    def begin(self, plan: str, made: Made, *, resume: str | None, fresh: bool) -> str:
        """A run without an id."""
        return ""

    def journal(self, run: str, made: Made) -> Journal:
        """A journal that keeps nothing."""
        return NoJournal()

    def rows(self, run: str, made: Made) -> Rows | None:
        """No rows are kept."""
        return None

    def end(self, id: str, status: str, run: Run | None) -> None:
        """Forget how a run ended."""
