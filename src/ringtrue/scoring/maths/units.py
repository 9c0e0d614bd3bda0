"""Units of measure: what they are multiples of, so that 100 cm is 1 m and 5 cm is not 5 kg."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple


class Unit(NamedTuple):
    """A multiple of a product of powers of base quantities."""

    factor: Fraction
    powers: tuple[tuple[str, int], ...]


_ROWS = """
length:1        1                m meter meters metre metres
length:1        1/1000           mm millimeter millimeters millimetre millimetres
length:1        1/100            cm centimeter centimeters centimetre centimetres
length:1        1000             km kilometer kilometers kilometre kilometres
length:1        127/5000         in inch inches
length:1        381/1250         ft foot feet
length:1        1143/1250        yd yds yard yards
length:1        201168/125       mi mile miles
time:1          1                s sec secs second seconds
time:1          60               min mins minute minutes
time:1          3600             h hr hrs hour hours
time:1          86400            day days
time:1          604800           wk wks week weeks
month:1         1                month months
month:1         12               yr yrs year years
mass:1          1                g gram grams
mass:1          1/1000           mg milligram milligrams
mass:1          1000             kg kgs kilogram kilograms
mass:1          1000000          tonne tonnes
mass:1          45359237/100000  lb lbs
mass:1          45359237/1600000 oz ounce ounces
length:3        1/1000           l liter liters litre litres
length:3        1/1000000        ml milliliter milliliters millilitre millilitres
gallon:1        1                gal gallon gallons
gallon:1        1/4              qt quart quarts
gallon:1        1/8              pt pint pints
gallon:1        1/16             cup cups
dollar:1        1                dollar dollars usd buck bucks
dollar:1        1/100            cent cents penny pennies
euro:1          1                euro euros eur
pound:1         1                pound pounds
yen:1           1                yen jpy
rupee:1         1                rupee rupees inr
degree:1        1                degree degrees deg degs
celsius:1       1                celsius
fahrenheit:1    1                fahrenheit
radian:1        1                rad radian radians
length:1,time:-1 1397/3125       mph
length:1,time:-1 5/18            kph kmh kmph
morning:1       1                am
evening:1       1                pm
force:1         1                n newton newtons
energy:1        1                j joule joules
power:1         1                w watt watts
kilobyte:1      1                kb
megabyte:1      1                mb
gigabyte:1      1                gb
terabyte:1      1                tb
power:1         1000             kw kilowatt kilowatts
"""


def _table() -> dict[str, Unit]:
    units = {}
    for row in _ROWS.strip().splitlines():
        quantities, factor, *names = row.split()
        powers = tuple((name, int(power)) for name, power in (part.split(":") for part in quantities.split(",")))
        units.update(dict.fromkeys(names, Unit(Fraction(factor), powers)))
    return units


_UNITS = _table()
_LEADING = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}
_TRAILING = {"squared": 2, "cubed": 3}
_HALF_DAY = re.compile(r"\b([ap])\.m\b\.?")
_TEMPERATURE = re.compile(
    r"\^(?:\{\\circ\s?\}|\\circ)\s{0,3}(?:\\(?:text|mathrm)\s?)?\{?\s{0,3}([CF])\b(?!\s?[=+*/^-])\}?"
)
_SCALES = {"C": "celsius", "F": "fahrenheit"}
_PART = re.compile(r"[^\W\d_]+|\^[ {]*-?\d|/")


def spelled_out(text: str) -> str:
    """The text with temperatures in words, `per cent` as one word and `a.m.`, `p.m.` without points."""
    if "per cent" in text:
        text = text.replace("per cent", "percent")
    if ".m" in text:
        text = _HALF_DAY.sub(r"\1m", text)
    if "\\circ" in text:
        text = _TEMPERATURE.sub(lambda found: f"\\text{{ {_SCALES[found[1]]}}}", text)
    return text


def is_unit(word: str) -> bool:
    """Whether a word names a unit."""
    return word.lower() in _UNITS


def read_unit(words: str) -> Unit | None:
    """The unit that words name, or None where they name none: apples, or an aside."""
    found: list[tuple[Unit, int]] = []
    sign, leading = 1, 1
    for part in _PART.findall(words.lower().replace(".", "")[:200]):
        if part in ("/", "per"):
            sign = -1
        elif part in _LEADING:
            leading = _LEADING[part]
        elif found and (part[0] == "^" or part in _TRAILING):
            unit, power = found.pop()
            found.append((unit, power * (_TRAILING.get(part) or int(part.lstrip("^ {")))))
        elif part in _UNITS:
            if part in ("celsius", "fahrenheit"):
                found.clear()
            found.append((_UNITS[part], sign * leading))
            leading = 1
        else:
            return None
    return _product(found) if found else None


def _product(units: list[tuple[Unit, int]]) -> Unit | None:
    factor = Fraction(1)
    powers: dict[str, int] = {}
    for unit, power in units:
        if abs(power) > 9:
            return None
        factor *= unit.factor**power
        for name, exponent in unit.powers:
            powers[name] = powers.get(name, 0) + exponent * power
    return Unit(factor, tuple(sorted((name, power) for name, power in powers.items() if power)))
