"""Markdown of generated pages: the prose is in `templates/`, the code fills its slots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_TEMPLATES = Environment(  # Markdown, which markup in a cell cannot leave: `table` writes bars and line breaks apart
    loader=FileSystemLoader(Path(__file__).parent / "templates"), undefined=StrictUndefined, autoescape=False
)


def fill(page: str, **slots: str) -> str:
    """The page that a template makes with its slots filled."""
    return _TEMPLATES.get_template(page).render(slots).rstrip() + "\n"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a bar or a line break in a cell is written so that it stays in it."""
    return "\n".join(_lines(heads, rows))


def _lines(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(' '.join(cell.split()).replace('|', chr(92) + '|') for cell in row)} |"


def meanings(heads: tuple[str, str], names: dict[str, str]) -> str:
    """A table of names and what they mean."""
    return table(heads, ((f"`{name}`", meaning) for name, meaning in names.items()))


def block(text: str) -> str:
    """A block of text that is not run."""
    return f"```text\n{text.rstrip()}\n```"
