"""How hard cases are: how often a system fails them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ringtrue.api.case_result import CaseResult
from ringtrue.api.report import EvalReport
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.check import is_number

BAND = (0.5, 1.0)
"""Cases that a system fails at least half of the time are hard for it."""


def failure_rate(verdicts: Sequence[bool | None]) -> float | None:
    """The share of runs that failed; None unless every run has a verdict, since the others might change it."""
    return None if not verdicts or None in verdicts else sum(not passed for passed in verdicts) / len(verdicts)


def band_of(given: Any, name: str = "band") -> tuple[float, float]:
    """A pair of shares, the lower one first; anything else is a ConfigurationError."""
    pair = tuple(given) if isinstance(given, (list, tuple)) else ()
    numbers = [number for number in pair if is_number(number)]
    if len(pair) != 2 or len(numbers) != 2 or not 0 <= numbers[0] <= numbers[1] <= 1:
        words = f"{name} is a pair of shares, the lower one first; got {given!r}"
        raise ConfigurationError(words, parameter=name, value=given)
    return numbers[0], numbers[1]


def hard_cases(report: EvalReport, band: tuple[float, float] = BAND) -> list[CaseResult]:
    """The cases of a report whose failure rate over its runs lies in a band; one with an unknown rate does not."""
    low, high = band_of(band)
    rates = [(one, failure_rate(_verdicts(one))) for one in report.case_results]
    return [one for one, rate in rates if rate is not None and low <= rate <= high]


def _verdicts(case: CaseResult) -> list[bool | None]:
    return [trial.passed if trial.evaluated else None for trial in case.trials or (case,)]
