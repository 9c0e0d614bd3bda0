"""Quality against cost: a point for each system, and the staircase of those that no other beats on both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ringtrue.reports.charts.scale import Scale, log_scale, round_scale, tick_label
from ringtrue.reports.charts.svg import HEIGHT, WIDTH, Labels, empty_chart, group, marker, path, series_class, svg, text
from ringtrue.reports.number import number

CostUnit = Literal["dollars", "tokens"]
_LEFT, _TOP, _BOTTOM = 34, 24, HEIGHT - 36
_AXES = {"dollars": "cost, $ per 1,000 cases", "tokens": "cost, tokens per case"}


@dataclass(frozen=True, slots=True)
class QualityCost:
    """A system's share of passes with its interval, and what a case costs: dollars per 1,000, or tokens."""

    label: str
    quality: float | None
    cost: float | None
    interval: tuple[float, float] | None = None
    series: int = 1


def quality_cost_chart(systems: Sequence[QualityCost], *, title: str, unit: CostUnit = "dollars") -> str:
    """Cost on a logarithmic axis, passed cases upwards; a system that another beats on both is hollow."""
    known = [one for one in systems if one.quality is not None and one.cost]
    if not known:
        return empty_chart(title, "No costs recorded: the endpoint names no usage, or its price is not known.")
    across = log_scale([one.cost or 0.0 for one in known], _LEFT, WIDTH - 10)
    ends = [end for one in known for end in (one.quality, *(one.interval or ())) if end is not None]
    up = round_scale([*ends, min(1.0, max(ends) + 0.08)], _BOTTOM, _TOP, most_ticks=4)
    front = {one.label for one in pareto_front(known)}
    body = [*_axes(across, up, unit), _staircase(pareto_front(known), across, up)]
    labels = Labels(bottom=_BOTTOM)
    for one in known:
        labels.keep_free(across.at(one.cost or 0.0), up.at(one.quality or 0.0))
    for one in known:
        x, y = across.at(one.cost or 0.0), up.at(one.quality or 0.0)
        low, high = one.interval or (one.quality or 0.0, one.quality or 0.0)
        whisker = path("l fade", f"M{x:.1f} {up.at(low):.1f}V{up.at(high):.1f}")
        mark = marker(x, y, one.series, hollow=one.label not in front)
        body += [group(series_class(one.series), whisker, mark), labels.place(x, y, one.label, one.series)]
    about = "; ".join(
        f"{one.label}: {number(one.quality, 'share', marked=True)} at {_cost(one.cost or 0.0, unit)}"
        f"{'' if one.label in front else ', beaten by another'}"
        for one in known
    )
    return svg(body, title=title, about=about)


def pareto_front(systems: Sequence[QualityCost]) -> list[QualityCost]:
    """The systems that no other beats on both, the cheapest first."""
    front: list[QualityCost] = []
    for one in sorted(systems, key=lambda one: (one.cost or 0.0, -(one.quality or 0.0))):
        best = front[-1].quality if front else None
        if best is None or (one.quality or 0.0) > best or (one.quality == best and one.cost == front[-1].cost):
            front.append(one)
    return front


def _staircase(front: Sequence[QualityCost], across: Scale, up: Scale) -> str:
    steps = f"M{across.at(front[0].cost or 0.0):.1f} {_BOTTOM}"
    for one in front:
        steps += f"H{across.at(one.cost or 0.0):.1f}V{up.at(one.quality or 0.0):.1f}"
    return path("front", f"{steps}H{across.end:.1f}")


def _axes(across: Scale, up: Scale, unit: CostUnit) -> list[str]:
    marks = [text(0, 10, "passed, %", "s")]
    for tick in up.ticks:
        marks.append(path("gr", f"M{_LEFT} {up.at(tick):.1f}H{across.end:.0f}"))
        marks.append(text(_LEFT - 6, up.at(tick) + 4, tick_label(tick * 100), "s", "end"))
    marks.append(path("ax", f"M{_LEFT} {_BOTTOM}H{across.end:.0f}"))
    for tick in across.ticks:
        marks.append(path("ax", f"M{across.at(tick):.1f} {_BOTTOM}v4"))
        marks.append(text(across.at(tick), _BOTTOM + 16, tick_label(tick), "s", "middle"))
    return [*marks, text(across.end, _BOTTOM + 32, f"{_AXES[unit]} (log)", "s", "end")]


def _cost(cost: float, unit: CostUnit) -> str:
    return f"${cost:,.2f} per 1,000 cases" if unit == "dollars" else f"{number(cost, 'tokens', marked=True)} per case"
