"""`Canvas`: a terminal of some width: words that fit it, in marks that its encoding has, and nothing that it obeys."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ringtrue.records import RowStatus
from ringtrue.safetext import printable

if TYPE_CHECKING:
    from rich.text import Text

NARROW = 64
"""Below this width (in columns) tables are stacked."""
WIDTH = 80
"""How wide lines are by default."""
MARKS: Mapping[RowStatus, tuple[str, str]] = {
    "passed": ("✓", "ok"),
    "failed": ("✗", "FAIL"),
    "error": ("!", "ERR"),
    "skipped": ("–", "skip"),
}
STYLES: Mapping[RowStatus, str] = {
    "passed": "green",
    "failed": "bold red",
    "error": "magenta",
    "skipped": "dim",
}
_ASCII = str.maketrans({"·": ".", "├": "|", "┤": "|", "─": "-", "●": "o", "–": "-", "…": "~", "−": "-", "│": "|"})


class Canvas:
    """Draws words; `plain` where the encoding has nothing but ASCII."""

    def __init__(self, width: int = WIDTH, *, plain: bool = False) -> None:
        self.width, self.plain = width, plain

    @property
    def is_narrow(self) -> bool:
        """Whether tables are stacked."""
        return self.width < NARROW

    def text(self, words: str, style: str = "") -> Text:
        """Words on one line; whatever they are of, the terminal obeys none of them."""
        from rich.text import Text

        safe = printable(words)
        return Text(safe.translate(_ASCII) if self.plain else safe, style=style)

    def lines(self, words: str, style: str = "", indent: int = 0) -> Iterator[Text]:
        """The words in lines that fit the terminal, the later ones indented; a longer word is broken."""
        from rich.cells import cell_len, chop_cells

        text = printable(words).lstrip(" ")
        line = " " * (len(words) - len(words.lstrip(" ")))
        room = max(2, self.width - max(indent, len(line)))
        pieces = (piece for word in text.split(" ") for piece in chop_cells(word, room) or [""])
        for piece in pieces:
            longer = f"{line} {piece}" if line.strip() else f"{line}{piece}"
            if line.strip() and cell_len(longer) > self.width:
                yield self.text(line, style)
                longer = " " * indent + piece
            line = longer
        yield self.text(line, style)

    def mark(self, status: RowStatus) -> str:
        """Return the status of a row: mark and word, or the plain word that is both."""
        mark = MARKS[status][self.plain]
        return mark if self.plain else f"{mark} {status}"


class SystemNames:
    """System names in one width; longer ones are cut, and never to the same text."""

    def __init__(self, names: Sequence[str], width: int) -> None:
        self.width = max(8, min(width, max((cells(printable(name)) for name in names), default=0)))
        cut = {name: pad(printable(name), self.width) for name in names}
        clash = {text for text in cut.values() if list(cut.values()).count(text) > 1}
        self.shown = {
            name: text if text not in clash else pad(printable(name), self.width - len(f"~{place}"), "") + f"~{place}"
            for place, (name, text) in enumerate(cut.items(), 1)
        }

    def __getitem__(self, name: str) -> str:
        return self.shown[name]


def cells(text: str) -> int:
    """Return the number of terminal cells that a text takes: some characters take two, some none."""
    from rich.cells import cell_len

    return cell_len(text)


def pad(text: str, width: int, ellipsis: str = "…") -> str:
    """A text in exactly `width` cells; one that is cut ends in an ellipsis."""
    from rich.cells import set_cell_size

    return set_cell_size(text, width) if cells(text) <= width else set_cell_size(text, width - len(ellipsis)) + ellipsis


def print_lines(draw: Callable[[Canvas], Iterable[Text]]) -> None:
    """Print what the width and the encoding allow; what the encoding lacks is escaped: printing never fails."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    width = console.width if console.is_terminal else WIDTH
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    with console.capture() as capture:
        for line in draw(Canvas(width, plain=not _can_draw(encoding))):
            console.print(line, soft_wrap=True)
    sys.stdout.write(capture.get().encode(encoding, "backslashreplace").decode(encoding))


def plain_text(lines: Iterable[Text]) -> str:
    """Lines as text without colours."""
    return "".join(f"{line.plain.rstrip()}\n" for line in lines)


def _can_draw(encoding: str) -> bool:
    try:
        "├─●┤·–✓✗│".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
