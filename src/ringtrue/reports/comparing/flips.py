"""`Flips`: the cases that passed on one side alone, read when they are asked for."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import overload

from ringtrue.records import Row
from ringtrue.reports.comparing.case_pairs import PairedCase
from ringtrue.reports.comparing.comparison import Flip
from ringtrue.reports.comparing.row_spool import RowSpool
from ringtrue.stats.row_status import RowVerdicts


class Flips(Sequence[Flip]):
    """Flipped cases in their order; memory holds two numbers of each."""

    def __init__(self, rows: RowSpool) -> None:
        self.rows = rows
        self._numbers = array("q")

    def add(self, before: int, after: int) -> None:
        """Take a case in by the numbers of its rows."""
        self._numbers.extend((before, after))

    def __len__(self) -> int:
        return len(self._numbers) // 2

    @overload
    def __getitem__(self, place: int) -> Flip: ...
    @overload
    def __getitem__(self, place: slice) -> list[Flip]: ...
    def __getitem__(self, place: int | slice) -> Flip | list[Flip]:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        at = range(len(self))[place] * 2
        before, after = (self.rows[number] for number in self._numbers[at : at + 2])
        return Flip(after.trial.case, after.dataset, before, after)


class VerdictPairs:
    """The cases of both sides by verdict: lost, gained, and the number that ended alike."""

    def __init__(self, rows: RowSpool, verdicts: tuple[RowVerdicts, RowVerdicts]) -> None:
        self.verdicts = verdicts
        self.lost, self.gained = Flips(rows), Flips(rows)
        self.both_passed = self.both_failed = 0

    def add(self, case: PairedCase) -> None:
        """Take a case in; one without a verdict on either side is left out."""
        found = [self._mostly_passed(side, rows) for side, rows in enumerate((case.before, case.after))]
        if None in found:
            return
        if found[0] == found[1]:
            self.both_passed += bool(found[0])
            self.both_failed += not found[0]
            return
        shown = [self._representative(case, side, bool(found[side])) for side in (0, 1)]
        (self.lost if found[0] else self.gained).add(*shown)

    def _mostly_passed(self, side: int, rows: Sequence[Row]) -> bool | None:
        """Whether most repeats with a verdict passed; None without any."""
        statuses = [self.verdicts[side].status(row) for row in rows]
        own_verdicts = [status == "passed" for status in statuses if status in ("passed", "failed")]
        return sum(own_verdicts) * 2 > len(own_verdicts) if own_verdicts else None

    def _representative(self, case: PairedCase, side: int, passed: bool) -> int:
        """The number of the first repeat that ended as most of them did."""
        rows, wanted = (case.before, case.after)[side], "passed" if passed else "failed"
        statuses = [self.verdicts[side].status(row) for row in rows]
        return case.numbers[side][statuses.index(wanted) if wanted in statuses else 0]
