"""`PageState`: what a page of a run shows, as its address says it, and the addresses of other pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol, get_args
from urllib.parse import quote, urlencode

from ringtrue.records import RowFilter, RowStatus
from ringtrue.store.case_pages import CaseOrder, CasePlace

STATUSES: tuple[RowStatus, ...] = get_args(RowStatus)
LONGEST_SEARCH = 400
SORTS: Mapping[str, CaseOrder] = {
    "asked": "position",
    "score": "score",
    "-score": "-score",
    "cost": "cost",
    "-cost": "-cost",
    "time": "seconds",
    "-time": "-seconds",
    "id": "name",
    "-id": "-name",
}
"""What an address says of the order -> the order; failures first where it says nothing."""
_SORT_WORDS = {order: words for words, order in SORTS.items()}
_EVERYTHING = RowFilter()


@dataclass(frozen=True, slots=True)
class PageState:
    """The rows to show, their order, and the first of them."""

    wanted: RowFilter = _EVERYTHING
    order: CaseOrder = "worst"
    after: CasePlace | None = None
    before: CasePlace | None = None

    @classmethod
    def parse(cls, query: Mapping[str, str]) -> PageState:
        """The state that an address holds; what it does not know asks for nothing."""
        status = query.get("status")
        return cls(
            RowFilter(
                dataset=query.get("dataset"),
                system=query.get("system"),
                status=status if status in STATUSES else None,
                text=query.get("q", "").strip()[:LONGEST_SEARCH],
            ),
            SORTS.get(query.get("sort", ""), "worst"),
            CasePlace.parse(query.get("after", "")),
            CasePlace.parse(query.get("before", "")),
        )

    def query(self) -> dict[str, str]:
        """Return the state as a query of an address; empty parts are left out."""
        wanted = self.wanted
        words = {
            "status": wanted.status,
            "dataset": wanted.dataset,
            "system": wanted.system,
            "q": wanted.text or None,
            "sort": _SORT_WORDS.get(self.order),
            "after": None if self.after is None else str(self.after),
            "before": None if self.before is None else str(self.before),
        }
        return {name: value for name, value in words.items() if value is not None}

    def but(self, **changes: str | None) -> PageState:
        """The first page of a changed filter."""
        return PageState(replace(self.wanted, **changes), self.order)  # type: ignore[arg-type]  # names of fields


FIRST_PAGE = PageState()


class Links(Protocol):
    """The addresses of pages; an empty address is that of a page which is not there."""

    def runs(self, **query: str) -> str: ...

    def run(self, id: str, state: PageState = FIRST_PAGE) -> str: ...

    def case(self, id: str, position: int, state: PageState = FIRST_PAGE) -> str: ...

    def compare(self, first: str, second: str) -> str: ...

    def label(self, id: str) -> str: ...


class ServerLinks:
    """The addresses of a server's pages."""

    def runs(self, **query: str) -> str:
        """The list of runs."""
        return _address("/", {name: value for name, value in query.items() if value})

    def run(self, id: str, state: PageState = FIRST_PAGE) -> str:
        """A run."""
        return _address(f"/run/{quote(id)}", state.query())

    def case(self, id: str, position: int, state: PageState = FIRST_PAGE) -> str:
        """A case of a run, among those of a filter."""
        return _address(f"/run/{quote(id)}/case/{position}", state.query())

    def compare(self, first: str, second: str) -> str:
        """Two runs, or systems of runs as `id:system`."""
        return _address("/compare", {"a": first, "b": second})

    def label(self, id: str) -> str:
        """The page that asks for labels."""
        return f"/run/{quote(id)}/label"


def _address(path: str, query: Mapping[str, str]) -> str:
    words = urlencode({name: value.encode("utf-8", "replace") for name, value in query.items()})
    return f"{path}?{words}" if words else path
