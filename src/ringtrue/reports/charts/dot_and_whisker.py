"""Means with intervals: a dot and its whiskers, in a cell of a table or in a chart of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ringtrue.records import Unit
from ringtrue.reports.charts.scale import Scale, difference_scale, round_scale, tick_label
from ringtrue.reports.charts.svg import (
    LABEL_PX,
    WIDTH,
    bar,
    empty_chart,
    fit_label,
    group,
    marker,
    path,
    series_class,
    svg,
    text,
)
from ringtrue.reports.number import interval as interval_text
from ringtrue.reports.number import number

CELL_WIDTH, CELL_HEIGHT = 208, 26
_LINE, _LEAST_LABELS, _MOST_LABELS = 24, 60, 160


@dataclass(frozen=True, slots=True)
class Mean:
    """A number with its interval, as a picture shows it; `heading` names what a run of lines has in common.

    `series` is the place of its system among those of the run, from 1 on, and 0 where it is not a system's.
    """

    label: str
    value: float | None
    interval: tuple[float, float] | None = None
    series: int = 0
    heading: str = ""
    hollow: bool = False


def share_scale() -> Scale:
    """The axis of a share in a cell: always 0 to 100 %."""
    return Scale(0.0, 1.0, 6, CELL_WIDTH - 6, (0.0, 0.25, 0.5, 0.75, 1.0))


def change_scale(values: Sequence[float]) -> Scale:
    """The axis of differences in a cell, around zero; `values` are all ends of all intervals of the column."""
    return difference_scale(values, 6, CELL_WIDTH + 6)


def axis_cell(scale: Scale, unit: Unit = "share") -> str:
    """The axis of a column of pictures, for the head of the table."""
    width = round(scale.end + 6)
    ticks = [text(scale.at(tick), 12, _tick(tick, unit, scale), "s", "middle") for tick in scale.ticks]
    return f'<svg width="{width}" height="16" viewBox="0 0 {width} 16" aria-hidden="true">{"".join(ticks)}</svg>'


def mean_cell(one: Mean, scale: Scale, unit: Unit = "share") -> str:
    """One number in a cell: the dot, its whiskers, and grid lines that join those of the rows around it."""
    middle = CELL_HEIGHT / 2
    grid = [_grid_line(scale.at(tick), 0, CELL_HEIGHT, zero=tick == 0 and scale.low < 0) for tick in scale.ticks]
    return svg(
        [*grid, *([_dot(one, scale, middle)] if one.value is not None else [])],
        title=one.label,
        about=_words(one, unit, signed=scale.low < 0),
        width=round(scale.end + 6),
        height=CELL_HEIGHT,
    )


def differences_chart(differences: Sequence[Mean], *, title: str, margin: float | None = None) -> str:
    """Paired differences of shares with intervals around a dark zero line, the margin as a pale band.

    A dot is hollow where zero lies inside its interval. Differences are in points.
    """
    known = [one for one in differences if one.value is not None]
    if not known:
        return empty_chart(title, "No case has a score on both sides.")
    reach = margin or 0.0
    least = -max(0.01, reach)  # the zero line is inside, so that there is a worse and a better
    scale = round_scale([*_ends(known), reach, least, -least], _label_width(differences), WIDTH - 14)
    drawn = [
        Mean(one.label, one.value, one.interval, one.series, one.heading, _holds_zero(one.interval))
        for one in differences
    ]
    lines, bottom = _labelled_dots(drawn, scale)
    zero = scale.at(0)
    ground = [bar("band", scale.at(-margin), 4, scale.at(margin) - scale.at(-margin), bottom - 4)] if margin else []
    ground += [_grid_line(scale.at(tick), 4, bottom, zero=False) for tick in scale.ticks]
    ground += [text(scale.at(tick), bottom + 15, _tick(tick, "share", scale), "s", "middle") for tick in scale.ticks]
    ground += [
        _grid_line(zero, 0, bottom, zero=True),
        text(zero - 8, bottom + 29, "worse", "s", "end"),
        text(zero + 8, bottom + 29, "better, points", "s"),
    ]
    return svg(
        [*ground, *lines],
        title=title,
        about="; ".join(f"{_full_label(one)}: {_words(one, 'share', signed=True)}" for one in drawn),
        height=round(bottom + 34),
    )


def _labelled_dots(means: Sequence[Mean], scale: Scale) -> tuple[list[str], float]:
    """A line for each mean, below the headings, and where the last one ends."""
    lines: list[str] = []
    height, heading = 4.0, ""
    for one in means:
        if one.heading and one.heading != heading:
            lines.append(text(0, height + 18, fit_label(one.heading, WIDTH), "t"))
            height, heading = height + _LINE + 2, one.heading
        lines.append(text(0, height + 20, fit_label(one.label, scale.start - 8)))
        lines.append(_dot(one, scale, height + 16))
        height += _LINE
    return lines, height + 10


def _dot(one: Mean, scale: Scale, y: float) -> str:
    if one.value is None:
        return text(scale.start, y + 4, "–")
    whiskers = (
        ""
        if one.interval is None
        else path("l", f"M{scale.at(one.interval[0]):.1f} {y:.1f}H{scale.at(one.interval[1]):.1f}")
    )
    dot = marker(scale.at(one.value), y, one.series or 1, hollow=one.hollow)
    return group(series_class(one.series) if one.series else "ki", whiskers, dot)


def _grid_line(x: float, top: float, bottom: float, *, zero: bool) -> str:
    return path("z" if zero else "gr", f"M{x:.1f} {top:.0f}V{bottom:.0f}")


def _tick(value: float, unit: Unit, scale: Scale) -> str:
    return tick_label(value * 100 if unit == "share" else value, signed=scale.low < 0)


def _label_width(means: Sequence[Mean]) -> float:
    longest = max(len(" ".join(one.label.split())) for one in means)
    return min(_MOST_LABELS, max(_LEAST_LABELS, longest * LABEL_PX + 12))


def _full_label(one: Mean) -> str:
    return f"{one.heading}, {one.label}" if one.heading else one.label


def _words(one: Mean, unit: Unit, *, signed: bool = False) -> str:
    if one.value is None:
        return "nothing measured"
    value = number(one.value, unit, marked=not signed, signed=signed)
    points = " points" if signed and unit == "share" else ""
    if one.interval is None:
        return f"{value}{points}, no interval"
    return f"{value}{points}, 95 % interval {interval_text(one.interval, unit, signed=signed)}"


def _ends(means: Iterable[Mean]) -> list[float]:
    return [end for one in means for end in (one.value, *(one.interval or ())) if end is not None]


def _holds_zero(found: tuple[float, float] | None) -> bool:
    return found is None or found[0] <= 0 <= found[1]
