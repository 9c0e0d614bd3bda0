"""What a run cost, in dollars."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from ringtrue.metrics.eval_rows import judge_cost
from ringtrue.records import Run


def run_cost(run: Run) -> dict[str, float | None]:
    """The dollars that the answers (`systems`) and their judgements (`judges`) took when they were asked, and both.

    None where a price is not known; an answer that never came counts as nothing.
    """
    if run.made.job == "score":  # the answers existed, and what judges took is known without reading the rows again
        judges = run.spent.get("cost", 0.0)
        return {"systems": 0.0, "judges": judges, "total": judges}
    paid = [
        (0.0 if row.trial.output.error else row.trial.output.cost, judge_cost(row.scores.values())) for row in run.rows
    ]
    systems, judges = (_sum([pair[place] for pair in paid]) for place in (0, 1))
    return {"systems": systems, "judges": judges, "total": _sum([systems, judges])}


def known_cost(run: Run) -> float | None:
    """The dollars of a run by its summaries alone, without reading its rows; None where a price is not known."""
    blocks = [found for systems in run.summaries.values() for found in systems.values()]
    costs = [found["usd_per_case"] for found in blocks if "usd_per_case" in found]
    judges = run.spent.get("cost", 0.0)
    if not costs or len(costs) < len(blocks) or judges is None:
        return None
    return fsum([*((one.value or 0.0) * one.n for one in costs), judges])


def total_cost(run: Run) -> float | None:
    """The dollars of a run: by its summaries where they know, else by its rows; None where a price is not known."""
    known = known_cost(run)
    return run_cost(run)["total"] if known is None else known


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) if len(known) == len(values) else None
