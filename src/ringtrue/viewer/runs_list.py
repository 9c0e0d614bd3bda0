"""The list of runs: one line for each dataset of a run, with its best system."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ringtrue.records import Summary
from ringtrue.reports.charts import Mean, axis_cell, mean_cell, share_scale
from ringtrue.reports.cost import run_cost
from ringtrue.reports.headline_table import HeadlineBlock, headline_table
from ringtrue.reports.number import age_words, duration
from ringtrue.viewer.drawing import draw
from ringtrue.viewer.library import ShownRun
from ringtrue.viewer.live import Pace, Progress, with_summaries
from ringtrue.viewer.page_state import Links, PageState

RUNS_AT_ONCE = 100
SHOWN_DATASETS = 8


@dataclass(frozen=True, slots=True)
class DatasetLine:
    """A dataset of a run: the share of its best system, and how its rows ended."""

    about: str
    share: Summary | None
    picture: str
    rows: int
    skipped: int
    errors: int


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run in the list."""

    id: str
    title: str
    status: str
    lines: Sequence[DatasetLine]
    rows: int
    errors: int
    cost: float | None
    took: str
    age: str
    datasets: Sequence[str]
    words: str
    progress: Progress | None = None
    why: str = ""


def runs_page(
    shown: Sequence[ShownRun], query: Mapping[str, str], links: Links, pace: Pace, *, bundle: bool = False
) -> str:
    """The page of all runs, or of those that a search or a filter names."""
    lines = [_run_line(one, pace) for one in shown]
    text, status, dataset = (query.get(name, "") for name in ("q", "status", "dataset"))
    page = max(0, int(number) - 1 if (number := query.get("page", "")).isascii() and number.isdigit() else 0)
    found = [line for line in lines if _matches(line, text, status, dataset)]
    here = found[page * RUNS_AT_ONCE : (page + 1) * RUNS_AT_ONCE]
    return draw(
        "runs.html",
        links=links,
        bundle=bundle,
        errors=PageState().but(status="error"),
        runs=here,
        total=len(lines),
        found=len(found),
        page=page,
        at_once=RUNS_AT_ONCE,
        running=sum(line.progress is not None for line in lines),
        with_errors=sum(line.errors > 0 for line in lines),
        spent=sum(line.cost or 0.0 for line in lines),
        datasets=Counter(name for line in lines for name in line.datasets).most_common(SHOWN_DATASETS),
        state={"q": text, "status": status, "dataset": dataset},
        axis=axis_cell(share_scale()),
    )


def _matches(line: RunLine, text: str, status: str, dataset: str) -> bool:
    if status == "running" and line.progress is None:
        return False
    if status == "errors" and not line.errors:
        return False
    return (not dataset or dataset in line.datasets) and all(word in line.words for word in text.casefold().split())


def _run_line(one: ShownRun, pace: Pace) -> RunLine:
    run, made = one.run, one.run.made
    counts = run.rows.counts()  # type: ignore[attr-defined]  # the library's rows are stored ones
    blocks = headline_table(with_summaries(run, counts))
    rows = sum(counts.values())
    errors = sum(amount for (_, _, status), amount in counts.items() if status == "error")
    systems, datasets = [system.name for system in made.systems], [data.name for data in made.datasets if data.name]
    lines = [
        _dataset_line(
            block,
            [cell for cell in counts.items() if (cell[0][0] or "") == block.dataset],
            one.is_live,
        )
        for block in blocks
    ]
    title = made.name or str(made.options.get("suite") or "") or one.file or one.id
    seconds = (one.stored.finished or time.time()) - one.stored.created
    return RunLine(
        id=one.id,
        title=title,
        status=one.status,
        lines=lines or [DatasetLine(_about(", ".join(datasets) or made.job, systems), None, "", rows, 0, errors)],
        rows=rows,
        errors=errors,
        cost=run_cost(run)["total"] if run.facts else None,
        took=duration(max(0.0, seconds)) if one.is_live or (one.stored.finished and not one.file) else "",
        age=age_words(time.time() - one.stored.created),
        datasets=datasets,
        words=" ".join([title, one.id, *systems, *datasets, made.job]).casefold(),
        progress=pace.progress(one.id, made, rows) if one.is_live else None,
        why=run.stopped_by,
    )


def _dataset_line(block: HeadlineBlock, cells: Sequence[Any], is_live: bool) -> DatasetLine:
    best = block.lines[0]
    share = best.share if best.share is not None and best.share.value is not None else None
    mean = Mean(f"{best.system} on {block.title}", share.value, share.interval, 1, hollow=is_live) if share else None
    ended: Counter[str] = Counter()
    for (_, _, status), amount in cells:
        ended[status] += amount
    about = _about(block.title, [line.system for line in block.lines])
    return DatasetLine(
        f"{about} · {block.facts[0]}" if share and block.facts else about,
        share,
        mean_cell(mean, share_scale()) if mean else "",
        sum(ended.values()),
        ended["skipped"],
        ended["error"],
    )


def _about(dataset: str, systems: Sequence[str]) -> str:
    named = [system for system in systems if system]
    if not named:
        return dataset
    return f"{dataset} · {named[0]}" + (f" and {len(named) - 1} more" if len(named) > 1 else "")
