"""A comparison as one HTML file, and as a notebook shows it."""

from __future__ import annotations

from ringtrue._version import __version__
from ringtrue.records import Run
from ringtrue.reports.comparing.comparison import Comparison
from ringtrue.reports.page import render, render_page
from ringtrue.reports.pages.comparison_view import pair_views
from ringtrue.reports.pages.notebook import scoped_style
from ringtrue.reports.pages.run_report import origin, start_words

PAGE_FLIPS, NOTEBOOK_FLIPS = 100, 5


def comparison_page(found: Comparison) -> str:
    """The comparison as a page that needs nothing else."""
    names = [f"{pair.after.name} against {pair.before.name}" for pair in found.pairs]
    return render_page(
        "comparison_page.html",
        scripts=("theme.js",),
        title=names[0] if len(names) == 1 else "Comparison",
        views=pair_views(found, PAGE_FLIPS),
        facts=[*map(_run_facts, _runs(found)), ("Made by", [f"ringtrue {__version__}"])],
    )


def _runs(found: Comparison) -> list[Run]:
    """Return the runs of both sides, each once."""
    sides = [side for pair in found.pairs for side in (pair.before, pair.after)]
    return list({id(side.run): side.run for side in sides}.values())


def _run_facts(run: Run) -> tuple[str, list[str]]:
    """Return a run's name, when it began, and what it was made of."""
    parts = [f"{name.lower()} {', '.join(texts)}" for name, texts in origin(run.made) if texts]
    return f"Run {run.id[:12]}".strip(), list(filter(None, [run.made.name, start_words(run.made.started), *parts]))


def comparison_html(found: Comparison) -> str:
    """The comparison as HTML with its style inside and no script."""
    return render("comparison_notebook.html", style=scoped_style(), views=pair_views(found, NOTEBOOK_FLIPS))
