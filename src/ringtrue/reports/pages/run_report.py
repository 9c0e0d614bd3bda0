"""A run as one HTML file that opens anywhere: the sentence, the headline, pictures, every row, and how it was made."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ringtrue.jsontext import json_text
from ringtrue.records import Json, Made, Run, Summary, Unit
from ringtrue.reports.caveats import stop_words, warning_lines
from ringtrue.reports.charts import Mean, axis_cell, mean_cell, share_scale
from ringtrue.reports.cost import run_cost
from ringtrue.reports.headline_table import HeadlineBlock, further_scores, headline_table, score_unit
from ringtrue.reports.number import count, duration, number
from ringtrue.reports.page import render_page
from ringtrue.reports.pages.case_view import CaseView, case_views
from ringtrue.reports.pages.run_pictures import headline_cells, run_pictures
from ringtrue.reports.terminal.run_notes import bill
from ringtrue.reports.verdict import compared_systems, report_title, run_verdict
from ringtrue.runner.options import KEPT
from ringtrue.runner.run_facts import facts_of

MOST_ROWS = 20_000
"""A page holds this many rows, the worst; the rest are in the run."""
SHOWN_OPTIONS = (
    *("limit", "split", "tags", "case_ids", "mapping", "few_shot", "template", "encoding", "repeats", "max_workers"),
    *KEPT,
)
_UNITS: dict[str, Unit] = {"timeout": "seconds", "judge_timeout": "seconds", "max_cost": "dollars"}
DRAWN_CASES, CASES_AT_ONCE = 100, 200
"""How many cases are drawn at first, and how many lie in one part of the rest."""


class ScoreLine(NamedTuple):
    """A further score of a system: its number, its picture, and which part of the page it belongs to."""

    key: str
    system: str
    series: int
    one: Summary
    unit: Unit
    picture: str


def run_page(run: Run) -> str:
    """The run as one file that needs nothing else."""
    blocks = headline_table(run)
    rows = run.rows.page(order="worst", limit=MOST_ROWS)
    cases = case_views(rows, run.made)
    compared = compared_systems(run)
    return render_page(
        "report.html",
        scripts=("theme.js", "report.js"),
        title=report_title(run),
        meta=_meta(run),
        totals=_totals(blocks),
        verdict=run_verdict(run, compared),
        warnings=warning_lines(run),
        blocks=blocks,
        drawn=headline_cells(blocks),
        axis=axis_cell(share_scale(), "score"),
        scores=score_table(run, blocks),
        figures=run_pictures(run, blocks, compared),
        statuses=Counter(one.status for case in cases for one in case.answers),
        disputed=any(case.is_disputed for case in cases),
        systems=[one.name for one in run.made.systems],
        marks_in_order=has_several_marks(cases),
        first=cases[:DRAWN_CASES],
        parts_of_rows=[cases[start : start + CASES_AT_ONCE] for start in range(DRAWN_CASES, len(cases), CASES_AT_ONCE)],
        cases=len(cases),
        most=MOST_ROWS,
        left_out=max(0, len(run.rows) - len(rows)),
        facts=provenance(run),
        link=_link_to({one.name: place for place, one in enumerate(run.made.systems, 1)}),
    )


def provenance(run: Run) -> list[tuple[str, list[str]]]:
    """Return how the numbers were made: data, systems, checks, intervals, what is absent, and by what."""
    made = run.made
    reused = facts_of(run).reused if made.job in ("run", "suite") else 0
    facts = [
        *origin(made),
        ("Intervals", _interval_words(run)),
        ("Absent", [f"{name}: {why}" for name, why in run.first_skips.items()]),
        ("Broken", [f"{problem.where}: {problem.what}" for problem in run.first_problems]),
        ("Reuse", [f"{count(reused, 'answer')} from the store, left out of times"] if reused else []),
        ("Judges", _judge_words(run)),
        ("Stopped", list(filter(None, [stop_words(run)]))),
        ("Made by", [f"ringtrue {made.version}", f"{made.job} {run.id}".strip()]),
    ]
    return [(name, texts) for name, texts in facts if texts]


def origin(made: Made) -> list[tuple[str, list[str]]]:
    """Return which data, systems and checks a run was made of."""
    model = made.options.get("model_id")
    return [
        (
            "Data",
            [f"{one.name or 'rows'}{f', revision {one.revision}' if one.revision else ''}" for one in made.datasets],
        ),
        ("Systems", [one.signature or one.name for one in made.systems] + ([f"model {model}"] if model else [])),
        ("Checks", [f"{one.signature or one.name}, passes at {one.threshold:g}" for one in made.evaluators]),
        ("Options", _option_words(made)),
    ]


def _option_words(made: Made) -> list[str]:
    """Return the settings of a run that are not as usual, in words."""
    found = {name: made.options.get(name) for name in SHOWN_OPTIONS}
    kept = {name: value for name, value in found.items() if value not in (None, "", [], {})}
    return [f"{name.replace('_', ' ')} {_option_text(name, value)}" for name, value in kept.items()]


def _option_text(name: str, value: Json) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return ", ".join(f"{key}={item}" for key, item in value.items())
    if name in _UNITS and isinstance(value, (int, float)):
        return number(value, _UNITS[name], marked=True)
    return json_text(value)


def start_words(started: float) -> str:
    """Return when a run began; nothing if that is not known."""
    return time.strftime("%d %b %Y, %H:%M UTC", time.gmtime(started)).lstrip("0") if started else ""


def _meta(run: Run) -> list[tuple[str, str]]:
    """Return the lines below the title: pairs of a label and its value."""
    made = run.made
    cost = run_cost(run)["total"]
    seconds = sum(run.seconds.values())
    facts = [
        (made.job, run.id[:12]),
        ("", start_words(made.started)),
        ("", count(len(run.rows), "row")),
        ("", count(len(made.systems), "system") if len(made.systems) > 1 else ""),
        ("took", duration(seconds) if seconds else ""),
        ("cost", number(cost, "dollars", marked=True) if cost else ""),
        ("", f"{count(run.problems, 'broken row')} left out" if run.problems else ""),
        ("", run.status if run.status != "finished" else ""),
    ]
    return [(word, text) for word, text in facts if text]


def _totals(blocks: Sequence[HeadlineBlock]) -> dict[str, int]:
    """Rows that failed, were skipped or broke, over all datasets and systems."""
    shares = [line.share for block in blocks for line in block.lines if line.share is not None]
    return {
        "failed": sum(one.failed or 0 for one in shares),
        "skipped": sum(one.skipped for one in shares),
        "error": sum(one.errors for one in shares),
    }


def has_several_marks(cases: Sequence[CaseView]) -> bool:
    """Whether a case has several answers, whose marks are in the order of the systems."""
    return any(len(case.answers) > 1 for case in cases)


def score_table(run: Run, blocks: Sequence[HeadlineBlock]) -> dict[str, list[ScoreLine]]:
    """Every score below the headlines, by dataset."""
    return {block.dataset: _scores(run, block) for block in blocks}


def _scores(run: Run, block: HeadlineBlock) -> list[ScoreLine]:
    scale = share_scale()
    found = []
    for key in further_scores(run, block):
        unit = score_unit(block, key)
        for line in block.lines:
            one = line.numbers.get(key)
            if one is None:
                continue
            inside = all(0 <= end <= 1 for end in (one.value or 0.0, *(one.interval or ())))
            mean = Mean(f"{line.system}: {key}", one.value, one.interval, line.series)
            picture = mean_cell(mean, scale, unit) if inside else ""
            found.append(ScoreLine(key, line.system, line.series, one, unit, picture))
    return found


def _link_to(places: dict[str, int]) -> object:
    """Return the function that links a count in the headline table to its rows, as the page's own state."""
    from urllib.parse import quote

    def link(dataset: str, system: str, status: str) -> str:
        where = f"&dataset={quote(dataset, safe='', errors='replace')}" if dataset else ""
        return f"#status={status}{where}&system={places.get(system, 0)}"

    return link


def _interval_words(run: Run) -> list[str]:
    methods = Counter(
        one.method.split(";")[0]
        for systems in run.summaries.values()
        for found in systems.values()
        for one in found.values()
        if one.interval is not None and one.unit in ("share", "score")
    )
    named = {
        "wilson": "shares: Wilson",
        "t": "means: Student’s t",
        "clustered t": "means of several sources: clustered t",
    }
    return [f"{named.get(method, method)} 95 %" for method in methods if method]


def _judge_words(run: Run) -> list[str]:
    return [bill(run.spent)] if run.spent else []
