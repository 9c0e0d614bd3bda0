"""Markdown of generated pages: the prose is in `templates/`, the code fills its slots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_TEMPLATES = Environment(  # Markdown, which markup in a cell cannot leave: `table` writes bars and line breaks apart
    loader=FileSystemLoader(Path(__file__).parent / "templates"), undefined=StrictUndefined, autoescape=False
)


def fill(page: str, **slots: str) -> str:
    """The page that a template makes with its slots filled."""
    return _TEMPLATES.get_template(page).render(slots).rstrip() + "\n"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a bar or a line break in a cell is written so that it stays inside."""
    return "\n".join(_lines(heads, rows))


def _lines(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(text: str) -> str:
    """A cell; a bar inside code is an entity, because dialects of Markdown read an escaped one differently there."""
    line = re.sub(r"`([^`]*\|[^`]*)`", _code_with_bars, " ".join(text.split()))
    return line.replace("|", "&#124;")


def _code_with_bars(found: re.Match[str]) -> str:
    return f"<code>{escape(found[1], quote=False).replace('|', '&#124;<wbr>')}</code>"


def meanings(heads: tuple[str, str], names: dict[str, str]) -> str:
    """A table of names and what they mean."""
    return table(heads, ((f"`{name}`", meaning) for name, meaning in names.items()))


def block(text: str) -> str:
    """A block of text that is not run."""
    return f"```text\n{text.rstrip()}\n```"
