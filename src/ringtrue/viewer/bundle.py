"""A static copy of runs to share: the same pages, with relative links and without a server, labels or anything live."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from ringtrue.atomic_file import write_whole
from ringtrue.errors import ConfigurationError
from ringtrue.identity import digest
from ringtrue.records import RowStatus
from ringtrue.store.case_pages import CasePage
from ringtrue.viewer.case_detail import case_page
from ringtrue.viewer.library import Library, ShownRun
from ringtrue.viewer.page_state import FIRST_PAGE, STATUSES, PageState
from ringtrue.viewer.run_view import run_view
from ringtrue.viewer.site import Site

CASES_AT_ONCE = 50
MOST_CASES = 2_000
"""A copy holds this many cases of a run, the worst; the rest are in the run."""
PlannedPage: TypeAlias = tuple[PageState, CasePage, bool]
"""What a page shows, its cases, and whether the run has more cases than the copy."""


class BundleLinks:
    """The names of a copy's files; what needs a server is nowhere."""

    def __init__(self) -> None:
        self.pages: dict[tuple[str, PageState], str] = {}
        self.cases: set[tuple[str, int]] = set()
        self.pairs: dict[tuple[str, str], str] = {}

    def runs(self, **query: str) -> str:
        """The list of runs."""
        return "index.html"

    def run(self, id: str, state: PageState = FIRST_PAGE) -> str:
        """A run's page, where the copy has one for what the state asks; else its first."""
        only_status = PageState().but(status=state.wanted.status)
        return self.pages.get((id, state)) or self.pages.get((id, only_status)) or f"run-{id}.html"

    def case(self, id: str, position: int, state: PageState = FIRST_PAGE) -> str:
        """A case's page, if the copy holds it."""
        return f"case-{id}-{position}.html" if (id, position) in self.cases else ""

    def compare(self, first: str, second: str) -> str:
        """A comparison's page, if the copy holds it."""
        return self.pairs.get((first, second), "")

    def label(self, id: str) -> str:
        """Nowhere: labels need a server."""
        return ""


def write_bundle(library: Library, folder: str | os.PathLike[str]) -> int:
    """Write the copy into a folder, which must be new or empty; how many pages it has."""
    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise ConfigurationError(f"{os.fspath(folder)!r} is not an empty folder; name another", parameter="bundle")
    links = BundleLinks()
    site = Site(library, links, bundle=True)
    runs = library.runs()
    plans = [(one, list(_planned_pages(one, links))) for one in runs]
    links.pairs.update(_pairs(runs, site))
    place.mkdir(parents=True, exist_ok=True)
    written = 0
    for name, text in _files(site, plans, links):
        write_whole(str(place / name), text.encode("utf-8", "replace"))
        written += 1
    return written


def _planned_pages(one: ShownRun, links: BundleLinks) -> Iterator[PlannedPage]:
    """The pages of a run's cases, for all rows and for each status, and whether a page is the last one all the same."""
    kinds: list[RowStatus | None] = [None, *(status for status in STATUSES if _has(one, status))]
    most = MOST_CASES // CASES_AT_ONCE
    for status in kinds:
        state = first = PageState().but(status=status)
        name = f"run-{one.id}{f'-{status}' if status else ''}"
        for number in range(1, most + 1):
            page = one.pages.page(state.wanted, after=state.after, limit=CASES_AT_ONCE)
            links.pages[one.id, state] = f"{name}-{number}.html" if number > 1 else f"{name}.html"
            links.cases.update((one.id, place.position) for place in page.places)
            if number > 1 and page.places:
                back = replace(first, before=page.places[0])
                links.pages[one.id, back] = f"{name}-{number - 1}.html" if number > 2 else f"{name}.html"
            is_cut = page.has_next and number == most
            yield state, replace(page, has_next=page.has_next and not is_cut), is_cut
            if not page.has_next:
                break
            state = replace(first, after=page.places[-1])


def _has(one: ShownRun, status: str) -> bool:
    return any(own == status for _, _, own in one.pages.counts)


def _pairs(runs: list[ShownRun], site: Site) -> dict[tuple[str, str], str]:
    """The comparisons that a copy has: those of each run's sentence, and each run with the one before it."""
    found = {}
    for one in runs:
        for other, best in site.opening(one).pairs:
            key = f"{one.id}:{other}", f"{one.id}:{best}"
            found[key] = f"compare-{digest(*key)[:12]}.html"
    for newer, older in pairwise(runs):
        if len(newer.pages.systems) == len(older.pages.systems) == 1:
            found[older.id, newer.id] = f"compare-{digest(older.id, newer.id)[:12]}.html"
    return found


def _files(
    site: Site, plans: list[tuple[ShownRun, list[PlannedPage]]], links: BundleLinks
) -> Iterator[tuple[str, str]]:
    yield "index.html", site.runs({})
    for one, pages in plans:
        written: set[int] = set()
        for state, page, is_cut in pages:
            text = run_view(one, page, state, links, opening=site.opening(one), bundle=True, is_cut=is_cut)
            yield links.pages[one.id, state], text
            order = [place.position for place in page.places]
            for place, (position, rows) in enumerate(zip(order, page.cases, strict=True)):
                if position not in written:
                    written.add(position)
                    beside = (order[place - 1] if place else None, order[place + 1] if place + 1 < len(order) else None)
                    yield f"case-{one.id}-{position}.html", case_page(one, rows, state, links, beside, bundle=True)
    for pair, name in links.pairs.items():
        yield name, site.compare(*pair)
