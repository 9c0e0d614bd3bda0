"""`Site`: each page of the viewer as text, from the runs of a library; it knows nothing of HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, product
from threading import Lock, Thread
from typing import TypeVar

from ringtrue.errors import ConfigurationError
from ringtrue.records import Row
from ringtrue.reports.comparing.case_pairs import Side, with_own_names
from ringtrue.reports.comparing.compare_runs import compare_sides
from ringtrue.reports.pages.comparison_view import pair_views
from ringtrue.store.human_labels import GRADES, VERDICTS, HumanLabel, subject_of
from ringtrue.store.text_search import INDEXED_AT_ONCE
from ringtrue.viewer.case_detail import case_page
from ringtrue.viewer.drawing import draw
from ringtrue.viewer.label_page import label_page, next_task, sample_rows
from ringtrue.viewer.library import Library, ShownRun
from ringtrue.viewer.live import Pace
from ringtrue.viewer.page_state import Links, PageState
from ringtrue.viewer.run_view import Opening, opening_of, run_view
from ringtrue.viewer.runs_list import runs_page

SHOWN_FLIPS, MOST_CHOICES = 50, 60
MOST_KEPT = 16
"""Of how many runs sentences, pictures and samples stay in memory."""
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class NotThere(Exception):
    """There is no such run, case or answer."""


class Site:
    """The pages. `form_token` is in every form that changes something; `who` gives the labels."""

    def __init__(
        self, library: Library, links: Links, *, form_token: str = "", who: str = "", bundle: bool = False
    ) -> None:
        self.library, self.links, self.who, self.bundle = library, links, who, bundle
        self.form_token = form_token
        self.pace = Pace()
        self._openings: dict[tuple[str, float | None], Opening] = {}
        self._samples: dict[tuple[str, float | None], list[Row]] = {}
        self._preparing: dict[str, Thread] = {}
        self._lock = Lock()

    def runs(self, query: Mapping[str, str]) -> str:
        """All runs."""
        return runs_page(self.library.runs(), query, self.links, self.pace, bundle=self.bundle)

    def run(self, id: str, state: PageState) -> str:
        """A run with one page of its cases."""
        one = self._find(id)
        prepared = self._is_prepared(one)
        if not prepared and state.order.lstrip("-") in ("cost", "seconds", "name"):
            return self._waiting(one)
        page = one.pages.page(state.wanted, state.order, after=state.after, before=state.before)
        progress = self.pace.progress(id, one.run.made, sum(one.pages.counts.values())) if one.is_live else None
        return run_view(
            one,
            page,
            state,
            self.links,
            opening=self.opening(one),
            progress=progress,
            bundle=self.bundle,
            indexed=one.pages.search.progress() if state.wanted.text and not prepared else None,
        )

    def _is_prepared(self, one: ShownRun) -> bool:
        """Whether a run can be searched and sorted; a large one is indexed in the background from its first page on."""
        if self.bundle or one.is_live or one.pages.search.is_prepared():
            return True
        if sum(one.pages.counts.values()) <= INDEXED_AT_ONCE:
            one.pages.search.prepare()
            return True
        with self._lock:
            if one.id not in self._preparing or not self._preparing[one.id].is_alive():
                self._preparing[one.id] = Thread(target=one.pages.search.prepare, name="ringtrue-search", daemon=True)
                self._preparing[one.id].start()
        return False

    def _waiting(self, one: ShownRun) -> str:
        done, rows = one.pages.search.progress()
        words = f"{done:,} of {rows:,} rows are indexed so far. The sorted rows appear here when all are."
        return draw("problem.html", links=self.links, title="Preparing the order", words=words, says="", again=True)

    def opening(self, one: ShownRun) -> Opening:
        """Return the beginning of a run's page; that of an ended run is made once."""
        key = (one.id, one.stored.finished)
        if not one.run.summaries:
            return opening_of(one)
        if key not in self._openings:
            found = opening_of(one)
            with self._lock:
                _keep(self._openings, key, found)
            return found
        return self._openings[key]

    def case(self, id: str, position: int, state: PageState) -> str:
        """A case, and the cases beside it among those that the state asks for."""
        one = self._find(id)
        rows = one.pages.case(position)
        if not rows:
            raise NotThere(f"The run {id} has no case at position {position}.")
        place = one.pages.place_of(position, state.wanted, state.order)
        neighbours: tuple[int | None, int | None] = (None, None)
        if place is not None:
            before = one.pages.page(state.wanted, state.order, before=place, limit=1).places
            after = one.pages.page(state.wanted, state.order, after=place, limit=1).places
            neighbours = (before[0].position if before else None, after[0].position if after else None)
        return case_page(one, rows, replace(state, after=None, before=None), self.links, neighbours, bundle=self.bundle)

    def compare(self, first: str, second: str) -> str:
        """Two runs, or two systems, on the same cases; where a run has several systems, the choice."""
        sides = [self._side(name) for name in (first, second)]
        known = [side for side in sides if isinstance(side, Side)]
        ids = list(dict.fromkeys(name.partition(":")[0] for name in (first, second)))
        values = {
            "links": self.links,
            "bundle": self.bundle,
            "ids": ids,
            "command": f"ringtrue compare {first} {second}",
        }
        if len(known) < 2:
            return draw(
                "compare.html", **values, title="Compare", views=[], problem="", choices=self._choices(first, second)
            )
        shown = with_own_names(known)
        title = f"{shown[1].name} against {shown[0].name}"
        try:
            views = pair_views(compare_sides(shown), SHOWN_FLIPS)
        except ConfigurationError as error:
            return draw("compare.html", **values, title=title, views=[], problem=str(error), choices=[])
        return draw("compare.html", **values, title=title, views=views, problem="", choices=[])

    def label(self, id: str, skip: str = "") -> str:
        """The next answer to label; `skip` is one that is being labelled at this moment."""
        one = self._find(id)
        labels = self.library.labels()
        task = next_task(labels, self._sample(one), skip)
        return label_page(one, task, self.links, token=self.form_token, recent=labels.given_in(id, 50))

    def keep_label(self, id: str, form: Mapping[str, str]) -> None:
        """Keep a label that a form gives; what it does not say rightly is not kept."""
        one = self._find(id)
        known = {subject_of(row.trial) for row in self._sample(one)}
        verdict, grade = form.get("verdict"), form.get("grade", "")
        given = int(grade) if grade.isascii() and grade.isdigit() and int(grade) in GRADES else None
        if form.get("subject") not in known or (given is None and verdict not in VERDICTS):
            raise NotThere("The form names no answer of this run, or no verdict.")
        kept = None if given is not None else verdict
        label = HumanLabel(form["subject"], kept, given, form.get("comment", ""), self.who, run=id)  # type: ignore[arg-type]
        self.library.labels().add(label)

    def undo_label(self, id: str) -> None:
        """Take the last label back."""
        self._find(id)
        self.library.labels().undo(id, self.who)

    def live(self, id: str) -> dict[str, object]:
        """Return the progress of a run."""
        one = self._find(id)
        progress = self.pace.progress(id, one.run.made, sum(one.run.rows.counts().values()))  # type: ignore[attr-defined]
        words = f"running: {progress.words}" if one.is_live else f"{one.status}: {progress.done:,} rows"
        return {"rows": progress.done, "of": max(progress.of, progress.done, 1), "running": one.is_live, "words": words}

    def _find(self, id: str) -> ShownRun:
        one = self.library.find(id)
        if one is None:
            raise NotThere(f"There is no run {id[:80]!r} here.")
        return one

    def _sample(self, one: ShownRun) -> list[Row]:
        key = (one.id, one.stored.finished)
        if one.is_live or key not in self._samples:
            found = sample_rows(one)
            with self._lock:
                _keep(self._samples, key, found)
            return found
        return self._samples[key]

    def _side(self, name: str) -> Side | None:
        """The side that `id` or `id:system` names; None where the run has several systems and none is named."""
        key, _, system = name.partition(":")
        one = self._find(key)
        names = one.pages.systems
        if system and system not in names:
            raise NotThere(f"The run {key} has no system {system[:80]!r}.")
        if not system and len(names) != 1:
            return None
        chosen = system or names[0]
        return Side(one.run, chosen, one.run.made.name or one.file or key)

    def _choices(self, first: str, second: str) -> list[tuple[str, str]]:
        """Return the words and the link of each pair of systems; each pair of one run once."""
        sides = []
        for name in (first, second):
            key, _, system = name.partition(":")
            sides.append([(key, one) for one in ([system] if system else self._find(key).pages.systems)])
        every = combinations(sides[0], 2) if sides[0] == sides[1] else product(*sides)
        pairs = [pair for pair in every if pair[0] != pair[1]][:MOST_CHOICES]
        known = {name for pair in pairs for name in pair}
        names = {one: one[1] if len({key for key, _ in known}) == 1 else ":".join(one) for one in known}
        return [(f"{names[b]} against {names[a]}", self.links.compare(":".join(a), ":".join(b))) for a, b in pairs]


def _keep(kept: dict[_Key, _Value], key: _Key, value: _Value) -> None:
    """Remember a value, and forget the oldest of too many."""
    kept[key] = value
    while len(kept) > MOST_KEPT:
        kept.pop(next(iter(kept)))
