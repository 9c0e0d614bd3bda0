"""A page of tables that opens anywhere: one file, no script, nothing loaded, every text only text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import quote
from xml.etree import ElementTree

from ringtrue.safetext import shorten_counted, xml_text

CELL_CHARS = 20_000
"""Longer texts are cut, and say how long they were."""

_NOTHING_LOADS = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem; color: #1d1d1f; background: #fff }
table { border-collapse: collapse; margin: 0 0 2rem; max-width: 100% }
caption { text-align: left; font-weight: 600; padding: .4rem 0 }
th, td { border: 1px solid #d0d0d5; padding: .35rem .6rem; text-align: left; vertical-align: top }
td { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; min-width: 3rem }
th { background: #f4f4f6 }
tr.passed > td:first-child { border-left: 4px solid #1a7f37 }
tr.failed > td:first-child { border-left: 4px solid #cf222e }
tr.absent > td:first-child { border-left: 4px solid #9a6700 }
nav { position: sticky; top: 0; padding: .5rem 0; background: #fff; border-bottom: 1px solid #d0d0d5 }
nav a { margin-right: 1.2rem; unicode-bidi: isolate }
h2 { margin-top: 2rem; scroll-margin-top: 3rem; unicode-bidi: isolate; overflow-wrap: anywhere }
details { margin: 0 0 1rem; max-width: 70rem }
summary { cursor: pointer; font-weight: 600 }
details p { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate }
"""


@dataclass(frozen=True, slots=True)
class Link:
    """A cell that leads to a file beside the page; the path is relative to it, whatever it looks like."""

    text: str
    path: str


Cell: TypeAlias = str | Link


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its heading and its rows; `kinds` marks rows as passed, failed or absent, one word per row."""

    caption: str
    heading: Sequence[str]
    rows: Sequence[Sequence[Cell | Sequence[Cell]]]
    kinds: Sequence[str] = field(default=())


@dataclass(frozen=True, slots=True)
class Section:
    """Where a part of the page begins; pages that have any begin with links to them."""

    title: str


@dataclass(frozen=True, slots=True)
class Folded:
    """A long text behind its title, in the lines it was written in."""

    title: str
    text: str


Block: TypeAlias = Grid | Section | Folded


def html_page(title: str, blocks: Sequence[Block]) -> str:
    """The page as text; markup in a text is shown and never obeyed, what no page can hold is written as an escape."""
    root = ElementTree.Element("html", lang="en")
    head = ElementTree.SubElement(root, "head")
    ElementTree.SubElement(head, "meta", charset="utf-8")
    ElementTree.SubElement(head, "meta", {"http-equiv": "Content-Security-Policy", "content": _NOTHING_LOADS})
    _text(head, "title", title)
    ElementTree.SubElement(head, "style").text = _STYLE
    body = ElementTree.SubElement(root, "body")
    _text(body, "h1", title)
    sections = [block.title for block in blocks if isinstance(block, Section)]
    if sections:
        links = ElementTree.SubElement(body, "nav")
        for number, section in enumerate(sections, 1):
            _text(links, "a", section).set("href", f"#part-{number}")
    number = 0
    for block in blocks:
        if isinstance(block, Section):
            number += 1
            _text(body, "h2", block.title).set("id", f"part-{number}")
        elif isinstance(block, Folded):
            folded = ElementTree.SubElement(body, "details")
            _text(folded, "summary", block.title)
            _text(folded, "p", block.text)
        else:
            _add(body, block)
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
            _cell(row, cell)


def _cell(row: ElementTree.Element, cell: Cell | Sequence[Cell]) -> None:
    if isinstance(cell, str):
        _text(row, "td", cell)
        return
    inside = ElementTree.SubElement(row, "td")
    for part in [cell] if isinstance(cell, Link) else cell:
        if isinstance(part, Link):
            # A leading ./ keeps a name with a colon from being read as another scheme.
            _text(inside, "a", part.text).set("href", f"./{quote(part.path, errors='replace')}")
            inside[-1].tail = "\n"
        else:
            _text(inside, "span", part).tail = "\n"


def _text(parent: ElementTree.Element, tag: str, text: str) -> ElementTree.Element:
    made = ElementTree.SubElement(parent, tag)
    made.text = xml_text(shorten_counted(text, CELL_CHARS))
    return made
