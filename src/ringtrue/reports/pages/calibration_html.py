"""A calibration as a notebook shows it: the recommendation, agreement with its intervals, and the curve."""

from __future__ import annotations

from collections.abc import Mapping

from ringtrue.records import Run
from ringtrue.reports.charts import calibration_chart
from ringtrue.reports.page import render
from ringtrue.reports.pages.notebook import scoped_style
from ringtrue.reports.pages.run_report import provenance
from ringtrue.stats.calibration import Calibration


def calibration_html(evaluators: Mapping[str, Calibration], run: Run, label: str, labelled: int) -> str:
    """Each evaluator before the labels, as HTML with its style inside and no script."""
    curves = {
        name: calibration_chart(one.levels, title=f"{name} against {label}", axis=f"{name}’s score")
        for name, one in evaluators.items()
    }
    return render(
        "calibration.html",
        style=scoped_style(),
        evaluators=evaluators,
        curves=curves,
        label=label,
        labelled=labelled,
        rows=len(run.rows),
        facts=provenance(run),
    )
