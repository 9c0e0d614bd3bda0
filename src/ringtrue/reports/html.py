"""A page of tables that opens anywhere: one file, no script, nothing loaded, every text only text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree

from ringtrue.reports.junit import legal

CELL_CHARS = 20_000
"""Longer texts are cut, and say how long they were."""

_NOTHING_LOADS = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem; color: #1d1d1f; background: #fff }
table { border-collapse: collapse; margin: 0 0 2rem; max-width: 100% }
caption { text-align: left; font-weight: 600; padding: .4rem 0 }
th, td { border: 1px solid #d0d0d5; padding: .35rem .6rem; text-align: left; vertical-align: top }
td { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate }
th { background: #f4f4f6 }
tr.passed > td:first-child { border-left: 4px solid #1a7f37 }
tr.failed > td:first-child { border-left: 4px solid #cf222e }
tr.absent > td:first-child { border-left: 4px solid #9a6700 }
"""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its heading and its rows; `kinds` marks rows as passed, failed or absent, one word per row."""

    caption: str
    heading: Sequence[str]
    rows: Sequence[Sequence[str]]
    kinds: Sequence[str] = field(default=())


def html_page(title: str, grids: Sequence[Grid]) -> str:
    """The page as text; markup in a text is shown and never obeyed, what no page can hold is written as an escape."""
    root = ElementTree.Element("html", lang="en")
    head = ElementTree.SubElement(root, "head")
    ElementTree.SubElement(head, "meta", charset="utf-8")
    ElementTree.SubElement(head, "meta", {"http-equiv": "Content-Security-Policy", "content": _NOTHING_LOADS})
    _text(head, "title", title)
    ElementTree.SubElement(head, "style").text = _STYLE
    body = ElementTree.SubElement(root, "body")
    _text(body, "h1", title)
    for grid in grids:
        _add(body, grid)
    return "<!DOCTYPE html>\n" + ElementTree.tostring(root, encoding="unicode", method="html") + "\n"


def _add(body: ElementTree.Element, grid: Grid) -> None:
    table = ElementTree.SubElement(body, "table")
    _text(table, "caption", grid.caption)
    heading = ElementTree.SubElement(ElementTree.SubElement(table, "thead"), "tr")
    for name in grid.heading:
        _text(heading, "th", name)
    rows = ElementTree.SubElement(table, "tbody")
    for number, cells in enumerate(grid.rows):
        row = ElementTree.SubElement(rows, "tr")
        if number < len(grid.kinds) and grid.kinds[number]:
            row.set("class", grid.kinds[number])
        for cell in cells:
            _text(row, "td", cell)


def _text(parent: ElementTree.Element, tag: str, text: str) -> None:
    cut = text if len(text) <= CELL_CHARS else f"{text[:CELL_CHARS]}… ({len(text):,} characters)"
    ElementTree.SubElement(parent, tag).text = legal(cut)
