"""Pictures: pure functions from numbers to SVG text, for the report, the viewer, notebooks and files.

They hold classes and no colours: `pages/tokens.css` and `pages/look.css` give them light and dark. Each has a name and
a text alternative with its numbers.
"""

from ringtrue.reports.charts.answer_times import answer_times_chart
from ringtrue.reports.charts.calibration_curve import calibration_chart
from ringtrue.reports.charts.distributions import Values, distribution_chart
from ringtrue.reports.charts.dot_and_whisker import (
    Mean,
    axis_cell,
    change_scale,
    differences_chart,
    mean_cell,
    share_scale,
)
from ringtrue.reports.charts.paired import case_differences_chart, pairs_chart
from ringtrue.reports.charts.quality_cost import QualityCost, quality_cost_chart
from ringtrue.reports.charts.svg import empty_chart, swatch

__all__ = [
    "Mean",
    "QualityCost",
    "Values",
    "answer_times_chart",
    "axis_cell",
    "calibration_chart",
    "case_differences_chart",
    "change_scale",
    "differences_chart",
    "distribution_chart",
    "empty_chart",
    "mean_cell",
    "pairs_chart",
    "quality_cost_chart",
    "share_scale",
    "swatch",
]
