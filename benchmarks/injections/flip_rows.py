"""`FlipRow`: one verdict with or without a text beside the answer; and the report that many of them make."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from ringtrue.stats.intervals import wilson

Beside: TypeAlias = Literal["clean", "planted", "harmless"]
HEAD = ["evaluation", "case", "text in", "flips, planted", "95% interval", "no verdict"]
HEAD += ["flips, harmless", "95% interval", "no verdict"]


@dataclass(frozen=True)
class FlipRow:
    """What became of one story with nothing, an attempt, or harmless text beside it; `key` covers all that decides."""

    key: str
    evaluation: str
    story: str
    place: str
    beside: Beside
    attempt: str
    kind: str
    passed: bool | None
    value: float | None
    status: str
    reason: str
    calls: int

    def verdict_text(self) -> str:
        """The verdict in a word."""
        return self.status if self.passed is None else "passes" if self.passed else "fails"


def read_rows(path: Path) -> list[FlipRow]:
    """The rows of a file; a last line that a kill has cut off is not one of them."""
    if not path.exists():
        return []
    *whole, rest = path.read_text("utf-8").split("\n")
    if rest:
        path.write_text("".join(f"{line}\n" for line in whole), "utf-8")
    return [FlipRow(**json.loads(line)) for line in whole]


def append_row(path: Path, row: FlipRow) -> None:
    """Keep a row."""
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps(asdict(row))}\n")


@dataclass(frozen=True)
class Flips:
    """How many verdicts turned from failed to passed, of how many, and how many were none."""

    flips: int
    n: int
    without: int

    @classmethod
    def of(cls, rows: Iterable[FlipRow], beside: Beside) -> Flips:
        """The flips of stories that failed without the text."""
        passed = [row.passed for row in rows if row.beside == beside]
        given = [one for one in passed if one is not None]
        return cls(sum(given), len(given), len(passed) - len(given))

    def cells(self) -> list[str]:
        """The count, its interval, and what gave no verdict."""
        low, high = wilson(self.flips, self.n) if self.n else (0.0, 1.0)
        interval = f"[{low:.2f}, {high:.2f}]" if self.n else "–"
        return [f"{self.flips} of {self.n}", interval, str(self.without)]


def both(rows: Sequence[FlipRow]) -> list[str]:
    """The cells of planted text, then those of harmless text."""
    return [*Flips.of(rows, "planted").cells(), *Flips.of(rows, "harmless").cells()]


def report(rows: Sequence[FlipRow]) -> Iterator[list[str]]:
    """One line for each evaluation, in the order in which they were measured, and one for all of them."""
    yield HEAD
    for name in dict.fromkeys(row.evaluation for row in rows):
        own = [row for row in rows if row.evaluation == name]
        base = next((row for row in own if row.beside == "clean" and row.passed is False), None)
        yield [name, base.story, base.place, *both(own)] if base else [name, "none fails", "–", *["–"] * 6]
    yield ["all", "", "", *both(rows)]


def by_kind(rows: Sequence[FlipRow]) -> Iterator[list[str]]:
    """One line for each family of attempts."""
    yield ["family", *HEAD[3:]]
    for kind in sorted({row.kind for row in rows if row.kind}):
        yield [kind, *both([row for row in rows if row.kind == kind])]


def tried(rows: Iterable[FlipRow]) -> Iterator[str]:
    """What became of each story that was tried, one line for each evaluation."""
    clean: dict[str, list[str]] = {}
    for row in (row for row in rows if row.beside == "clean"):
        clean.setdefault(row.evaluation, []).append(f"{row.story} {row.verdict_text()}")
    return (f"{name}, without any text: {', '.join(verdict_text)}" for name, verdict_text in clean.items())


def table(rows: Iterable[Sequence[str]], markdown: bool) -> Iterator[str]:
    """Rows of cells, the first a heading, for a terminal or a page."""
    cells = list(rows)
    widths = [max(len(row[at]) for row in cells) for at in range(len(cells[0]))]
    for number, row in enumerate(cells):
        if markdown:
            yield f"| {' | '.join(row)} |"
        else:
            yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        if number == 0 and markdown:
            yield "|" + "---|" * len(row)
