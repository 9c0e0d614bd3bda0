"""Two systems on the same cases: how the pairs fall, and how much each case changed."""

from __future__ import annotations

from collections.abc import Sequence

from ringtrue.reports.charts.distributions import bin_counts
from ringtrue.reports.charts.scale import Scale, round_scale, tick_label
from ringtrue.reports.charts.svg import HEIGHT, WIDTH, bar, empty_chart, group, path, svg, text
from ringtrue.reports.number import count, interval, number

_BARS = 76
_BINS = 21
"""An odd number: the one in the middle holds the cases that did not change."""
_LEFT, _TOP, _BOTTOM = 34, 26, HEIGHT - 36


def pairs_chart(lost: int, gained: int, both_pass: int, both_fail: int, *, title: str) -> str:
    """Four bars: lost, gained, a gap, both pass, both fail; only the first two carry evidence, and the colour."""
    total = lost + gained + both_pass + both_fail
    if not total:
        return empty_chart(title, "No case has a verdict on both sides.")
    most = max(lost, gained, both_pass, both_fail)
    rows = [
        ("lost", lost, "kf", "hb", 6),
        ("gained", gained, "kp", "hb", 36),
        ("both pass", both_pass, "kq", "hb fade", 78),
        ("both fail", both_fail, "kq", "hb fade", 108),
    ]
    body = []
    for label, amount, colour, css, y in rows:
        wide = (WIDTH - _BARS - 54) * amount / most
        body += [
            text(0, y + 13, label, "t" if y < 60 else ""),
            group(colour, bar(css, _BARS, y, wide, 18)),
            text(_BARS + wide + 7, y + 13, f"{amount:,}", "t"),
        ]
    about = f"{lost:,} lost, {gained:,} gained, {both_pass:,} pass with both, {both_fail:,} fail with both"
    return svg([*body, path("ax", f"M{_BARS} 2V132")], title=title, about=about, height=138)


def case_differences_chart(
    differences: Sequence[float],
    *,
    title: str,
    axis: str = "difference",
    mean: float | None = None,
    mean_interval: tuple[float, float] | None = None,
) -> str:
    """Draw the change of each case, in [-1, 1]: worse on the left, better on the right, unchanged in the middle."""
    if not differences:
        return empty_chart(title, "No case has a score on both sides.")
    counts = bin_counts([(value + 1) / 2 for value in differences], _BINS)
    across = Scale(-1.0, 1.0, _LEFT, WIDTH - 10, (-1.0, -0.5, 0.0, 0.5, 1.0))
    up = round_scale([0.0, max(counts)], _BOTTOM, _TOP, most_ticks=3)
    wide = (across.end - across.start) / _BINS
    body = _axes(across, up, axis)
    for place, amount in enumerate(counts):
        colour = "kf" if place < _BINS // 2 else "kp" if place > _BINS // 2 else "kq"
        top = up.at(amount)
        if amount:
            body.append(group(colour, bar("hb", across.start + place * wide + 0.5, top, wide - 1, _BOTTOM - top)))
    body.append(path("z", f"M{across.at(0):.1f} {_TOP - 8}V{_BOTTOM}"))
    words = f"{count(len(differences), 'case')}"
    if mean is not None:
        low, high = mean_interval or (mean, mean)
        whiskers = path("l", f"M{across.at(low):.1f} 14H{across.at(high):.1f}")
        dot = f'<circle class="p" cx="{across.at(mean):.1f}" cy="14" r="3.5"/>'
        right = across.at(high) < WIDTH - 120
        label = (
            text(across.at(high) + 8, 18, f"mean {number(mean, signed=True)}")
            if right
            else text(across.at(low) - 8, 18, f"mean {number(mean, signed=True)}", anchor="end")
        )
        body += [group("ki", whiskers, dot), label]
        words += f", mean {number(mean, signed=True)}, 95 % interval {interval(mean_interval, signed=True)}"
    unchanged = counts[_BINS // 2]
    worse, better = sum(counts[: _BINS // 2]), sum(counts[_BINS // 2 + 1 :])
    return svg(body, title=title, about=f"{words}; {worse:,} worse, {unchanged:,} unchanged, {better:,} better")


def _axes(across: Scale, up: Scale, axis: str) -> list[str]:
    marks = [text(0, 10, "cases", "s")]
    for tick in up.ticks:
        marks.append(path("gr", f"M{_LEFT} {up.at(tick):.1f}H{across.end:.0f}"))
        marks.append(text(_LEFT - 6, up.at(tick) + 4, tick_label(tick), "s", "end"))
    marks.append(path("ax", f"M{_LEFT} {_BOTTOM}H{across.end:.0f}"))
    for tick in across.ticks:
        marks.append(path("ax", f"M{across.at(tick):.1f} {_BOTTOM}v4"))
        marks.append(text(across.at(tick), _BOTTOM + 16, tick_label(tick, signed=True), "s", "middle"))
    return [*marks, text(across.end, _BOTTOM + 32, axis, "s", "end")]
