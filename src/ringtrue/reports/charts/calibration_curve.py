"""Whether a score means what it says: the share that people call right, for each level of the score."""

from __future__ import annotations

from collections.abc import Sequence

from ringtrue.reports.charts.scale import Scale
from ringtrue.reports.charts.svg import HEIGHT, WIDTH, Labels, empty_chart, group, path, series_class, svg, text
from ringtrue.reports.number import count, number
from ringtrue.stats.calibration_levels import Level

_LEFT, _TOP, _BOTTOM = 34, 24, HEIGHT - 36


def calibration_chart(levels: Sequence[Level], *, title: str, axis: str = "the judge's score") -> str:
    """A dot with whiskers for each level, joined by a line, beside the dashed diagonal of a score that is right."""
    if not levels:
        return empty_chart(title, "No labels: no answer has been labelled yet.")
    across, up = Scale(0.0, 1.0, _LEFT, WIDTH - 10), Scale(0.0, 1.0, _BOTTOM, _TOP)
    ordered = sorted(levels, key=lambda level: level.score)
    points = [(across.at(level.score), up.at(level.right)) for level in ordered]
    body = [*_axes(across, up, axis), path("front", f"M{across.start} {up.start}L{across.end} {up.end}")]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    body.append(group(series_class(1), path("l fade", f"M{line}")))
    labels = Labels(bottom=_BOTTOM)
    for x, y in points:
        labels.keep_free(x, y)
    for level, (x, y) in zip(ordered, points, strict=True):
        low, high = level.interval or (level.right, level.right)
        whisker = path("l", f"M{x:.1f} {up.at(low):.1f}V{up.at(high):.1f}")
        body.append(group(series_class(1), whisker, f'<circle class="p" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'))
    for level, (x, y) in zip(ordered, points, strict=True):
        body.append(labels.place(x, y, f"n {level.n:,}", 0))
    about = "; ".join(
        f"scored {number(level.score)}: {number(level.right, 'share', marked=True)} right of {count(level.n, 'case')}"
        for level in ordered
    )
    return svg(body, title=title, about=about)


def _axes(across: Scale, up: Scale, axis: str) -> list[str]:
    marks = [text(0, 10, "people say right, %", "s")]
    for share in (0.0, 0.5, 1.0):
        marks.append(path("gr", f"M{_LEFT} {up.at(share):.1f}H{across.end:.0f}"))
        marks.append(text(_LEFT - 6, up.at(share) + 4, f"{100 * share:.0f}", "s", "end"))
    marks.append(path("ax", f"M{_LEFT} {_BOTTOM}H{across.end:.0f}"))
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        marks.append(path("ax", f"M{across.at(tick):.1f} {_BOTTOM}v4"))
        marks.append(text(across.at(tick), _BOTTOM + 16, f"{tick:g}", "s", "middle"))
    return [*marks, text(across.end, _BOTTOM + 32, axis, "s", "end")]
