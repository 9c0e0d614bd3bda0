"""The blocks of a text as Markdown lays it out: headings, paragraphs, list items, table rows, lines of data, code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["heading", "text", "item", "row", "data", "code"]

_MARKER = re.compile(r"[ \t]*(?:[-*+•◦▪‣·–]|\d{1,3}[.)]|\(?[a-z]\)|\(\d{1,3}\)|\(?[ivx]{1,5}\))[ \t]+(?=\S)")
_HEADING = re.compile(r"[ ]{0,3}(#{1,6})[ \t]+(?=\S)")
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?(`{3,}|~{3,})")
_QUOTED = re.compile(r"(?:[ ]{0,3}>[ ]?)+")
_BOLD_LINE = re.compile(r"[ ]{0,3}(\*\*|__)(?=\S)([^*_\n]{1,100})\1:?[ \t]*$")
_LABELLED = re.compile(r"[ ]{0,3}(?:\*\*[^*\n]{1,60}\*\*:|\*\*[^*\n]{1,60}:\*\*|[A-Z][\w /()-]{0,40}:)[ \t]+\S")
_DATA = re.compile(r"[ \t]*(?:[{}\[\]],?[ \t]*$|[{\[][\"{\[]|\"[^\"\n]{0,80}\"[ \t]*:)")
_HARD_BREAKS = ("  ", "\\")
_PSEUDO_LEVEL = 7


class Block(NamedTuple):
    """A block: what it is, where it is, the headings above it, and for a table's row the cells of its header."""

    kind: Kind
    start: int
    end: int
    headings: tuple[str, ...]
    header: tuple[str, ...] = ()


def blocks(text: str) -> list[Block]:
    """The blocks of a text, in order; they do not overlap, and what lies between them are marks and space."""
    return _Layout(text).blocks()


def cells(row: str) -> tuple[str, ...]:
    """The cells of a table's row."""
    return tuple(cell.strip() for cell in row.strip().strip("|").split("|"))


class _Line(NamedTuple):
    start: int
    end: int
    text: str


class _Layout:
    """One pass over the lines of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = list(_lines(text))
        self.found: list[Block] = []
        self.above: list[tuple[int, str]] = []
        self.open: tuple[Kind, int, int, int] | None = None
        """The paragraph or item under way: kind, start, end, and how many lines it has."""
        self.quoting = False

    def blocks(self) -> list[Block]:
        at = 0
        while at < len(self.lines):
            at = self.step(at)
        self.close()
        return self.found

    def step(self, at: int) -> int:
        """Read the line at a position, or the block that starts there; the position behind it."""
        line = self.lines[at]
        if _FENCE.match(line.text):
            return self.code(at)
        if not line.text.strip():
            self.close()
            return at + 1
        if self.open is None and line.text.startswith(("    ", "\t")) and not self.in_list():
            self.add("code", line.start, line.end)
            return at + 1
        if "|" in line.text and at + 1 < len(self.lines) and _is_rule_of_table(self.lines[at + 1].text):
            return self.table(at)
        self.plain(line)
        return at + 1

    def plain(self, line: _Line) -> None:
        quoted = _QUOTED.match(line.text)
        start = quoted.end() if quoted else 0
        if bool(quoted) != self.quoting:
            self.close()
        self.quoting = bool(quoted)
        rest = line.text[start:]
        heading, bold = _HEADING.match(rest), _BOLD_LINE.match(rest)
        if heading or (bold and self.open is None and rest.strip()[-1:] in "*_:"):
            level = len(heading[1]) if heading else _PSEUDO_LEVEL
            self.close()
            self.head(level, line.start + start + (heading.end() if heading else 0), line.end)
        elif _is_rule(rest):
            self.underline(rest.strip()[0])
        elif marker := _MARKER.match(rest):
            self.close()
            self.open = ("item", line.start + start + marker.end(), line.end, 1)
        elif _DATA.match(rest):
            self.close()
            self.add("data", line.start + start, line.end)
        else:
            self.prose(line, start)

    def prose(self, line: _Line, start: int) -> None:
        if self.open is not None and not _LABELLED.match(line.text[start:]):
            kind, first, end, count = self.open
            if not self.text[first:end].endswith(_HARD_BREAKS):
                self.open = (kind, first, line.end, count + 1)
                return
        self.close()
        self.open = ("text", line.start + start, line.end, 1)

    def underline(self, mark: str) -> None:
        """A line of equals signs or dashes makes the single line above it a heading; any other rule only separates."""
        if self.open is not None and self.open[0] == "text" and self.open[3] == 1 and mark in "=-":
            _, start, end, _ = self.open
            self.open = None
            self.head(1 if mark == "=" else 2, start, end)
        self.close()

    def head(self, level: int, start: int, end: int) -> None:
        title = self.text[start:end].strip().strip("#*_: \t")
        while self.above and self.above[-1][0] >= level:
            self.above.pop()
        self.add("heading", start, end)
        self.above.append((level, " ".join(title.split())[:200]))

    def code(self, at: int) -> int:
        self.close()
        opening = _FENCE.match(self.lines[at].text)
        assert opening is not None
        mark = opening[1]
        last = at + 1
        while last < len(self.lines) and not _closes(self.lines[last].text, mark):
            last += 1
        if at + 1 < last:
            self.add("code", self.lines[at + 1].start, self.lines[last - 1].end)
        return last + 1

    def table(self, at: int) -> int:
        self.close()
        header = self.lines[at]
        self.add("heading", header.start, header.end)
        names = cells(header.text)
        at += 2
        while at < len(self.lines) and "|" in self.lines[at].text:
            self.add("row", self.lines[at].start, self.lines[at].end, names)
            at += 1
        return at

    def close(self) -> None:
        if self.open is not None:
            kind, start, end, _ = self.open
            self.open = None
            self.add(kind, start, end)

    def add(self, kind: Kind, start: int, end: int, header: tuple[str, ...] = ()) -> None:
        if kind != "code":
            inside = self.text[start:end]
            start += len(inside) - len(inside.lstrip())
            end -= len(inside) - len(inside.rstrip())
        if self.text[start:end].strip():
            self.found.append(Block(kind, start, end, tuple(title for _, title in self.above), header))

    def in_list(self) -> bool:
        return bool(self.found) and self.found[-1].kind == "item"


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.split("\n"):
        shown = line.removesuffix("\r")
        yield _Line(start, start + len(shown), shown)
        start += len(line) + 1


def _is_rule(line: str) -> bool:
    bare = "".join(line.split())
    return len(bare) >= 3 and bare[0] in "-=*_" and not bare.strip(bare[0])


def _is_rule_of_table(line: str) -> bool:
    return "-" in line and "|" in line and not line.strip("|:- \t")


def _closes(line: str, mark: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(mark) and not bare.strip(mark[0])
