"""A run as a notebook shows it: the verdict, the headline table, the worst rows and the provenance folded."""

from __future__ import annotations

import re
from functools import lru_cache

from ringtrue.records import RowFilter, RowStatus, Run
from ringtrue.reports.headline_table import headline_table
from ringtrue.reports.page import PAGES, render
from ringtrue.reports.pages.case_view import case_views
from ringtrue.reports.pages.run_pictures import headline_cells
from ringtrue.reports.pages.run_report import provenance
from ringtrue.reports.terminal.run_line import run_line
from ringtrue.reports.verdict import compared_systems, run_verdict

WORST = 3


def run_html(run: Run, calls: tuple[str, ...] = ("run.rows", "run.to_dataframe()")) -> str:
    """The run as HTML with its style inside and no script; readable where the style is stripped.

    `calls` are what a reader may do next with what the cell shows.
    """
    blocks = headline_table(run)
    worst: list[RowStatus] = ["error", "failed"]
    rows = [row for status in worst for row in run.rows.page(RowFilter(status=status), "worst", 0, WORST)][:WORST]
    shares = [line.share for block in blocks for line in block.lines if line.share is not None]
    return render(
        "notebook.html",
        style=scoped_style(),
        verdict=run_verdict(run, compared_systems(run)),
        blocks=blocks,
        drawn=headline_cells(blocks),
        worst=case_views(rows, run.made),
        bad=sum((one.failed or 0) + one.errors for one in shares),
        facts=provenance(run),
        line=run_line(run)[1:-1],
        calls=calls,
    )


@lru_cache(maxsize=1)
def scoped_style() -> str:
    """The style of every page, for one cell alone: its values and components count inside `.rt-run` only."""
    tokens, look, cell = ((PAGES / f"{name}.css").read_text("utf-8") for name in ("tokens", "look", "notebook"))
    look = look.replace("max-width: 920px", "max-width: 720px")  # a cell has no cost and time, so its tables fit
    # Twice the class: a notebook's own rules for tables name one class and come later.
    whole = f"{tokens.replace(':root', '.rt-run')}.rt-run.rt-run {{\n{look}\n}}\n{cell}"
    return re.sub(r"/\*.*?\*/|^\s+", "", whole, flags=re.S | re.M)
