"""`Calibrated`: the result of comparing evaluators with human labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ringtrue.records import Problem, Run
from ringtrue.reports.data_frame import Library
from ringtrue.reports.number import count
from ringtrue.stats.calibration import Calibration


@dataclass(frozen=True, repr=False)
class Calibrated:
    """The result of `calibrate`: one calibration per evaluator, the labels used, and the `run` that was compared with
    them."""

    label: str
    labelled: int
    evaluators: Mapping[str, Calibration]
    run: Run

    def __repr__(self) -> str:
        named = ", ".join(self.evaluators)
        return f"<Calibrated by {self.label!r}: {named}, {self.labelled:,} of {count(self.rows, 'row')} labelled>"

    def _repr_html_(self) -> str:
        """The calibration as a notebook shows it."""
        from ringtrue.reports.pages.calibration_html import calibration_html

        return calibration_html(self.evaluators, self.run, self.label, self.labelled)

    def to_dataframe(self, library: Library | None = None) -> Any:
        """A data frame with one line per row and every score; pandas, or else polars."""
        return self.run.to_dataframe(library)

    @property
    def rows(self) -> int:
        """The number of rows, labelled or not."""
        return len(self.run.rows)

    @property
    def signatures(self) -> dict[str, str]:
        """The signature of each evaluator."""
        return {one.name: one.signature for one in self.run.made.evaluators}

    @property
    def problems(self) -> int:
        """The number of rows that could not be read or have no response."""
        return self.run.problems

    @property
    def first_problems(self) -> tuple[Problem, ...]:
        """Messages about the first of these rows."""
        return self.run.first_problems

    @property
    def spent(self) -> Mapping[str, float | None]:
        """The calls, tokens and cost of the judges."""
        return self.run.spent
