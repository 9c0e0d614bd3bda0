"""Latency: the share of cases that were answered within a time."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from ringtrue.reports.charts.distributions import Values
from ringtrue.reports.charts.scale import Scale, round_scale, tick_label
from ringtrue.reports.charts.svg import HEIGHT, WIDTH, Labels, empty_chart, group, marker, path, series_class, svg, text
from ringtrue.reports.number import number

_LEFT, _TOP, _BOTTOM = 34, 24, HEIGHT - 36
LEAST_SECONDS = 0.001
"""Below it there is nothing to compare."""
_STEPS = 300
"""A line of more steps than pixels shows no more."""


def answer_times_chart(systems: Sequence[Values], *, title: str) -> str:
    """A rising line for each system, marked where 90 % are answered; the axis is cut at the 99th percentile."""
    known = [Values(one.label, sorted(one.values), one.series) for one in systems if one.values]
    if not known:
        return empty_chart(title, "No times recorded: the answers came from a file or from the store.")
    cut = max(_quantile(one.values, 0.99) for one in known)
    if cut < LEAST_SECONDS:
        return empty_chart(title, "99 % of the answers came within a millisecond.")
    slower = any(one.values[-1] > cut for one in known)
    across = round_scale([0.0, cut], _LEFT, WIDTH - 10, most_ticks=6)
    up = Scale(0.0, 1.0, _BOTTOM, _TOP)
    labels = Labels(bottom=_BOTTOM)
    body = _axes(across, up, slower)
    points = {one.label: (across.at(_quantile(one.values, 0.9)), up.at(0.9)) for one in known}
    for x, y in points.values():
        labels.keep_free(x, y)
    for one in known:
        x, y = points[one.label]
        body.append(
            group(series_class(one.series), path("l", _steps(one.values, across, up)), marker(x, y, one.series))
        )
        body.append(labels.place(x, y, one.label, one.series))
    about = "; ".join(
        f"{one.label}: half within {number(_quantile(one.values, 0.5), 'seconds', marked=True)}, "
        f"90 % within {number(_quantile(one.values, 0.9), 'seconds', marked=True)}"
        for one in known
    )
    return svg(body, title=title, about=about)


def _steps(ordered: Sequence[float], across: Scale, up: Scale) -> str:
    stride = max(1, len(ordered) // _STEPS)
    steps = f"M{across.at(ordered[0]):.1f} {up.at(0):.1f}"
    for place in [*range(stride - 1, len(ordered) - 1, stride), len(ordered) - 1]:
        if ordered[place] > across.high:
            break
        steps += f"H{across.at(ordered[place]):.1f}V{up.at((place + 1) / len(ordered)):.1f}"
    return f"{steps}H{across.end:.1f}"


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def _axes(across: Scale, up: Scale, slower: bool) -> list[str]:
    marks = [text(0, 10, "cases, %", "s")]
    for share in (0.0, 0.5, 0.9, 1.0):
        marks.append(path("gr", f"M{_LEFT} {up.at(share):.1f}H{across.end:.0f}"))
        marks.append(text(_LEFT - 6, up.at(share) + 4, f"{share:.0%}".removesuffix("%"), "s", "end"))
    marks.append(path("ax", f"M{_LEFT} {_BOTTOM}H{across.end:.0f}"))
    for tick in across.ticks:
        marks.append(path("ax", f"M{across.at(tick):.1f} {_BOTTOM}v4"))
        marks.append(text(across.at(tick), _BOTTOM + 16, tick_label(tick), "s", "middle"))
    words = "seconds until the answer" + (", cut at the 99th percentile" if slower else "")
    return [*marks, text(across.end, _BOTTOM + 32, words, "s", "end")]
