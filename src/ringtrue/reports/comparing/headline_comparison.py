"""`compare_headlines`: which system of a run is best by what passes, from one look at each row.

Of a case no more is kept than how often each system passed it, so that a run of a million rows is compared, too.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import TypeAlias

from ringtrue.records import Row, Run
from ringtrue.reports.comparing.case_pairs import Side
from ringtrue.reports.comparing.compare_runs import correct_parts, pair_count
from ringtrue.reports.comparing.comparison import DEFAULT_MARGIN, Comparison, SystemPair
from ringtrue.reports.comparing.dataset_sums import verdict_part
from ringtrue.reports.comparing.paired_values import Absent, PairedColumn
from ringtrue.reports.headline_table import ranked_systems
from ringtrue.stats.case_sources import SourceFields, case_sources, source_fields
from ringtrue.stats.pairs import case_content, has_own_id
from ringtrue.stats.row_status import RowVerdicts

_STATUSES = ("passed", "failed", "error", "skipped")
SEED = 0
LARGE = 20_000
"""Of a stored run of more rows the verdicts are read that the database keeps, and not the rows."""


RowVerdict: TypeAlias = tuple[str, str, Hashable, str, SourceFields]
"""Dataset, system, case, status, and what the case comes from."""


def compare_headlines(run: Run) -> Comparison:
    """The best system of a run with each of the others; p-values are corrected for all pairs of systems."""
    found = headlines_of(run, _light_verdicts(run) or _read_verdicts(run))
    if all(pair.cases for pair in found.pairs):
        return found
    # The answers of several systems in one file: each has a place of its own, whatever its case.
    return headlines_of(run, _read_verdicts(run, _CaseNames()))


def _light_verdicts(run: Run) -> Iterator[RowVerdict] | None:
    """The verdicts of a large stored run, without its rows."""
    if len(run.rows) <= LARGE:
        return None
    from ringtrue.store.row_verdicts import stored_verdicts  # with a database library, which few runs need

    return stored_verdicts(run.rows)


def headlines_of(run: Run, verdicts: Iterable[RowVerdict]) -> Comparison:
    """The comparison of the systems of a run by how each of its rows ended."""
    names = ranked_systems(run)
    datasets: dict[str, _Cases] = {}
    for dataset, system, case, status, source in verdicts:
        datasets.setdefault(dataset, _Cases(names)).add(system, case, status, source)
    pairs = [_pair(run, other, names[0], datasets) for other in names[1:]]
    return correct_parts(pairs, DEFAULT_MARGIN, SEED, looks=pair_count(names))


def _pair(run: Run, before: str, after: str, datasets: Mapping[str, _Cases]) -> SystemPair:
    rule = RowVerdicts(run.made)
    main = next(iter(rule.mains.values()), None)
    parts, amount = [], 0
    for dataset, cases in datasets.items():
        places = cases.places_of(before, after)
        amount += len(places)
        headline = None if rule.by_every_check else rule.dataset_headline(dataset) or main
        if places and (rule.by_every_check or headline is not None):
            column, sources = PairedColumn(), case_sources([cases.sources[place] for place in places]) or repeat(None)
            sides = cases.values(before, places), cases.values(after, places)
            for old, new, source in zip(*sides, sources, strict=False):
                column.add(old, new, source)
            parts.append(verdict_part(dataset, headline, column, DEFAULT_MARGIN, SEED))
    return SystemPair(Side(run, before, before), Side(run, after, after), parts, cases=amount)


class _Cases:
    """The number of times each system passed each case of a dataset, in a few bytes."""

    def __init__(self, systems: list[str]) -> None:
        self.places: dict[Hashable, int] = {}
        self.sources: list[SourceFields] = []
        self.counts = {name: {kind: array("H") for kind in _STATUSES} for name in systems}

    def add(self, system: str, case: Hashable, status: str, source: SourceFields) -> None:
        place = self.places.setdefault(case, len(self.places))
        if place == len(self.sources):
            self.sources.append(source)
            for own in self.counts.values():
                for counted in own.values():
                    counted.append(0)
        self.counts[system][status][place] += 1

    def places_of(self, *systems: str) -> list[int]:
        """The places of the cases that all these systems were asked."""
        asked = [zip(*self.counts[name].values(), strict=True) for name in systems]
        return [place for place, counts in enumerate(zip(*asked, strict=True)) if all(map(any, counts))]

    def values(self, system: str, places: Sequence[int]) -> list[float | Absent]:
        passed, failed, errors = (self.counts[system][kind] for kind in ("passed", "failed", "error"))
        return [_share(passed[place], failed[place], errors[place]) for place in places]


def _share(passed: int, failed: int, errors: int) -> float | Absent:
    if passed + failed:
        return passed / (passed + failed)
    return "error" if errors else "skipped"


class _CaseNames:
    """Calls a case by its id and what it says, and how often its system had it before; wherever it is in a file."""

    def __init__(self) -> None:
        self._seen: Counter[Hashable] = Counter()

    def __call__(self, row: Row) -> Hashable:
        case = row.trial.case
        name = hash((str(case.id) if has_own_id(row) else "", case_content(case)))
        asked = (row.system, row.repeat, name)
        self._seen[asked] += 1
        return name, self._seen[asked]


def _place(row: Row) -> Hashable:
    return hash((row.position, str(row.trial.case.id)))


def _read_verdicts(run: Run, case_of: Callable[[Row], Hashable] = _place) -> Iterator[RowVerdict]:
    verdicts = RowVerdicts(run.made)
    for row in run.rows:
        yield row.dataset, row.system, case_of(row), verdicts.status(row), source_fields(row.trial.case.fields)
