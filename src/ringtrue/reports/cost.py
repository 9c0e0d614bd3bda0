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
    rows = list(run.rows)
    systems = _sum([row.trial.output.cost for row in rows if not row.trial.output.error])
    judges = _sum([judge_cost(row.scores.values()) for row in rows])
    return {"systems": systems, "judges": judges, "total": _sum([systems, judges])}


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) if len(known) == len(values) else None
