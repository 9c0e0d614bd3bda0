"""Quality against tokens: where each system of a dataset stands, and which of them no other beats on both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ringtrue.metrics.pareto_rank import ParetoRank
from ringtrue.records import Summary


class TradeOff(NamedTuple):
    """A system's mean headline score with its interval, and its mean tokens per case, sent and received."""

    system: str
    quality: Summary
    tokens: float
    on_front: bool


def trade_offs(systems: Mapping[str, Mapping[str, Summary]]) -> list[TradeOff]:
    """The trade-off of every system whose quality and tokens are known, fewest tokens first."""
    known = {}
    for system, found in systems.items():
        quality, sent, came = (found.get(key) for key in ("mean_score", "mean_input_tokens", "mean_output_tokens"))
        if (
            quality is not None
            and quality.value is not None
            and sent
            and came
            and sent.value
            and came.value is not None
        ):
            known[system] = (quality, sent.value + came.value)
    points = {system: {"quality": quality.value, "cost": cost} for system, (quality, cost) in known.items()}
    ranks = ParetoRank.rank_systems(points, "quality", "cost")
    found_all = [TradeOff(system, *pair, ranks[system] == 1) for system, pair in known.items()]
    return sorted(found_all, key=lambda one: one.tokens)
