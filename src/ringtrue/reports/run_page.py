"""A run as one HTML page: a table for each dataset, then every row, errors and failures first."""

from __future__ import annotations

from collections.abc import Mapping

from ringtrue.records import Row, Run, Score, Summary
from ringtrue.reports.html import Block, Folded, Grid, html_page
from ringtrue.reports.number import NOTHING, interval, number
from ringtrue.stats.row_status import RowVerdicts

_KINDS = {"passed": "passed", "failed": "failed"}
_HEADING = ("system", "what", "value", "95 % interval", "n", "passed", "failed", "skipped", "errors", "passes at")


def run_page(run: Run) -> str:
    """The run as one file that needs nothing else."""
    made = run.made
    model = made.options.get("model_id")
    name = str(made.name or made.options.get("suite") or run.id or made.job) + (f" ({model})" if model else "")
    blocks: list[Block] = [_summaries(dataset, systems) for dataset, systems in run.summaries.items()]
    blocks.append(_rows(run))
    blocks.append(Folded("How it was made", _provenance(run)))
    return html_page(name, blocks)


def _summaries(dataset: str, systems: Mapping[str, Mapping[str, Summary]]) -> Grid:
    rows = [
        [system, key, *_cells(summary)]
        for system, found in systems.items()
        for key, summary in sorted(found.items(), key=lambda pair: pair[0] != "pass_rate")
    ]
    return Grid(dataset or "All rows", _HEADING, rows)


def _cells(one: Summary) -> list[str]:
    counts = [NOTHING if amount is None else f"{amount:,}" for amount in (one.passed, one.failed)]
    threshold = NOTHING if one.threshold is None else number(one.threshold)
    return [
        number(one.value, one.unit, marked=True),
        interval(one.interval, one.unit),
        f"{one.n:,}",
        *counts,
        f"{one.skipped:,}",
        f"{one.errors:,}",
        threshold,
    ]


def _rows(run: Run) -> Grid:
    verdicts = RowVerdicts(run.made)
    rows = run.rows.page(order="worst")
    repeated = any(row.repeat for row in rows)
    heading = ("case", "system", "status", "input", "expected", "output", "checks", "seconds", "tags")
    statuses = [verdicts.status(row) for row in rows]
    cells = [_row(row, status, repeated) for row, status in zip(rows, statuses, strict=True)]
    return Grid("Rows", heading, cells, [_KINDS.get(status, "absent") for status in statuses])


def _row(row: Row, status: str, repeated: bool) -> list[str]:
    case, output = row.trial.case, row.trial.output
    problem = f": {output.problem}" if output.problem else ""
    return [
        f"{case.id} (repeat {row.repeat + 1})" if repeated else str(case.id),
        row.system,
        status + problem,
        case.input,
        " | ".join(case.expected or ()),
        output.text,
        "\n".join(_check(name, score) for name, score in row.scores.items()),
        number(output.latency_seconds, "seconds"),
        ", ".join(case.tags),
    ]


def _check(name: str, score: Score) -> str:
    verdict = ("passed" if score.passed else "failed") if score.status == "scored" else score.status
    value = "" if score.value is None else f" {number(score.value)}"
    return f"{name}: {verdict}{value}" + (f", {score.reason}" if score.reason else "")


def _provenance(run: Run) -> str:
    made = run.made
    lines = [f"ringtrue {made.version}, {made.job} {run.id}".strip()]
    lines += [f"dataset {one.name} {one.revision}".strip() for one in made.datasets]
    lines += [f"system {one.signature or one.name}" for one in made.systems]
    lines += [f"evaluator {one.signature or one.name}, passes at {one.threshold:g}" for one in made.evaluators]
    return "\n".join(lines)
