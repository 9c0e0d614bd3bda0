"""A suite's report on a terminal: cases, checks, tags and the verdict; text from outside is never markup."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ringtrue.records import Summary
from ringtrue.reports.junit import case_label
from ringtrue.reports.table import summary_table
from ringtrue.safetext import printable, shorten

SHOWN_CASES = 40
REASON_CHARS = 200

_STYLES = {"passed": "green", "failed_quality": "red", "skipped": "yellow"}


@dataclass(frozen=True, slots=True)
class Line:
    """One case in a few words; `faults` are the checks that did not pass, with their reasons."""

    id: str | int
    input: str
    status: str
    score: float | None
    latency_ms: float | None
    faults: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Tag:
    """What the cases of one tag say together."""

    name: str
    cases: int
    avg_score: float | None
    pass_rate: float | None


def suite_text(
    title: str,
    lines: Sequence[Line],
    checks: Mapping[str, Summary],
    tags: Sequence[Tag],
    verdict: Sequence[str],
    *,
    width: int,
    colour: bool = False,
) -> str:
    """The whole report as the text a terminal of this width shows."""
    sink = io.StringIO()
    console = Console(
        file=sink,
        width=width,
        force_terminal=colour,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    console.print(Text(printable(title), style="bold"))
    shown = lines if len(lines) <= SHOWN_CASES else [line for line in lines if line.status != "passed"]
    if shown:
        console.print(_cases(shown[:SHOWN_CASES]))
    if len(shown) < len(lines):
        console.print(Text(f"{len(lines) - len(shown):,} cases that passed are not shown", style="dim"))
    if len(shown) > SHOWN_CASES:
        console.print(Text(f"{len(shown) - SHOWN_CASES:,} more that did not pass are not shown", style="dim"))
    console.print()
    console.print(summary_table({name: {name: summary} for name, summary in checks.items()}))
    if tags:
        console.print()
        console.print(_tags(tags))
    console.print()
    for words in verdict:
        console.print(Text(printable(words)))
    return sink.getvalue()


def _cases(lines: Sequence[Line]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("case", overflow="fold")
    table.add_column("status", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("ms", justify="right", no_wrap=True)
    table.add_column("what did not pass", overflow="fold")
    for line in lines:
        table.add_row(
            Text(printable(case_label(line.id, line.input))),
            Text(line.status, style=_STYLES.get(line.status, "magenta")),
            Text(_number(line.score)),
            Text("–" if line.latency_ms is None else f"{line.latency_ms:,.0f}"),
            Text(
                "\n".join(
                    printable(shorten(f"{name}: {reason}" if reason else name, REASON_CHARS))
                    for name, reason in line.faults
                )
            ),
        )
    return table


def _tags(tags: Sequence[Tag]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("tag")
    for column in ("cases", "mean score", "pass rate"):
        table.add_column(column, justify="right", no_wrap=True)
    for tag in tags:
        numbers = (f"{tag.cases:,}", _number(tag.avg_score), _number(tag.pass_rate))
        table.add_row(Text(printable(tag.name)), *map(Text, numbers))
    return table


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
