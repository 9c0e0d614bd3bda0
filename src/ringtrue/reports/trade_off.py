"""Quality against cost: where each system of a dataset is, in tokens or in dollars, for pictures and for words."""

from __future__ import annotations

from collections.abc import Sequence

from ringtrue.reports.charts.quality_cost import CostUnit, QualityCost, pareto_front
from ringtrue.reports.headline_table import HeadlineLine

LEAST_SAVING = 0.05
"""Systems whose shares of spared tokens differ by less compress nothing: chat templates differ as much."""


def cost_units(lines: Sequence[HeadlineLine]) -> list[CostUnit]:
    """The costs that are worth a picture: dollars where every price is known, and tokens where a system spares some."""
    ratios = [one.value for line in lines if (one := line.numbers.get("compression_ratio")) and one.value is not None]
    compressed = bool(ratios) and max(ratios) - min(ratios) >= LEAST_SAVING
    priced = all(line.dollars for line in lines)
    units: list[CostUnit] = ["tokens"] if compressed or not priced else []
    return [*units, "dollars"] if priced else units


def trade_offs(lines: Sequence[HeadlineLine], unit: CostUnit) -> list[QualityCost]:
    """The share of passes of each system with its interval, and what a case costs."""
    return [
        QualityCost(
            line.system,
            line.share.value if line.share is not None else None,
            line.dollars if unit == "dollars" else line.tokens,
            line.share.interval if line.share is not None else None,
            line.series,
        )
        for line in lines
    ]


def front_by_tokens(lines: Sequence[HeadlineLine]) -> list[str]:
    """The systems that no other beats on both the share of passes and tokens per case, the cheapest first."""
    known = [one for one in trade_offs(lines, "tokens") if one.quality is not None and one.cost]
    return [one.label for one in pareto_front(known)] if len(known) > 1 else []
