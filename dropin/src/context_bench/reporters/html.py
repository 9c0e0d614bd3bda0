"""`to_html`: a result as one page that needs nothing else; every text in it is data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from context_bench.results import EvalResult

_EMPTY = "<!DOCTYPE html>\n<title>context-bench results</title>\n<p>No results to report.</p>\n"
_COLUMNS = ("system", "example_id", "dataset", "status", "input_tokens", "output_tokens", "latency")


def to_html(result: EvalResult) -> str:
    """Summary, timing and every row, with a box to filter them."""
    if not result.summary:
        return _EMPTY
    metrics = list(dict.fromkeys(key for numbers in result.summary.values() for key in numbers))
    scores = list(dict.fromkeys(key for row in result.rows for key in row.scores))
    cells = [
        [_shown(getattr(row, name)) for name in _COLUMNS] + [_shown(row.scores.get(key)) for key in scores]
        for row in result.rows
    ]
    page = Template(files(__package__).joinpath("page.html").read_text("utf-8")).substitute(
        summary=_table(["System", *metrics], _summary_lines(result, metrics)),
        timing="".join(f"<p>{escape(system)}: {taken:.2f} s</p>" for system, taken in result.timing.items()),
        footer=f"{len(result.rows):,} rows",
        # `<` never appears, so that no text can end the script it is in.
        rows=json.dumps({"columns": [*_COLUMNS, *scores], "rows": cells}).replace("<", "\\u003c"),
    )
    return page.encode("utf-8", "replace").decode()  # half a surrogate pair cannot be printed


def _summary_lines(result: EvalResult, metrics: Sequence[str]) -> Iterable[list[str]]:
    for system, numbers in result.summary.items():
        yield [system, *(_shown(numbers.get(metric)) for metric in metrics)]


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    def row(cells: Sequence[str], kind: str) -> str:
        return "<tr>" + "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in cells) + "</tr>"

    return "<table>" + row(head, "th") + "".join(row(cells, "td") for cells in lines) + "</table>"


def _shown(value: Any) -> str:
    if value is None:
        return "—"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
