"""A run as one JSON object: how it was made, what it came to, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from ringtrue.dialects.run_record import made_record, row_record, summaries_record
from ringtrue.jsontext import json_text
from ringtrue.records import Json, Made, Row, Run
from ringtrue.reports.cost import run_cost
from ringtrue.runner.run_facts import facts_of


def run_record(run: Run) -> dict[str, Json]:
    """The run without its rows, as plain values."""
    return {
        "run": run.id or None,
        "status": run.status,
        "stopped_by": run.stopped_by or None,
        "made": made_record(run.made),
        "rows": len(run.rows),
        "unasked": run.unasked_count,
        "broken": run.problems,
        "problems": [{"where": problem.where, "what": problem.what} for problem in run.first_problems],
        "summaries": summaries_record(run.summaries),
        "seconds": dict(run.seconds),
        "spent": dict(run.spent),
        "cost": run_cost(run),
        "facts": {name: value for name, value in asdict(facts_of(run)).items() if not name.endswith("_cost")},
    }


def rows_json(rows: Iterable[Row], made: Made) -> str:
    """Rows of a run as JSON text, each score with the number from which it passes."""
    thresholds = {one.name: {"threshold": one.threshold} for one in made.evaluators}
    records = [row_record(row) for row in rows]
    for record in records:
        record["scores"] = {name: {**own, **thresholds.get(name, {})} for name, own in record["scores"].items()}
    return json_text(records, indent=True)


def run_json(run: Run) -> str:
    """The run without its rows, as JSON text."""
    return json_text(run_record(run), indent=True)
