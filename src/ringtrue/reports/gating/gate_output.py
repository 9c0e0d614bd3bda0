"""Findings of a gate as text, JSON, JUnit, Markdown and GitHub's annotations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ringtrue.records import Json
from ringtrue.reports import junit
from ringtrue.reports.gating.rule_checks import Outcome, RuleFinding, rule_words
from ringtrue.reports.junit import Entry, junit_document
from ringtrue.reports.markdown import escape
from ringtrue.reports.number import count
from ringtrue.reports.terminal.canvas import Canvas
from ringtrue.safetext import printable

if TYPE_CHECKING:
    from rich.text import Text

MARKS: dict[Outcome, str] = {"passed": "✓", "failed": "✗", "undecided": "?", "nothing measured": "–"}
_PLAIN: dict[Outcome, str] = MARKS | {"passed": "ok", "failed": "FAIL", "nothing measured": "nothing measured"}
_STYLES: dict[Outcome, str] = {
    "passed": "green",
    "failed": "bold red",
    "undecided": "yellow",
    "nothing measured": "magenta",
}
_JUNIT: dict[Outcome, junit.Outcome] = {
    "passed": "passed",
    "failed": "failed",
    "undecided": "error",
    "nothing measured": "error",
}


def verdict_of(findings: Iterable[RuleFinding]) -> Outcome:
    """Return the outcome of the gate: the worst of its findings counts; without any, nothing was measured."""
    found = {one.outcome for one in findings} or {"nothing measured"}
    for outcome in ("nothing measured", "failed", "undecided"):
        if outcome in found:
            return outcome
    return "passed"


def gate_lines(findings: Sequence[RuleFinding], canvas: Canvas) -> Iterator[Text]:
    """The findings in lines, those that did not pass first."""
    for one in ordered_findings(findings):
        words = _PLAIN[one.outcome] if canvas.plain else f"{MARKS[one.outcome]} {one.outcome}"
        yield from canvas.lines(f"{words}  {one.title}", _STYLES[one.outcome], indent=4)
        yield from canvas.lines(f"    {one.words}", indent=4)
    yield canvas.text("")
    yield from canvas.lines(_count_words(findings), _STYLES[verdict_of(findings)])


def ordered_findings(findings: Sequence[RuleFinding]) -> list[RuleFinding]:
    """Those that did not pass first."""
    order = ("nothing measured", "failed", "undecided", "passed")
    return sorted(findings, key=lambda one: order.index(one.outcome))


def _count_words(findings: Sequence[RuleFinding]) -> str:
    passed = sum(one.outcome == "passed" for one in findings)
    return f"gate {verdict_of(findings)}: {passed:,} of {count(len(findings), 'check')} passed"


def gate_record(findings: Sequence[RuleFinding]) -> dict[str, Json]:
    """The findings as a JSON object."""
    shown = [
        {
            "rule": rule_words(one.rule),
            "name": one.rule.name,
            "where": one.where,
            "outcome": one.outcome,
            "words": one.words,
        }
        for one in findings
    ]
    return {"verdict": verdict_of(findings), "findings": shown}


def gate_markdown(findings: Sequence[RuleFinding]) -> str:
    """The findings for a pull request."""
    lines = [f"### {_count_words(findings)}", "", "| | check | found |", "|---|---|---|"]
    for one in ordered_findings(findings):
        lines.append(f"| {MARKS[one.outcome]} {one.outcome} | {escape(one.title)} | {escape(one.words)} |")
    return "\n".join(lines) + "\n"


def gate_junit(findings: Sequence[RuleFinding], name: str) -> str:
    """The findings as JUnit XML, a testcase each; what is open is an error."""
    entries = [Entry(group=name, name=one.title, outcome=_JUNIT[one.outcome], message=one.words) for one in findings]
    return junit_document(entries, name)


def github_annotations(findings: Sequence[RuleFinding]) -> list[str]:
    """GitHub's workflow commands for what did not pass: errors, and warnings for what is open."""
    return [
        f"::{'warning' if one.outcome == 'undecided' else 'error'} title={_property(one.title)}::{_data(one.words)}"
        for one in findings
        if one.outcome != "passed"
    ]


def _data(text: str) -> str:
    """Text that cannot end a workflow command or begin another."""
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
