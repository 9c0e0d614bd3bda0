"""Units as they follow a number in prose, and when two measures in different units are the same."""

from __future__ import annotations

import re
from fractions import Fraction

from ringtrue.scoring.maths.units import Unit, read_unit

# In prose "in" is not an inch.
_UNIT = re.compile(
    r"\s?(?!in\b)(?:(?:square|cubic|sq|cu)\s)?[A-Za-z]{1,12}"
    r"(?:[²³]|\^?[23](?![\d.])|\s?/\s?[A-Za-z]{1,12}|\sper\s[a-z]{1,12})?"
)
_POWER = re.compile(r"(?<=[A-Za-z])\^?([23²³])$")
_DIGITS = str.maketrans("²³", "23")
_TEMPERATURE = re.compile(r"\s?(?:(?:[°º]\s?|degrees?\s)([CF]|[Cc]elsius|[Ff]ahrenheit)\b|([℃℉]))")
_CELSIUS, _FAHRENHEIT, _DEGREE = (Unit(Fraction(1), ((name, 1),)) for name in ("celsius", "fahrenheit", "degree"))
_SCALES = {"c": _CELSIUS, "℃": _CELSIUS, "f": _FAHRENHEIT, "℉": _FAHRENHEIT}
_ROWS = """
length:2     10000        ha hectare hectares
length:2     4046.8564224 acre acres
month:1      120          decade decades
month:1      1200         century centuries
time:1       0.001        ms
frequency:1  1            Hz
frequency:1  1000         kHz
frequency:1  1000000      MHz
frequency:1  1000000000   GHz
power:1      1000000      MW
power:1      1000000000   GW
charge:1     1            Wh
charge:1     1000         kWh
charge:1     1000000      MWh
charge:1     1000000000   GWh
"""
"""What prose measures and schoolbook answers seldom do."""


def _table() -> dict[str, Unit]:
    units = {}
    for row in _ROWS.strip().splitlines():
        quantity, factor, *names = row.split()
        name, power = quantity.split(":")
        units.update(dict.fromkeys(names, Unit(Fraction(factor), ((name, int(power)),))))
    return units


_MORE = _table()
_BYTES = {((f"{name}byte", 1),): Fraction(1000) ** place for place, name in enumerate(("kilo", "mega", "giga", "tera"))}
_AFTER_A_YEAR = re.compile(r"\s?(?!(?:second|minute|hour|day|week|month|year|am|pm)\b)(?:[a-z]\b|[A-Za-z]{2})")


def unit_after(text: str, at: int) -> tuple[Unit | None, int]:
    """The unit behind a number and where it ends; a plain word is none."""
    warm = _TEMPERATURE.match(text, at)
    if warm is not None:
        return _SCALES[(warm[1] or warm[2])[0].lower()], warm.end()
    found = _UNIT.match(text, at)
    while found is not None:
        words = _POWER.sub(lambda power: f"^{power[1].translate(_DIGITS)}", found[0])
        unit = _MORE.get(words.strip()) or read_unit(words)
        if unit is not None:
            return unit, found.end()
        shorter = found[0].rstrip("²³23^").rpartition("/")[0] or found[0].rpartition(" per ")[0]
        found = _UNIT.fullmatch(text, at, at + len(shorter)) if shorter else None
    return None, at


def measures_something(text: str, at: int) -> bool:
    """Whether four digits that end here are not a year, for a unit follows: 1500 m."""
    return _AFTER_A_YEAR.match(text, at) is not None and unit_after(text, at)[0] is not None


def convert(value: Fraction, step: Fraction, unit: Unit, to: Unit) -> tuple[Fraction, Fraction] | None:
    """A value and its step in another unit; None where the units measure different things."""
    if unit.powers == to.powers:
        ratio = unit.factor / to.factor
        return value * ratio, step * ratio
    if unit.powers in _BYTES and to.powers in _BYTES:
        ratio = _BYTES[unit.powers] / _BYTES[to.powers]
        return value * ratio, step * ratio
    pair = {unit.powers, to.powers}
    if _DEGREE.powers in pair and pair & {_CELSIUS.powers, _FAHRENHEIT.powers}:
        return value, step
    if pair == {_CELSIUS.powers, _FAHRENHEIT.powers}:
        ninths = Fraction(5, 9)
        if unit.powers == _FAHRENHEIT.powers:
            return (value - 32) * ninths, step * ninths
        return value / ninths + 32, step / ninths
    return None


def is_rounded(unit: Unit, to: Unit) -> bool:
    """Whether a conversion is given rounded: from miles to kilometres, and not from hours to minutes."""
    ratio = unit.factor / to.factor
    return unit.powers != to.powers or 1 not in (ratio.numerator, ratio.denominator)
