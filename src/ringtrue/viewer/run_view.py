"""The page of a run: the sentence, the headline, pictures, and its cases with filters that live in the address."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from ringtrue.records import Row, Run
from ringtrue.reports.caveats import warning_lines
from ringtrue.reports.charts import axis_cell, share_scale
from ringtrue.reports.comparing.comparison import Comparison
from ringtrue.reports.cost import run_cost
from ringtrue.reports.headline_table import headline_table
from ringtrue.reports.number import count, duration, number
from ringtrue.reports.pages.case_view import case_views
from ringtrue.reports.pages.run_pictures import Figure, headline_cells, run_pictures
from ringtrue.reports.pages.run_report import has_several_marks, provenance, score_table, start_words
from ringtrue.reports.verdict import VerdictWords, compared_systems, report_title, run_verdict
from ringtrue.stats.row_pages import ListRows
from ringtrue.store.case_pages import CasePage, CasePages
from ringtrue.store.runs import Counts
from ringtrue.viewer.drawing import draw
from ringtrue.viewer.library import ShownRun
from ringtrue.viewer.live import Progress, with_summaries
from ringtrue.viewer.page_state import Links, PageState

DRAWN_ROWS = 5_000
"""Charts of a larger run are drawn from this many rows, taken at equal steps."""
MOST_PAIRS = 6
STATUS_WORDS = (("failed", "Failed"), ("error", "Errors"), ("skipped", "Skipped"), ("passed", "Passed"))


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter: its words, how many rows it leaves, whether it is chosen, and where it leads."""

    words: str
    amount: int | None
    pressed: bool
    link: str


class Sort(NamedTuple):
    """An order of the rows: its words, what is said of its direction, whether it is chosen, and where it leads."""

    words: str
    spoken: str
    chosen: bool
    link: str


class Opening(NamedTuple):
    """The beginning of a run's page: its sentence, its pictures, and its pairs of systems, the better one last."""

    verdict: Sequence[VerdictWords]
    figures: Sequence[Figure] = ()
    pairs: Sequence[tuple[str, str]] = ()


def opening_of(one: ShownRun) -> Opening:
    """The opening of a run; of one that has not ended, the shares so far."""
    run = one.run
    if not run.summaries:
        return Opening(run_verdict(with_summaries(run, one.pages.counts), None))
    compared = compared_systems(run)
    pairs = [] if compared is None else [(pair.before.name, pair.after.name) for pair in compared.pairs if pair.cases]
    return Opening(run_verdict(run, compared), _pictures(run, one.pages, compared), pairs[:MOST_PAIRS])


def run_view(
    one: ShownRun,
    page: CasePage,
    state: PageState,
    links: Links,
    *,
    opening: Opening,
    progress: Progress | None = None,
    bundle: bool = False,
    is_cut: bool = False,
    indexed: tuple[int, int] | None = None,
) -> str:
    """The page of a run with one page of its cases; `indexed` says how many rows a search has seen, of how many."""
    counts = one.pages.counts
    run = with_summaries(one.run, counts)
    return draw(
        "run.html",
        links=links,
        bundle=bundle,
        run=one,
        state=state,
        title=report_title(run),
        meta=_meta(one, counts),
        verdict=opening.verdict,
        indexed=indexed,
        figures=opening.figures,
        names=[system.name for system in run.made.systems],
        pairs=_pair_links(one.id, opening.pairs, links),
        totals=_totals(counts),
        facts=provenance(replace(run, rows=ListRows([], run.made))),
        progress=progress,
        rows=sum(counts.values()),
        is_cut=is_cut,
        **_number_values(one, run, links),
        **_row_values(one, page, state, links),
    )


def _number_values(one: ShownRun, run: Run, links: Links) -> dict[str, Any]:
    """Return the values for the tables, and the sentences before them."""
    blocks = headline_table(run)
    return {
        "warnings": warning_lines(run),
        "blocks": blocks,
        "drawn": headline_cells(blocks, hollow=one.is_live),
        "link": _count_link(one.id, links),
        "scores": score_table(run, blocks),
        "axis": axis_cell(share_scale(), "score"),
    }


def _row_values(one: ShownRun, page: CasePage, state: PageState, links: Links) -> dict[str, Any]:
    """Return the values for the list of cases: the filters, the cases, and the pages beside this one."""
    key, made = one.id, one.run.made
    here = replace(state, after=None, before=None)
    views = [view for rows in page.cases for view in case_views(rows, made)]
    ends = (page.places[0], page.places[-1]) if page.places else None
    return {
        "statuses": _status_chips(key, one.pages.counts, state, links),
        "datasets": _chips(key, "dataset", [data.name for data in made.datasets], state, links),
        "systems": _chips(key, "system", [system.name for system in made.systems], state, links),
        "cases": [(view, links.case(key, view.key[1], here)) for view in views],
        "marks_in_order": has_several_marks(views),
        "previous": links.run(key, replace(here, before=ends[0])) if page.has_previous and ends else "",
        "next": links.run(key, replace(here, after=ends[1])) if page.has_next and ends else "",
        "first": links.run(key, here),
        "sorts": _sorts(one, state, links),
    }


def _pictures(run: Run, pages: CasePages, compared: Comparison | None) -> list[Figure]:
    """The pictures of a run; those of many rows are drawn from some, and say so."""
    rows = sum(pages.counts.values())
    blocks = headline_table(run)
    if rows <= DRAWN_ROWS:
        return run_pictures(run, blocks, compared)
    some = list(islice(_spread(pages, rows), DRAWN_ROWS))
    aside = f" Drawn from {len(some):,} of {rows:,} rows."
    figures = run_pictures(replace(run, rows=ListRows(some, run.made)), blocks, compared)
    return [figure._replace(reading=figure.reading + aside) for figure in figures]


def _spread(pages: CasePages, rows: int) -> Iterator[Row]:
    """Rows at equal steps."""
    step = max(1, rows // DRAWN_ROWS)
    last = rows // max(1, len(pages.systems)) - 1
    positions = list(range(0, last + 1, step))
    for start in range(0, len(positions), 250):
        for case in pages.cases(positions[start : start + 250]):
            yield from case


def _meta(one: ShownRun, counts: Counts) -> list[tuple[str, str]]:
    made, stored = one.run.made, one.stored
    took = (stored.finished or 0) - stored.created
    cost = run_cost(one.run)["total"] if one.run.facts else None
    facts = [
        (made.job, one.id),
        ("file", one.file),
        ("", start_words(stored.created) if not one.file else ""),
        ("", count(sum(counts.values()), "row")),
        ("", count(len(made.systems), "system") if len(made.systems) > 1 else ""),
        ("took", duration(took) if took > 0 and not one.file and not one.is_live else ""),
        ("", one.status if one.status not in ("finished", "running") else ""),
        ("cost", number(cost, "dollars", marked=True) if cost else ""),
    ]
    return [(word, text) for word, text in facts if text]


def _totals(counts: Counts) -> dict[str, int]:
    """Return the numbers of failed, skipped and broken rows."""
    return {status: sum(n for (_, _, own), n in counts.items() if own == status) for status, _ in STATUS_WORDS}


def _status_chips(id: str, counts: Counts, state: PageState, links: Links) -> list[Chip]:
    """A chip for all rows and one for each status that there is, counted among the chosen dataset and system."""
    wanted = state.wanted
    amounts: dict[str, int] = {}
    for (dataset, system, status), amount in counts.items():
        if wanted.dataset in (None, dataset) and wanted.system in (None, system):
            amounts[status] = amounts.get(status, 0) + amount
    every = Chip("All", sum(amounts.values()), wanted.status is None, links.run(id, state.but(status=None)))
    return [
        every,
        *(
            Chip(words, amounts.get(status, 0), wanted.status == status, links.run(id, state.but(status=status)))
            for status, words in STATUS_WORDS
            if amounts.get(status) or wanted.status == status
        ),
    ]


def _chips(id: str, kind: str, names: Sequence[str], state: PageState, links: Links) -> list[Chip]:
    """A chip for each dataset or system, where there are several."""
    if len(names) < 2:
        return []
    chosen = getattr(state.wanted, kind)
    every = Chip(f"All {kind}s", None, chosen is None, links.run(id, state.but(**{kind: None})))
    return [
        every,
        *(Chip(name or "rows", None, chosen == name, links.run(id, state.but(**{kind: name}))) for name in names),
    ]


def _sorts(one: ShownRun, state: PageState, links: Links) -> list[Sort]:
    """The orders of the rows; the one that is chosen leads to its opposite. Of a live run no cost is indexed yet."""
    orders = [("failures first", "worst"), ("as asked", "position"), ("score", "score")]
    if not one.is_live:
        orders += [("cost", "-cost"), ("time", "-seconds"), ("id", "name")]
    found = []
    for words, first in orders:
        chosen = state.order.lstrip("-") == first.lstrip("-")
        flips = chosen and first not in ("worst", "position")
        order = (state.order[1:] if state.order.startswith("-") else f"-{state.order}") if flips else first
        arrow = "" if not flips else " ↓" if state.order.startswith("-") else " ↑"
        spoken = "" if not flips else ", largest first" if state.order.startswith("-") else ", smallest first"
        state_there = PageState(state.wanted, order)  # type: ignore[arg-type]  # names of orders
        found.append(Sort(f"{words}{arrow}", spoken, chosen, links.run(one.id, state_there)))
    return found


def _count_link(id: str, links: Links) -> Callable[[str, str, str], str]:
    def link(dataset: str, system: str, status: str) -> str:
        return links.run(id, PageState().but(dataset=dataset or None, system=system, status=status)) + "#rows"

    return link


def _pair_links(id: str, pairs: Sequence[tuple[str, str]], links: Links) -> list[tuple[str, str]]:
    return [(f"{best} against {other}", links.compare(f"{id}:{other}", f"{id}:{best}")) for other, best in pairs]
