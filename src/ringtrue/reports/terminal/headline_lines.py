"""The headline of a dataset in a terminal: a line for each system, best first, with its share drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ringtrue.records import Summary
from ringtrue.reports.headline_table import SAMPLE, HeadlineBlock
from ringtrue.reports.number import NOTHING, interval, number
from ringtrue.reports.terminal.canvas import STYLES, Canvas, SystemNames

if TYPE_CHECKING:
    from rich.text import Text

PICTURE, MIN_PICTURE, MIN_NAME = 28, 13, 16


def headline_lines(canvas: Canvas, block: HeadlineBlock) -> Iterator[Text]:
    """Yield the dataset's title, and the share of cases that each system passes."""
    facts = " · ".join(fact for fact in block.facts if fact in (block.facts[0], SAMPLE))
    yield from canvas.lines(f"{block.title}   {facts}" if facts else block.title, "bold")
    if block.proxy:
        yield from canvas.lines(f"not its authors' metric: {block.proxy}", STYLES["error"])
    shares = {line.system: line.share for line in block.lines if line.share is not None}
    columns = HeadlineColumns(list(shares.values()), canvas.width)
    names = system_names(canvas, block, columns)
    if shares and not canvas.is_narrow:
        yield canvas.text(columns.head(names.width), "dim")
    for system, share in shares.items():
        yield from _headline(canvas, names[system], share, columns)


def system_names(canvas: Canvas, block: HeadlineBlock, columns: HeadlineColumns | None = None) -> SystemNames:
    """The names of a block's systems, as wide as its headline table has room for."""
    shares = [line.share for line in block.lines if line.share is not None]
    found = columns or HeadlineColumns(shares, canvas.width)
    return SystemNames([line.system for line in block.lines], canvas.width - 2 if canvas.is_narrow else found.name)


class HeadlineColumns:
    """The column widths of the headline table: counts get what they need, the picture and the names the rest."""

    def __init__(self, shares: Sequence[Summary], width: int) -> None:
        amounts = [(one.n, one.failed or 0, one.skipped, one.errors) for one in shares] or [(0, 0, 0, 0)]
        heads = (4, 5, 4, 3)
        self.counts = [1 + max(head, *(len(f"{row[place]:,}") for row in amounts)) for place, head in enumerate(heads)]
        self.interval = max([9, *(len(interval(one.interval, "share")) for one in shares)])
        rest = width - sum(self.counts) - self.interval - 8  # the share, and the spaces between
        self.picture = max(MIN_PICTURE, min(PICTURE, rest - MIN_NAME))
        self.name = max(8, rest - self.picture)

    def head(self, name: int) -> str:
        """The head of the table, with the axis over the picture."""
        counts = "".join(
            f"{text:>{width}}" for text, width in zip(("n", "fail", "skip", "err"), self.counts, strict=True)
        )
        return f"{'':{name}} pass% {_axis(self.picture)} {'95 %':<{self.interval}}{counts}"


def _headline(canvas: Canvas, name: str, share: Summary, columns: HeadlineColumns) -> Iterator[Text]:
    cells = [number(share.value, "share"), _picture(share, columns.picture), interval(share.interval, "share")]
    counts = [share.n, share.failed or 0, share.skipped, share.errors]
    if not canvas.is_narrow:
        line = canvas.text(f"{name} {cells[0]:>5} {cells[1]} {cells[2]:<{columns.interval}}")
        styles = ("", STYLES["failed"], STYLES["skipped"], STYLES["error"])
        for amount, width, style in zip(counts, columns.counts, styles, strict=True):
            line.append(f"{amount:>{width},}", style if amount else "dim")
        yield line
        return
    yield from canvas.lines(name.rstrip(), "bold")
    number_line = f"  {cells[0]} %  {cells[2]}  n {counts[0]:,}"
    yield canvas.text(number_line if share.value is not None else f"  {NOTHING}  n 0")
    yield canvas.text(f"  fail {counts[1]:,}  skip {counts[2]:,}  err {counts[3]:,}", "dim")


def _ticks(width: int) -> list[int]:
    return [round(tick * (width - 1) / 4) for tick in range(5)]


def _axis(width: int) -> str:
    """0, 25, 50, 75 and 100 over their places in a picture."""
    cells = [" "] * width
    for place, label in zip(_ticks(width), ("0", "25", "50", "75", "100"), strict=True):
        start = min(max(0, place - len(label) // 2), width - len(label))
        cells[start : start + len(label)] = label
    return "".join(cells)


def _picture(share: Summary, width: int) -> str:
    """The share as a dot with whiskers between 0 and 100."""
    cells = [" "] * width
    for tick in _ticks(width):
        cells[tick] = "·"
    if share.value is None:
        return "".join(cells)

    def at(value: float) -> int:
        return min(width - 1, max(0, round(value * (width - 1))))

    if share.interval is not None:
        low, high = (at(end) for end in share.interval)
        cells[low : high + 1] = "─" * (high - low + 1)
        if low < at(share.value):
            cells[low] = "├"
        if high > at(share.value):
            cells[high] = "┤"
    cells[at(share.value)] = "●"
    return "".join(cells)
