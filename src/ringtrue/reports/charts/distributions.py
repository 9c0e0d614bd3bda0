"""The distribution of each system's scores: 20 bins on [0, 1], or a strip of dots if there are few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from ringtrue.reports.charts.scale import Scale
from ringtrue.reports.charts.svg import WIDTH, bar, empty_chart, fit_label, group, path, series_class, svg, text
from ringtrue.reports.number import count, number

BINS = 20
FEW = 40
"""Where no system has as many values, each is a dot."""
_ROW, _HIGH = 66, 40


@dataclass(frozen=True, slots=True)
class Values:
    """The numbers of one system; `series` is its place among the systems of the run, from 1 on."""

    label: str
    values: Sequence[float]
    series: int = 1


def distribution_chart(systems: Sequence[Values], *, title: str, axis: str = "score") -> str:
    """A row for each system, with a tick under its mean."""
    known = [one for one in systems if one.values]
    if not known:
        return empty_chart(title, "No scores to draw: nothing was measured.")
    scale = Scale(0.0, 1.0, 30, WIDTH - 10)
    body: list[str] = []
    draw = _strip if max(len(one.values) for one in known) < FEW else _bins
    for place, one in enumerate(known):
        base = _ROW * (place + 1) - 8
        strip = draw(one.values, scale, base)
        mean = scale.at(fsum(one.values) / len(one.values))
        label = text(scale.start, base - _HIGH - 4, fit_label(one.label, WIDTH - 40), "lt")
        body.append(group(series_class(one.series), label, *strip, path("l", f"M{mean:.1f} {base + 1}v5")))
        body.append(path("ax", f"M{scale.start:.0f} {base}H{scale.end:.0f}"))
    bottom = _ROW * len(known)
    body += [text(scale.at(tick), bottom + 14, f"{tick:.1f}", "s", "middle") for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)]
    body.append(text(scale.end, bottom + 30, axis, "s", "end"))
    about = "; ".join(
        f"{one.label}: mean {number(fsum(one.values) / len(one.values))} over {count(len(one.values), 'value')}"
        for one in known
    )
    return svg(body, title=title, about=about, height=bottom + 36)


def bin_counts(values: Sequence[float], bins: int = BINS) -> list[int]:
    """Count the values in each of the equal parts of [0, 1]; those beyond count to the last one on their side."""
    places = Counter(min(bins - 1, max(0, int(value * bins + 1e-9))) for value in values)
    return [places[place] for place in range(bins)]


def _bins(values: Sequence[float], scale: Scale, base: float) -> list[str]:
    counts = bin_counts(values)
    highest, wide = max(counts), (scale.end - scale.start) / BINS
    return [
        bar("hb", scale.start + place * wide + 0.5, base - _HIGH * amount / highest, wide - 1, _HIGH * amount / highest)
        for place, amount in enumerate(counts)
        if amount
    ]


def _strip(values: Sequence[float], scale: Scale, base: float) -> list[str]:
    """A dot for each value; equal ones are stacked."""
    places: Counter[int] = Counter()
    dots = []
    step = min(8.0, (_HIGH - 8) / max(1, max(Counter(round(scale.at(value) / 8) for value in values).values()) - 1))
    for value in sorted(values):
        column = round(scale.at(value) / 8)
        dots.append(
            f'<circle class="hb" cx="{scale.at(value):.1f}" cy="{base - 4 - step * places[column]:.1f}" r="3.2"/>'
        )
        places[column] += 1
    return dots
