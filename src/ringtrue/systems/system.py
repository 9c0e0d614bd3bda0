"""`System`: what the runner needs of a system, and `PreparedRequest`: one case made ready to be asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple, Protocol, runtime_checkable

from ringtrue.records import Case, Output


@runtime_checkable
class DictSystem(Protocol):
    """Any object with a `name` and a method `process(example)` that returns the example with a `response`."""

    @property
    def name(self) -> str: ...

    def process(self, example: dict[str, Any]) -> dict[str, Any]: ...


@runtime_checkable
class System(Protocol):
    """A system as the runner calls it."""

    @property
    def name(self) -> str: ...

    @property
    def in_flight(self) -> int:
        """Return the number of cases to ask it at the same time, unless the caller says otherwise.

        A system may also have `case_seconds`, how long a case may take unless the caller says otherwise, `replays` (its
        answers exist already, so their latency is not measured), `reads_rows` (it is given the whole row, not
        the question alone), `prepare_request` or `request_key` (the identity of the exact request: its answer may then
        serve a later run), `prepare`, `allow_in_flight`, `has_price` and `close`.
        """

    async def answer(self, case: Case, repeat: int) -> Output: ...

    def signature(self) -> str: ...


class PreparedRequest(NamedTuple):
    """A case made ready for a system: the identity of the exact request, if it has one, and how to ask it."""

    key: str | None
    ask: Callable[[], Awaitable[Output]]


def prepare_request(system: System, case: Case, repeat: int) -> PreparedRequest:
    """Return the request to a system for a case, made once, so that what is asked is what the key says."""
    make: Callable[[Case, int], PreparedRequest] | None = getattr(system, "prepare_request", None)
    key_of: Callable[[Case, int], str | None] = getattr(system, "request_key", lambda case, repeat: None)
    later = partial(system.answer, case, repeat)
    try:
        return make(case, repeat) if make else PreparedRequest(key_of(case, repeat), later)
    except Exception:  # asking it fails in the same way, and that is the case's own row
        return PreparedRequest(None, later)
