"""Which cases of two sides are the same case: by dataset and id, by content where a case has no id of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ringtrue.records import Row, Run
from ringtrue.stats.pairs import names_of, numbered_keys


@dataclass(frozen=True, slots=True)
class Side:
    """One system of one run, and what it is called in a comparison."""

    run: Run
    system: str
    name: str

    def rows(self) -> Iterable[Row]:
        """The rows of the system."""
        return (row for row in self.run.rows if row.system == self.system)


@dataclass(frozen=True, slots=True)
class PairedCase:
    """A case that both sides were asked: its rows on either side, one for each repeat."""

    dataset: str
    before: Sequence[Row]
    after: Sequence[Row]


@dataclass(frozen=True, slots=True)
class CasePairs:
    """The cases of both sides, those of one side alone, and how many are `changed`: have the id but another content."""

    both: Sequence[PairedCase]
    only_before: Sequence[Sequence[Row]]
    only_after: Sequence[Sequence[Row]]
    changed: int


def pair_sides(before: Side, after: Side) -> CasePairs:
    """The cases of both; repeated ids are told apart by their order.

    Where each side has one dataset, what it is called does not matter: a file may have moved.
    """
    first, second = _cases(before), _cases(after)
    alone = all(len({dataset for dataset, _ in side}) == 1 for side in (first, second))
    if alone:
        first = {("", name): rows for (_, name), rows in first.items()}
        second = {("", name): rows for (_, name), rows in second.items()}
    shared = [key for key in first if key in second]
    same = [key for key in shared if _content(first[key][0]) == _content(second[key][0])]
    return CasePairs(
        [PairedCase(second[key][0].dataset, first[key], second[key]) for key in same],
        only_before=[rows for key, rows in first.items() if key not in second],
        only_after=[rows for key, rows in second.items() if key not in first],
        changed=len(shared) - len(same),
    )


def _cases(side: Side) -> Mapping[tuple[str, Hashable], Sequence[Row]]:
    """Dataset and name -> the rows of a case: one for each repeat, also where rows of several files share a place."""
    asked: dict[Hashable, list[Row]] = {}
    seen: Counter[Hashable] = Counter()
    for row in side.rows():
        place = (row.dataset, row.position, row.trial.case.id, _content(row))
        seen[place, row.repeat] += 1
        asked.setdefault((place, seen[place, row.repeat]), []).append(row)
    groups = list(asked.values())
    firsts = [rows[0] for rows in groups]
    names = names_of([str(row.trial.case.id) for row in firsts], map(_content, firsts))
    keys = numbered_keys((row.dataset, name) for row, name in zip(firsts, names, strict=True))
    return {
        (row.dataset, (name, times)): rows
        for row, rows, name, (_, times) in zip(firsts, groups, names, keys, strict=True)
    }


def _content(row: Row) -> Hashable:
    case = row.trial.case
    return case.input, case.expected, case.context, repr(case.messages) if case.messages else ""
