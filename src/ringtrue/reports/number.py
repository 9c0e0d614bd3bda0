"""Format every number: with its unit, its decimals, and its interval."""

from __future__ import annotations

from ringtrue.records import Summary, Unit

NOTHING = "–"
"""What is shown where there is no number."""
MINUS = "−"

_DECIMALS: dict[Unit, int] = {
    "share": 1,
    "score": 2,
    "seconds": 2,
    "tokens": 0,
    "dollars": 4,
    "ratio": 2,
    "count": 0,
}
_MOST_DECIMALS = 9
_LEAST_DOLLARS = 0.0001
"""A price below half of this is written as less than it, not as nothing."""
_MARKS: dict[Unit, tuple[str, str]] = {
    "share": ("", " %"),
    "score": ("", ""),
    "seconds": ("", " s"),
    "tokens": ("", " tokens"),
    "dollars": ("$", ""),
    "ratio": ("", ""),
    "count": ("", ""),
}


def number(
    value: float | None,
    unit: Unit = "score",
    *,
    marked: bool = False,
    signed: bool = False,
    decimals: int | None = None,
) -> str:
    """A number in the decimals of its unit; `marked` with the unit, for where no heading names it."""
    if value is None:
        return NOTHING
    shown = value * 100 if unit == "share" else value
    text = f"{abs(shown):,.{_DECIMALS[unit] if decimals is None else decimals}f}"
    if unit == "dollars" and 0 < shown < _LEAST_DOLLARS / 2:
        return f"<{'$' if marked else ''}{_LEAST_DOLLARS}"
    negative = shown < 0 and any(digit in text for digit in "123456789")
    sign = MINUS if negative else "+" if signed else ""
    before, after = _MARKS[unit] if marked else ("", "")
    after = " token" if after == " tokens" and text == "1" else after
    return f"{sign}{before}{text}{after}"


def with_limit(value: float, limit: float, unit: Unit = "score") -> tuple[str, str]:
    """A number and the limit it missed, each with its unit, in as many decimals as it takes to tell them apart."""
    for decimals in range(_DECIMALS[unit], _MOST_DECIMALS):
        texts = number(value, unit, marked=True, decimals=decimals), number(limit, unit, marked=True, decimals=decimals)
        if texts[0] != texts[1]:
            break
    return texts


def interval(found: tuple[float, float] | None, unit: Unit = "score", *, signed: bool = False) -> str:
    """An interval as `low–high`, or `low to high` where a sign would be read as the dash."""
    if found is None:
        return NOTHING
    low, high = (number(end, unit, signed=signed) for end in found)
    return f"{low} to {high}" if signed or MINUS in low else f"{low}–{high}"


def with_interval(summary: Summary) -> str:
    """A number with its unit and its 95 % interval, as a sentence has it."""
    if summary.value is None:
        return NOTHING
    value = number(summary.value, summary.unit, marked=True)
    return value if summary.interval is None else f"{value} ({interval(summary.interval, summary.unit)})"


def at_threshold(summary: Summary) -> str:
    """The number from which a row passes, for behind a share of rows that pass; empty where each check has its own."""
    return "" if summary.threshold is None else f" at {summary.threshold:.2f}"


def count(amount: int, noun: str, plural: str = "") -> str:
    """A count with its noun in the right number."""
    return f"{amount:,} {noun if amount == 1 else plural or noun + 's'}"


def absence_words(skipped: int, errors: int) -> list[str]:
    """The number of missing numbers, by why they are missing."""
    return [*([f"{skipped:,} skipped"] if skipped else []), *([count(errors, "error")] if errors else [])]


def age_words(seconds: float) -> str:
    """The age of something, in its largest unit."""
    for size, unit in ((86_400, "day"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            amount = int(seconds // size)
            return count(amount, unit) if unit == "day" else f"{amount} {unit}"
    return "now"


def duration(seconds: float) -> str:
    """A span of time for people."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
