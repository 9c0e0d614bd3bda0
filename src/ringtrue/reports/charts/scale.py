"""`Scale`: where a number is on an axis, and which round numbers mark it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from ringtrue.reports.number import MINUS


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from one number to another over some pixels; `ticks` are the numbers that are marked on it."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...] = ()
    logarithmic: bool = False

    def at(self, value: float) -> float:
        """The pixel of a number; one beyond the axis is at its end."""
        low, high = self._place(self.low), self._place(self.high)
        share = (self._place(value) - low) / (high - low) if high > low else 0.5
        return self.start + min(1.0, max(0.0, share)) * (self.end - self.start)

    def _place(self, value: float) -> float:
        return log10(max(value, 1e-12)) if self.logarithmic else value


def round_scale(values: Sequence[float], start: float, end: float, *, most_ticks: int = 5) -> Scale:
    """A linear axis between round numbers that holds all values."""
    known = [value for value in values if isfinite(value)] or [0.0, 1.0]
    low, high = min(known), max(known)
    if high - low < 1e-9:
        reach = abs(low) / 2 if abs(low) > 1e-6 else 0.5
        low, high = low - reach, high + reach
    step = _round_step((high - low) / max(1, most_ticks - 1))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    ticks = tuple(round(place * step, 12) for place in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], start, end, ticks)


def difference_scale(values: Sequence[float], start: float, end: float) -> Scale:
    """An axis around zero, as far to the left as to the right."""
    reach = max((abs(value) for value in values if isfinite(value)), default=0.0)
    reach = reach if reach > 1e-9 else 1.0
    step = _round_step(reach / 2)
    steps = ceil(reach / step - 1e-9)
    ticks = tuple(round(place * step, 12) for place in range(-steps, steps + 1))
    return Scale(ticks[0], ticks[-1], start, end, ticks)


def log_scale(values: Sequence[float], start: float, end: float) -> Scale:
    """A logarithmic axis between powers of ten, or 1, 2 and 5 times them, that holds all positive values."""
    known = [value for value in values if isfinite(value) and value > 0] or [1.0]
    low, high = min(known) * 0.8, max(known) * 1.25
    first, last = floor(log10(low)), ceil(log10(high))
    steps = (1, 2, 5) if last - first <= 3 else (1,)
    every = sorted(digit * 10.0**power for power in range(first, last + 1) for digit in steps)
    below = max(tick for tick in every if tick <= low)
    above = min((tick for tick in every if tick >= high), default=every[-1])
    ticks = tuple(tick for tick in every if below <= tick <= above)
    stride = ceil(len(ticks) / 8)
    return Scale(below, above, start, end, ticks[::stride], logarithmic=True)


def tick_label(value: float, *, signed: bool = False) -> str:
    """A round number as it is written at an axis."""
    digits = f"{abs(value):,.6f}".rstrip("0").rstrip(".") if abs(value) < 1e6 else f"{abs(value):.0e}".replace("+0", "")
    if digits == "0":
        return "0" if not value or abs(value) >= 5e-7 else f"{value:.0e}".replace("e-0", "e-").replace("-", MINUS)
    return f"{MINUS if value < 0 else '+' if signed else ''}{digits}"


def _round_step(rough: float) -> float:
    """The next round step: 1, 2, 2.5 or 5 times a power of ten."""
    power = 10.0 ** floor(log10(rough))
    return next((size * power for size in (1, 2, 2.5, 5) if size * power >= rough * (1 - 1e-9)), 10 * power)
