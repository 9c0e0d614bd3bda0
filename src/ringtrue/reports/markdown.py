"""A result as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ringtrue.records import Json, RowFilter, RowStatus, Run, Summary
from ringtrue.reports.caveats import warning_lines
from ringtrue.reports.headline_table import HeadlineBlock, HeadlineLine, further_scores, headline_table, score_unit
from ringtrue.reports.number import NOTHING, absence_words, count, interval, number, with_interval
from ringtrue.reports.terminal.canvas import Canvas, plain_text
from ringtrue.reports.verdict import compared_systems, report_title, run_verdict
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
    absent = ", ".join(absence_words(summary.skipped, summary.errors))
    return with_interval(summary) + (f" ({absent})" if absent else "")


def run_markdown(run: Run) -> str:
    """A run for a pull request: what it says, a table for each dataset, every further score, the worst failures."""
    lines = [f"# {escape(report_title(run))}", "", _verdict(run)]
    lines += ["", *(f"- {escape(line)}" for line in warnings)] if (warnings := warning_lines(run)) else []
    for block in headline_table(run):
        lines += ["", f"## {escape(block.title)}", ""]
        lines += [escape(" · ".join(block.facts)), ""] if block.facts else []
        lines += [f"Not its authors' metric: {escape(block.proxy)}", ""] if block.proxy else []
        lines += _table(_HEADLINE, [_headline_cells(line) for line in block.lines])
        if scores := further_scores(run, block):
            found = [(key, line, one) for key in scores for line in block.lines if (one := line.numbers.get(key))]
            lines += ["", *_table(_SCORES, [_score_cells(key, line, one, block) for key, line, one in found])]
    lines += _failures(run)
    lines += ["", f"*{count(len(run.rows), 'row')}; ringtrue {run.made.version}*"]
    return "\n".join(lines) + "\n"


_COUNTS = ("n", "passed", "failed", "skipped", "errors")
_HEADLINE = ("system", "passed, %", "95 % interval", *_COUNTS, "$ per 1,000", "median time, s")
_SCORES = ("score", "system", "mean", "95 % interval", "passes at", *_COUNTS)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table without the columns that have nothing in any row; numbers are on the right."""
    used = [place for place in range(len(heads)) if any(row[place] != NOTHING for row in rows)]
    marks = ["---" if heads[place] in ("system", "score") else "---:" for place in used]
    lines = [[heads[place] for place in used], marks, *([row[place] for place in used] for row in rows)]
    return [f"| {' | '.join(line)} |" for line in lines]


def _headline_cells(line: HeadlineLine) -> list[str]:
    share = line.share or Summary(None, 0)
    found = [escape(line.system), number(share.value, "share"), interval(share.interval, "share"), *_amounts(share)]
    return [*found, number(line.dollars, "score"), number(line.seconds, "seconds")]


def _score_cells(key: str, line: HeadlineLine, one: Summary, block: HeadlineBlock) -> list[str]:
    unit = score_unit(block, key)
    value, threshold = number(one.value, unit, marked=True), number(one.threshold, "score")
    return [escape(key), escape(line.system), value, interval(one.interval, unit), threshold, *_amounts(one)]


def _amounts(one: Summary) -> list[str]:
    amounts = (one.n, one.passed, one.failed, one.skipped, one.errors)
    return [NOTHING if amount is None else f"{amount:,}" for amount in amounts]


def _verdict(run: Run) -> str:
    """The sentences that open every report, their claims in bold."""
    words = run_verdict(run, compared_systems(run))
    return "".join(f"**{escape(one.text)}**" if one.strong else escape(one.text) for one in words).strip()


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


def fence(text: str) -> str:
    """Backticks: one more than any run of them in the text."""
    return "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
