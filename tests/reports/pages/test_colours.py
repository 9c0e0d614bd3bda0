"""The colours of every page: text is readable in both themes, and statuses and systems can be told apart by anyone."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from ringtrue.reports.page import PAGES

THEMES = ("light", "dark")
TEXT = ("ink", "ink-2", "accent", "passed", "failed", "skipped", "error", "undecided", *(f"s{n}" for n in range(1, 7)))
STATUSES = ("passed", "failed", "skipped", "error", "undecided")
SERIES = tuple(f"s{n}" for n in range(1, 7))
VISION = {  # Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
Colour = tuple[float, ...]


def colours(theme: str) -> dict[str, Colour]:
    """The linear RGB of every token of a theme."""
    found = re.findall(r"--([\w-]+):\s*light-dark\((#\w{6}), (#\w{6})\)", (PAGES / "tokens.css").read_text())
    assert len(found) > 20
    place = THEMES.index(theme) + 1
    return {one[0]: tuple(linear(int(one[place][at : at + 2], 16) / 255) for at in (1, 3, 5)) for one in found}


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def contrast(one: Colour, other: Colour) -> float:
    bright, dark = sorted((0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] for c in (one, other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def as_seen(colour: Colour, vision: str) -> Colour:
    return tuple(min(1.0, max(0.0, sum(a * b for a, b in zip(line, colour, strict=True)))) for line in VISION[vision])


def oklab(colour: Colour) -> Colour:
    r, g, b = colour
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def distance(one: Colour, other: Colour) -> float:
    return sum((a - b) ** 2 for a, b in zip(oklab(one), oklab(other), strict=True)) ** 0.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["paper", "sunk"])
def test_text_has_a_contrast_of_four_and_a_half(theme: str, ground: str) -> None:
    found = colours(theme)
    low = {name: round(contrast(found[name], found[ground]), 2) for name in TEXT}
    assert {name: value for name, value in low.items() if value < 4.5} == {}
    assert contrast(found["rule-2"], found["paper"]) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("names", [STATUSES, SERIES], ids=["statuses", "series"])
def test_colours_that_mean_something_stay_apart(theme: str, vision: str, names: tuple[str, ...]) -> None:
    found = {name: as_seen(colours(theme)[name], vision) for name in names}
    near = {pair: distance(found[pair[0]], found[pair[1]]) for pair in combinations(names, 2)}
    assert {pair: value for pair, value in near.items() if value < 0.04} == {}
