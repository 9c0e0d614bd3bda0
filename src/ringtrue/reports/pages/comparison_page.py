"""A comparison as one HTML file, and as a notebook shows it."""

from __future__ import annotations

from ringtrue.reports.comparing.comparison import Comparison
from ringtrue.reports.page import render, render_page
from ringtrue.reports.pages.comparison_view import pair_views
from ringtrue.reports.pages.notebook import scoped_style

PAGE_FLIPS, NOTEBOOK_FLIPS = 100, 5


def comparison_page(found: Comparison) -> str:
    """The comparison as a page that needs nothing else."""
    names = [f"{pair.after.name} against {pair.before.name}" for pair in found.pairs]
    return render_page(
        "comparison_page.html",
        scripts=("theme.js",),
        title=names[0] if len(names) == 1 else "Comparison",
        views=pair_views(found, PAGE_FLIPS),
    )


def comparison_html(found: Comparison) -> str:
    """The comparison as HTML with its style inside and no script."""
    return render("comparison_notebook.html", style=scoped_style(), views=pair_views(found, NOTEBOOK_FLIPS))
