"""The cost of a run, in dollars."""

from __future__ import annotations

from ringtrue.records import Run
from ringtrue.runner.run_facts import facts_of


def run_cost(run: Run) -> dict[str, float | None]:
    """The dollars that the answers (`systems`) and their judgements (`judges`) took when they were asked, and both.

    None where a price is not known; an answer that never came counts as nothing.
    """
    if run.made.job == "score":  # the answers existed
        judges = run.spent["cost"] if "cost" in run.spent else facts_of(run).judge_cost  # a file has no bill
        return {"systems": 0.0, "judges": judges, "total": judges}
    facts = facts_of(run)
    systems, judges = facts.system_cost, facts.judge_cost
    total = None if systems is None or judges is None else systems + judges
    return {"systems": systems, "judges": judges, "total": total}
