"""Dates that a text states: which days, months, years and decades."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_NUMBERS = {name: number for number, name in enumerate(_MONTHS, 1)}
_NUMBERS |= {name[:3]: number for name, number in _NUMBERS.items()} | {"Sept": 9}
_MONTH = rf"(?P<month>{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})(?!\d)"
_WRITTEN = re.compile(
    rf"(?<!\w)(?:{_DAY}\s(?:of\s)?{_MONTH}(?:,?\s{_YEAR})?"
    rf"|{_MONTH.replace('<month>', '<month2>')}\s"
    rf"(?:{_DAY.replace('<day>', '<day2>')}\b(?:,?\s{_YEAR.replace('<year>', '<year2>')})?"
    rf"|{_YEAR.replace('<year>', '<year3>')}))"
)
_NUMERIC = re.compile(r"(?<![\w/.-])(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})([/.])(\d{1,2})\5(\d{4}))(?![\w/-])")
_MONTH_ALONE = re.compile(rf"(?<!\w){_MONTH}")
_UNTIL = re.compile(r"(?<![\w-])(\d{2})\d{2}[–-](\d{2})(?![\w-])")
_DECADE = re.compile(r"(?<!\w)(\d{3}0)'?s\b")
_BARE_YEAR = re.compile(r"(?<![\w.,/$€£¥%-])(1\d{3}|20\d{2})(?![\w%/]|[.,]\d)(?!-\d{1,2}-)")


class Date(NamedTuple):
    """A date as far as it is given; an open part is None. A bare year may be a plain number as well."""

    text: str
    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    decade: bool = False
    other: tuple[int, int] | None = None
    """Month and day in the other reading, where 3/4 may be either."""

    @property
    def bare(self) -> bool:
        """Whether it is four digits and nothing else."""
        return self.month is None and not self.decade

    @property
    def month_alone(self) -> bool:
        """Whether it is the name of a month and nothing else; May and March have other uses."""
        return self.year is None and self.day is None


def dates(text: str) -> list[Date]:
    """The dates in a text, in order: written out, in digits, decades, months, and numbers that may be years."""
    found = [_date_of_match(match) for match in _WRITTEN.finditer(text)]
    found += [_numeric(match) for match in _NUMERIC.finditer(text)]
    found += [Date(match[0], *match.span(), int(match[1]), decade=True) for match in _DECADE.finditer(text)]
    taken = {at for date in found for at in range(date.start, date.end)}
    rest = [Date(match[0], *match.span(), int(match[1])) for match in _BARE_YEAR.finditer(text)]
    rest += [Date(match[2], *match.span(2), int(match[1] + match[2])) for match in _UNTIL.finditer(text)]
    rest += [Date(match[0], *match.span(), month=_NUMBERS[match[1]]) for match in _MONTH_ALONE.finditer(text)]
    found += [date for date in rest if date.start not in taken]
    return sorted(found, key=lambda date: date.start)


def agrees(claimed: Date, stated: Sequence[Date]) -> bool:
    """Whether stated dates hold all that a claimed one says; the year may be apart from the day."""
    if claimed.decade:
        assert claimed.year is not None
        return any(date.year is not None and date.year // 10 == claimed.year // 10 for date in stated)
    years = claimed.year is None or any(date.year == claimed.year and not date.decade for date in stated)
    return years and (claimed.month is None or any(_same_day(claimed, date) for date in stated))


def _same_day(claimed: Date, date: Date) -> bool:
    if claimed.year is not None and date.year is not None and claimed.year != date.year:
        return False
    ours = {(claimed.month, claimed.day), claimed.other}
    theirs = {(date.month, date.day), date.other, (date.month, None) if claimed.day is None else None}
    return bool((ours & theirs) - {None})


def _date_of_match(match: re.Match[str]) -> Date:
    month = _NUMBERS[match["month"] or match["month2"]]
    day, year = match["day"] or match["day2"], match["year"] or match["year2"] or match["year3"]
    return Date(match[0], *match.span(), int(year) if year else None, month, int(day) if day else None)


def _numeric(match: re.Match[str]) -> Date:
    if match[1]:
        return Date(match[0], *match.span(), int(match[1]), int(match[2]), int(match[3]))
    first, second, year = int(match[4]), int(match[6]), int(match[7])
    return Date(match[0], *match.span(), year, second, first, other=(first, second))
