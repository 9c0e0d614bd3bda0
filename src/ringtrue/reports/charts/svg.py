"""The marks that pictures are made of: SVG text with classes and attributes alone, coloured by the page's style."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from ringtrue.safetext import visible_text

WIDTH, HEIGHT = 352, 232
"""A chart's own pixels; it is never scaled, so that 12 px stay 12 px on a phone."""
SERIES = 6
"""How many systems have a colour and a shape of their own; the rest are grey."""
LABEL_PX, BOLD_PX = 6.6, 7.6
"""About how wide a letter of a label is."""


def escape_text(words: str) -> str:
    """Words as the text of an element or an attribute, whatever they hold."""
    return escape(visible_text(words))


def svg(body: Iterable[str], *, title: str, about: str, width: int = WIDTH, height: int = HEIGHT) -> str:
    """A picture with its name and its text alternative."""
    name, words = escape_text(title), escape_text(about)
    return (
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{name}. {words}"><title>{name}</title><desc>{words}</desc>{"".join(body)}</svg>'
    )


def empty_chart(title: str, sentence: str) -> str:
    """The frame of a chart that has no data, with the one sentence that says why."""
    lines = wrap_label(sentence, WIDTH - 40)
    words = [text(WIDTH / 2, HEIGHT / 2 + 18 * place, line, anchor="middle") for place, line in enumerate(lines)]
    return svg(['<rect class="nodata" x="0.5" y="0.5" width="351" height="231"/>', *words], title=title, about=sentence)


def series_class(series: int) -> str:
    """The class that gives a system its colour; systems count from 1, and from the seventh on they are grey."""
    return f"k{series}" if 1 <= series <= SERIES else "k0"


def text(x: float, y: float, words: str, css: str = "", anchor: str = "start") -> str:
    """A text from a point on, or around it, or up to it."""
    kind = f' class="{css}"' if css else ""
    place = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text{kind} x="{x:.1f}" y="{y:.1f}"{place}>{escape_text(words)}</text>'


def path(css: str, steps: str) -> str:
    """A line."""
    return f'<path class="{css}" d="{steps}"/>'


def bar(css: str, x: float, y: float, width: float, height: float) -> str:
    """A filled rectangle."""
    return f'<rect class="{css}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def group(css: str, *parts: str) -> str:
    """Parts in one colour."""
    return f'<g class="{css}">{"".join(parts)}</g>'


def marker(x: float, y: float, series: int = 1, *, hollow: bool = False, size: float = 4.5) -> str:
    """The shape of a system: circle, square, triangle, diamond, ring, cross; a circle for those beyond."""
    css = "h" if hollow else "p"
    if series == 2:
        return bar(css, x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8)
    if series == 3:
        return path(css, f"M{x:.1f} {y - size * 1.2:.1f}l{size * 1.2:.1f} {size * 2.16:.1f}h{-size * 2.4:.1f}z")
    if series == 4:
        reach = size * 1.25
        return path(
            css, f"M{x:.1f} {y - reach:.1f}l{reach:.1f} {reach:.1f}l{-reach:.1f} {reach:.1f}l{-reach:.1f} {-reach:.1f}z"
        )
    if series == 5:
        ring = f'<circle class="r" cx="{x:.1f}" cy="{y:.1f}" r="{size * 0.85:.1f}"/>'
        return ring if hollow else f'{ring}<circle class="p" cx="{x:.1f}" cy="{y:.1f}" r="1"/>'
    if series == 6:
        reach = size * 0.9
        ends = [(x - reach, y - reach, x + reach, y + reach), (x + reach, y - reach, x - reach, y + reach)]
        return path("x", "".join(f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}" for a, b, c, d in ends))
    return f'<circle class="{css}" cx="{x:.1f}" cy="{y:.1f}" r="{size}"/>'


def swatch(series: int) -> str:
    """The small mark before a system's name."""
    shape = group(series_class(series), marker(7, 6, series, size=4.2))
    return f'<svg class="sw" width="14" height="12" viewBox="0 0 14 12" aria-hidden="true">{shape}</svg>'


def fit_label(words: str, pixels: float) -> str:
    """A label of at most this many pixels; one that is cut ends in an ellipsis."""
    most = max(1, int(pixels / LABEL_PX))
    flat = " ".join(words.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def wrap_label(words: str, pixels: float) -> list[str]:
    """Words in lines of at most this many pixels."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and len(longer) * LABEL_PX > pixels:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


@dataclass(slots=True)
class Labels:
    """Labels at marks, each where it covers no other label and none of the given marks."""

    left: float = 34.0
    width: float = WIDTH
    top: float = 8.0
    bottom: float = HEIGHT - 30.0
    taken: list[tuple[float, float, float, float]] = field(default_factory=lambda: [(0.0, 0.0, 64.0, 14.0)])
    """What is covered: at first the title of the axis that points up."""

    def keep_free(self, x: float, y: float) -> None:
        """Remember where a mark is."""
        self.taken.append((x - 5, y - 5, x + 5, y + 5))

    def place(self, x: float, y: float, words: str, series: int) -> str:
        """The label of a mark in its colour: right of it or left of it, below or above; small and grey for series 0."""
        label = fit_label(words, 150)
        wide = len(label) * BOLD_PX
        spots = [(x + 8, y + 16), (x - 8 - wide, y - 8), (x + 8, y - 8), (x - 8 - wide, y + 16), (x + 10, y + 4)]
        spots += [(x + 8, y + 32), (x - 8 - wide, y - 24), (x + 8, y - 24)]
        left, base = min(spots, key=lambda spot: self._trouble(spot, wide))
        self.taken.append((left, base - 11, left + wide, base + 3))
        return group(series_class(series), text(left, base, label, "lt")) if series else text(left, base, label, "s")

    def _trouble(self, spot: tuple[float, float], wide: float) -> float:
        left, base = spot
        outside = max(0.0, self.left - left) + max(0.0, left + wide - self.width)
        outside += max(0.0, self.top - base + 11) + max(0.0, base - self.bottom)
        return 10 * outside + sum(_overlap((left, base - 11, left + wide, base + 3), box) for box in self.taken)


def _overlap(one: Sequence[float], other: Sequence[float]) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0.0
