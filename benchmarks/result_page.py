"""docs/benchmarks.md and its pictures, made from the kept results of the benchmark kit."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from ringtrue.reports.charts.scale import log_scale, tick_label
from ringtrue.reports.charts.svg import bar, fit_label, path, svg, text

WIDTH, LABELS, LINE, TOP = 760, 370, 24, 28
STYLE = (
    "<style>text{font:12px system-ui,sans-serif;fill:#333}.bar{fill:#2f6fb3}.grid{stroke:#8885;fill:none}"
    ".one{stroke:#888;fill:none;stroke-dasharray:4 3}.end{text-anchor:end}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.bar{fill:#6ea8e0}}</style>"
)
INTRODUCTION = """# Speed compared with other tools

For people who score many rows, or who check our figures. After this page you know how fast each part is beside the
tool it replaces, on which input, and how to measure it yourself.

`make bench FAMILY=rouge` installs a family's peers below `.peers`, the newest versions that install, runs both sides in
alternation and writes this page; without a family it runs all. Each table is what the script named above it printed
last, kept in `benchmarks/results`. `benchmarks/README.md` says what each script does.

Speeds are ratios of rows per CPU second, ours over the peer's, both in one run on the same input; the best round of
each counts. Ratios carry over to other machines, seconds do not. `floor` and `aim` are what we hold ourselves to. In
the pictures, which are logarithmic, the dashed line is 1.
"""


class Result(NamedTuple):
    """What a family printed: tables of cells, the first row of each a header; when, where, and what to know of it."""

    family: str
    measured: str
    machine: str
    note: str
    tables: list[list[list[str]]]
    peers: Sequence[str] = ()
    """The peers' packages with their versions."""


class Described(Protocol):
    """The words about a family."""

    @property
    def title(self) -> str: ...
    @property
    def command(self) -> str: ...
    @property
    def about(self) -> str: ...
    @property
    def plot(self) -> str: ...


SCORERS = ("squad", "rouge", "bleu", "chrf", "ifeval", "maths")
"""The families that compare a scorer with the official or the usual one."""


def speed_claim(families: Mapping[str, Described], results: Mapping[str, Result]) -> str:
    """The README's sentence about speed: the least and the largest ratio of the scorers' families."""
    ratios = [number for name in SCORERS if name in results for _, number in bars(families[name], results[name])]
    least, most = (float(f"{ratio:.2g}") for ratio in (min(ratios), max(ratios)))
    return f"- **Fast.** {least:g} to {most:,g} times the rows per CPU second of the official scorers: "


def result_of(file: Path) -> Result:
    """A result as it is kept."""
    return Result(**json.loads(file.read_text("utf-8")))


def write_page(root: Path, families: Mapping[str, Described], results: Mapping[str, Result], published: str) -> None:
    """Write the page, one picture for each family that has one, and the README's sentence about speed."""
    docs, readme = root / "docs", root / "README.md"
    claim = speed_claim(families, results)
    readme.write_text(re.sub(r"- \*\*Fast\.\*\* .*?: (?=\[)", claim, readme.read_text("utf-8")), "utf-8")
    for name, picture in pictures(families, results).items():
        (docs / "images" / name).write_text(picture, "utf-8")
    (docs / "benchmarks.md").write_text(page(families, results, published), "utf-8")


def page(families: Mapping[str, Described], results: Mapping[str, Result], published: str) -> str:
    """The page: a section for each family, and what is measured elsewhere."""
    drawn = pictures(families, results)
    sections = [INTRODUCTION]
    for name, family in families.items():
        said = [f"## {family.title}\n", f"`make bench FAMILY={name}` (`benchmarks/{family.command}`). {family.about}\n"]
        result = results.get(name)
        if result is None:
            sections.append("\n".join([*said, "Not measured yet.\n"]))
            continue
        for table in result.tables:
            head, *rows = ("| " + " | ".join(cells) + " |" for cells in table)
            said.append("\n".join([head, "|---" * len(table[0]) + "|", *rows]) + "\n")
        if picture_name(name) in drawn:
            said.append(f"![{family.title}: {family.plot}](images/{picture_name(name)})\n")
        peers = f"Peers: {', '.join(result.peers)}." if result.peers else ""
        words = (f"Measured {result.measured}: {result.machine}.", peers, result.note)
        said.append(" ".join(filter(None, words)) + "\n")
        sections.append("\n".join(said))
    return "\n".join([*sections, published])


def picture_name(family: str) -> str:
    """The file of a family's picture."""
    return f"benchmark-{family}.svg"


def pictures(families: Mapping[str, Described], results: Mapping[str, Result]) -> dict[str, str]:
    """File name -> picture, of the families that have one."""
    drawn = {name: bars_of(families[name], result) for name, result in results.items()}
    return {picture_name(name): picture for name, picture in drawn.items() if picture}


def bars_of(family: Described, result: Result) -> str:
    """A picture of the column that the family names, or nothing if no table has it."""
    return _bars(family, bars(family, result))


def bars(family: Described, result: Result) -> list[tuple[str, float]]:
    """The numbers of the column that the family names, each with the words of its row."""
    for head, *rows in result.tables:
        if family.plot in head:
            place = head.index(family.plot)
            words = [", ".join(cell for cell in row[: min(place, 2)]) for row in rows]
            numbers = [number_in(row[place]) for row in rows]
            return [(word, number) for word, number in zip(words, numbers, strict=True) if number]
    return []


def number_in(cell: str) -> float | None:
    """The first number of a cell."""
    found = re.search(r"\d[\d,]*(?:\.\d+)?", cell)
    return float(found.group().replace(",", "")) if found else None


def _bars(family: Described, bars: list[tuple[str, float]]) -> str:
    """Bars from 1 to each number on a logarithmic axis."""
    if not bars:
        return ""
    scale = log_scale([1.0, *(number for _, number in bars)], LABELS, WIDTH - 60)
    bottom = TOP + LINE * len(bars)
    marks = [STYLE, path("one", f"M{scale.at(1.0):.1f} {TOP - 6}V{bottom}")]
    for tick in scale.ticks:
        marks.append(path("grid", f"M{scale.at(tick):.1f} {TOP - 6}V{bottom}"))
        marks.append(text(scale.at(tick), TOP - 12, tick_label(tick), anchor="middle"))
    for line, (words, number) in enumerate(bars):
        left, right = sorted((scale.at(1.0), scale.at(number)))
        y = TOP + LINE * line
        marks.append(text(LABELS - 10, y + 15, fit_label(words, LABELS - 16), "end"))
        marks.append(bar("bar", left, y + 4, max(right - left, 1.5), LINE - 10))
        marks.append(text(right + 6, y + 15, f"{number:,.3g}" if number < 1000 else f"{number:,.0f}"))
    about = "; ".join(f"{words}: {number:g}" for words, number in bars)
    picture = svg(marks, title=f"{family.title}: {family.plot}", about=about, width=WIDTH, height=bottom + 8)
    return picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + "\n"
