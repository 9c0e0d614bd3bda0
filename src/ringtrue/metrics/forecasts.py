"""How far forecasts are from what was observed, and whether their deviations say so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum, isfinite, log, pi
from statistics import NormalDist, fmean

from ringtrue.errors import ConfigurationError
from ringtrue.metrics.correlation import absolute_error
from ringtrue.metrics.stats import mean_interval, wilson
from ringtrue.records import Summary

_LARGEST = 1e150
"""Squares of what is smaller can be summed up."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The central interval of a normal forecast, whether it holds what was observed, and how unlikely that was."""

    lower: float
    upper: float
    covered: bool
    negative_log_density: float


@dataclass(frozen=True, slots=True)
class ForecastError:
    """One forecast beside what was observed; `spread` is there where the forecast has a standard deviation."""

    predicted: float
    observed: float
    absolute_error: float
    spread: Spread | None = None


def forecast_error(
    predicted: float, observed: float, deviation: float | None = None, *, level: float = 0.9
) -> ForecastError | None:
    """How far a forecast is off; None where a number of that is beyond every float."""
    if not 0 < level < 1:
        raise ConfigurationError(f"level lies between 0 and 1; got {level!r}", parameter="level", value=level)
    if deviation is not None and not deviation > 0:
        raise ConfigurationError(f"a standard deviation is positive; got {deviation!r}", value=deviation)
    error = abs(predicted - observed)
    if deviation is None:
        return ForecastError(predicted, observed, error) if isfinite(error) else None
    reach = NormalDist().inv_cdf((1 + level) / 2) * deviation
    lower, upper, away = predicted - reach, predicted + reach, (observed - predicted) / deviation
    density = log(deviation) + log(2 * pi) / 2 + away * away / 2
    if not all(map(isfinite, (error, lower, upper, density))):
        return None
    return ForecastError(predicted, observed, error, Spread(lower, upper, lower <= observed <= upper, density))


def forecast_summaries(errors: Sequence[ForecastError | None]) -> dict[str, Summary]:
    """The mean absolute error; with deviations also the share that their intervals hold, and the mean log density.

    What could not be measured, or is too large to be averaged, counts as an error of each.
    """
    known = [error for error in errors if error is not None and _has_square(error)]
    lost = len(errors) - len(known)
    found = {"absolute_error": absolute_error([e.predicted for e in known], [e.observed for e in known])}
    spreads = [error.spread for error in known if error.spread is not None]
    if spreads:
        n, covered = len(spreads), sum(spread.covered for spread in spreads)
        found["coverage"] = Summary(covered / n, n, 0, 0, wilson(covered, n), "wilson", covered, n - covered)
        densities = [spread.negative_log_density for spread in spreads]
        mean = fmean(densities)
        variance = fsum((one - mean) ** 2 for one in densities) / max(1, n - 1)
        found["negative_log_density"] = Summary(mean, n, 0, 0, mean_interval(mean, variance, n), "t")
    return {name: replace(summary, errors=lost) for name, summary in found.items()}


def _has_square(error: ForecastError) -> bool:
    density = error.spread.negative_log_density if error.spread else 0.0
    return max(error.absolute_error, abs(density)) < _LARGEST
