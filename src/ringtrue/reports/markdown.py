"""A result as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ringtrue.records import Json, RowFilter, RowStatus, Run, Summary
from ringtrue.reports.caveats import caveat_lines
from ringtrue.reports.headline_table import headline_table
from ringtrue.reports.number import NOTHING, count, with_interval
from ringtrue.reports.terminal.canvas import Canvas, plain_text
from ringtrue.stats.row_status import RowVerdicts

MOST_FAILURES = 20


def result_markdown(
    summary: Mapping[str, Mapping[str, float | None]],
    details: Mapping[str, Mapping[str, Summary]],
    timing: Mapping[str, float],
    config: Mapping[str, Json],
) -> str:
    """A heading, a table of systems by metrics with intervals, the timing and the number of examples."""
    if not summary:
        return "No results to report."
    columns = list(dict.fromkeys(key for numbers in summary.values() for key in numbers))
    columns = columns or list(dict.fromkeys(key for found in details.values() for key in found))
    if not columns:
        return "No metrics computed."
    lines = ["# Evaluation Results", "", "| System | " + " | ".join(map(escape, columns)) + " |"]
    lines.append("|---|" + "---|" * len(columns))
    for system in summary:
        cells = [_cell(summary[system].get(column), details.get(system, {}).get(column)) for column in columns]
        lines.append(f"| {escape(system)} | " + " | ".join(cells) + " |")
    if timing:
        lines += ["", "## Timing", "", *(f"- {escape(system)}: {taken:.2f} s" for system, taken in timing.items())]
    if config.get("num_examples") is not None:
        lines += ["", f"*{config['num_examples']} examples*"]
    return "\n".join(lines) + "\n"


def _cell(value: float | None, summary: Summary | None) -> str:
    if summary is None:
        return NOTHING if value is None else f"{value:,.4f}"
    errors = [count(summary.errors, "error")] if summary.errors else []
    skipped = [f"{summary.skipped:,} skipped"] if summary.skipped else []
    absent = ", ".join([*errors, *skipped])
    return with_interval(summary) + (f" ({absent})" if absent else "")


def run_markdown(run: Run) -> str:
    """A run for a pull request: a table for each dataset, systems by headline, then every score; the worst failures."""
    made = run.made
    lines = [f"# {escape(made.name or made.options.get('suite') or run.id or made.job)}"]
    for block, systems in zip(headline_table(run), run.summaries.values(), strict=True):
        columns = list(dict.fromkeys(key for found in systems.values() for key in found))
        columns.sort(key=lambda key: key != "pass_rate")
        lines += ["", f"## {escape(block.dataset or 'all rows')}", ""]
        if block.facts:
            lines += [escape(" · ".join(block.facts)), ""]
        if block.proxy:
            lines += [f"Not its authors' metric: {escape(block.proxy)}", ""]
        lines.append("| | " + " | ".join(map(escape, systems)) + " |")
        lines.append("|---|" + "---:|" * len(systems))
        for key in columns:
            cells = [_cell(None, found.get(key)) for found in systems.values()]
            lines.append(f"| {escape(key)} | " + " | ".join(cells) + " |")
    if caveats := caveat_lines(run):
        lines += ["", *(f"- {escape(line)}" for line in caveats)]
    lines += _failures(run)
    lines += ["", f"*{count(len(run.rows), 'row')}; ringtrue {run.made.version}*"]
    return "\n".join(lines) + "\n"


def _failures(run: Run) -> Iterator[str]:
    """The worst rows that did not pass, errors first, as `ringtrue show --failed` shows them."""
    from ringtrue.reports.terminal.row_lines import row_lines

    statuses: tuple[RowStatus, ...] = ("error", "failed")
    rows = [row for status in statuses for row in run.rows.page(RowFilter(status=status), "worst", 0, MOST_FAILURES)]
    if rows:
        canvas, verdicts = Canvas(100), RowVerdicts(run.made)
        text = plain_text(line for row in rows[:MOST_FAILURES] for line in row_lines(canvas, run, row, verdicts))
        marks = fence(text)
        yield from ("", "## Failures, worst first", "", f"{marks}text", text.rstrip(), marks)
    if len(rows) >= MOST_FAILURES:
        yield from ("", f"The list ends after {MOST_FAILURES} rows.")


_SPECIAL = re.compile(r"[\\|*`<>\[\]]|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown reads as more than text; an underscore inside a word is none."""


def escape(text: str) -> str:
    """Text from outside that cannot break a table or a page."""
    plain = "".join(character if character.isprintable() else " " for character in str(text))
    return _SPECIAL.sub(r"\\\g<0>", plain)


def fence(text: str, least: int = 3) -> str:
    """Backticks: one more than any run of them in the text."""
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))
