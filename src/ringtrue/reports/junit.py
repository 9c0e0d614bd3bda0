"""JUnit XML: one testcase per check, each with its own verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

from ringtrue.records import Case, CaseId, Output, Row, Score, Trial
from ringtrue.safetext import shorten_counted, xml_text

LABEL_CHARS = 80
DETAIL_CHARS = 2_000

Outcome = Literal["passed", "failed", "skipped", "error"]

_ELEMENTS: dict[Outcome, str] = {"failed": "failure", "skipped": "skipped", "error": "error"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One testcase: who checked what, how that ended and why."""

    group: str
    name: str
    outcome: Outcome
    message: str = ""
    kind: str = ""
    detail: str = ""
    seconds: float = 0.0
    score: float | None = None


def junit_xml(rows: Sequence[Row], suite: str, unasked: Sequence[Case] = ()) -> str:
    """One testcase per case and evaluator; the time of an answer is at its first check, so that times add up.

    A score without a verdict is shown as skipped: a testcase without a mark would claim a pass. `unasked` are cases
    that a run which stopped early never came to.
    """
    positions: dict[str, set[int]] = {}
    for row in rows:
        positions.setdefault(_label(row.trial), set()).add(row.position)
    several_systems = len({row.system for row in rows}) > 1
    repeated = any(row.repeat for row in rows)
    entries: list[Entry] = []
    for row in rows:
        label = _label(row.trial)
        if len(positions[label]) > 1:
            label += f" #{row.position + 1}"
        if repeated:
            label += f" (repeat {row.repeat + 1})"
        entries += _entries(row, f"{suite}.{row.system}" if several_systems else suite, label)
    for case in unasked:
        name = check_name("(no check)", case_label(case.id, case.input))
        entries.append(Entry(group=suite, name=name, outcome="skipped", message="not run"))
    return junit_document(entries, suite)


def junit_document(entries: Iterable[Entry], suite: str) -> str:
    """The XML text of a suite's testcases; what XML cannot hold is escaped."""
    root = ElementTree.Element("testsuites")
    group = ElementTree.SubElement(root, "testsuite", name=xml_text(suite))
    counts: Counter[str] = Counter()
    seconds = 0.0
    for entry in entries:
        counts[entry.outcome] += 1
        seconds += entry.seconds
        _add(group, entry)
    numbers = {
        "tests": counts.total(),
        "failures": counts["failed"],
        "errors": counts["error"],
        "skipped": counts["skipped"],
    }
    for element in (root, group):
        for name, number in numbers.items():
            element.set(name, str(number))
        element.set("time", f"{seconds:.3f}")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def check_name(evaluator: str, label: str) -> str:
    """The name of a testcase."""
    return f"{evaluator} :: {label}"


def case_label(id: CaseId, text: str) -> str:
    """What a case is called where its whole input is too long: its id and the beginning of its input."""
    start = " ".join(text[: 4 * LABEL_CHARS].split())[:LABEL_CHARS]
    return ": ".join(part for part in (str(id), start) if part) or "(empty input)"


def trial_detail(input: str, expected: Sequence[str] | None, output: str) -> str:
    """What a person needs to understand a failure, each part cut to a readable length."""
    wanted = [("expected", " | ".join(expected))] if expected is not None else []
    parts = [("input", input), *wanted, ("output", output)]
    return "\n".join(f"{name}: {shorten_counted(text, DETAIL_CHARS)}" for name, text in parts)


def _label(trial: Trial) -> str:
    return case_label(trial.case.id, trial.case.input or trial.case.context)


def _entries(row: Row, group: str, label: str) -> list[Entry]:
    output = row.trial.output
    seconds = output.latency_seconds or 0.0
    if not row.scores:
        outcome: Outcome = "error" if output.error else "skipped"
        message = output.problem if output.error else "no evaluator measured this case"
        name = check_name("(no check)", label)
        return [Entry(group=group, name=name, outcome=outcome, message=message, kind=output.error, seconds=seconds)]
    found = []
    for name, score in row.scores.items():
        outcome, message = _outcome(score)
        detail = (
            trial_detail(row.trial.case.input, row.trial.case.expected, _answer_text(output))
            if outcome == "failed"
            else ""
        )
        kind = str(score.metadata.get("kind") or "") if outcome == "error" else ""
        entry = Entry(
            group=group,
            name=check_name(name, label),
            outcome=outcome,
            message=message,
            kind=kind,
            detail=detail,
            seconds=seconds,
            score=score.value,
        )
        found.append(entry)
        seconds = 0.0
    return found


def _outcome(score: Score) -> tuple[Outcome, str]:
    if score.status != "scored":
        return score.status, score.reason
    if score.passed is None:
        return "skipped", f"scored {score.value:g}; the evaluator gives no verdict"
    return ("passed", "") if score.passed else ("failed", score.reason or f"scored {score.value:g}")


def _answer_text(output: Output) -> str:
    return f"({output.problem})" if output.problem else output.text


def _add(group: ElementTree.Element, entry: Entry) -> None:
    case = ElementTree.SubElement(
        group, "testcase", classname=xml_text(entry.group), name=xml_text(entry.name), time=f"{entry.seconds:.3f}"
    )
    if entry.score is not None:
        properties = ElementTree.SubElement(case, "properties")
        ElementTree.SubElement(properties, "property", name="score", value=repr(entry.score))
    if entry.outcome in _ELEMENTS:
        mark = ElementTree.SubElement(case, _ELEMENTS[entry.outcome], message=xml_text(entry.message))
        if entry.outcome != "skipped":
            mark.set("type", xml_text(entry.kind or {"failed": "quality", "error": "error"}[entry.outcome]))
        if entry.detail:
            mark.text = xml_text(entry.detail)
