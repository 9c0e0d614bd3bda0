"""JUnit XML: one testcase per check, each with its own verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from ringtrue.records import Case, CaseId, EvaluatorInfo, Made, Output, Row, Score, Trial
from ringtrue.runner.occurrences import Occurrences
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
    threshold: float | None = None


def junit_title(made: Made) -> str:
    """The name of a run's testcases: the same for every run of the same thing, so that a CI server knows them again."""
    alone = made.datasets[0].name if len(made.datasets) == 1 else ""
    return made.name or alone or made.job


def junit_xml(
    rows: Iterable[Row], suite: str, evaluators: Sequence[EvaluatorInfo] = (), unasked: Sequence[Case] = ()
) -> str:
    """`junit_pieces` as one text."""
    return "".join(junit_pieces(rows, suite, evaluators, unasked))


def junit_pieces(
    rows: Iterable[Row], suite: str, evaluators: Sequence[EvaluatorInfo] = (), unasked: Sequence[Case] = ()
) -> Iterator[str]:
    """One testcase per case and evaluator; the time of an answer is at its first check, so that times add up.

    A score without a verdict is shown as skipped: a testcase without a mark would claim a pass. A testcase with a
    verdict names the threshold that `evaluators` say. `unasked` are cases that a run which stopped early never came to.
    The rows are read twice, and never held together.
    """
    thresholds = {one.name: one.threshold for one in evaluators}
    datasets: set[str] = set()
    systems: set[str] = set()
    repeated = False
    counts = TestcaseCounts()
    with Occurrences() as places, Occurrences() as labels:
        for row in rows:
            label = _label(row.trial)
            if places.count(xml_text(f"{row.position} {label}")) == 1:
                labels.count(xml_text(label))
            datasets.add(row.dataset)
            systems.add(row.system)
            repeated |= row.repeat > 0
            counts.add(_entries(row, suite, label, thresholds))
        not_run = [_not_run(case, suite) for case in unasked]
        counts.add(not_run)
        yield counts.head(suite)
        for row in rows:
            label = _label(row.trial)
            if labels.times(xml_text(label)) > 1:
                label += f" #{row.position + 1}"
            if repeated:
                label += f" (repeat {row.repeat + 1})"
            own = [(row.dataset, datasets), (row.system, systems)]
            group = ".".join([suite, *(name for name, all_names in own if name and len(all_names) > 1)])
            yield from map(_testcase, _entries(row, group, label, thresholds))
        yield from map(_testcase, not_run)
    yield counts.foot


def junit_document(entries: Sequence[Entry], suite: str) -> str:
    """The XML text of a suite's testcases; what XML cannot hold is escaped."""
    counts = TestcaseCounts()
    counts.add(entries)
    return "".join([counts.head(suite), *map(_testcase, entries), counts.foot])


class TestcaseCounts:
    """The number of testcases, how they ended, and their seconds: the first line of a document has them."""

    def __init__(self) -> None:
        self.outcomes: Counter[Outcome] = Counter()
        self.seconds = 0.0

    def add(self, entries: Iterable[Entry]) -> None:
        """Take testcases in."""
        for entry in entries:
            self.outcomes[entry.outcome] += 1
            self.seconds += entry.seconds

    def head(self, suite: str) -> str:
        """The beginning of a document."""
        found = self.outcomes
        numbers = {
            "tests": found.total(),
            "failures": found["failed"],
            "errors": found["error"],
            "skipped": found["skipped"],
        }
        said = "".join(f' {name}="{number}"' for name, number in numbers.items()) + f' time="{self.seconds:.3f}"'
        named = quoteattr(xml_text(suite), {'"': "&quot;"})
        closed = "" if found else " /"
        return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites{said}>\n  <testsuite name={named}{said}{closed}>\n'

    @property
    def foot(self) -> str:
        """The end of a document."""
        return ("  </testsuite>\n" if self.outcomes else "") + "</testsuites>\n"


def check_name(evaluator: str, label: str) -> str:
    """The name of a testcase."""
    return f"{evaluator} :: {label}"


def case_label(id: CaseId, text: str) -> str:
    """Return a label for a case whose input is too long: its id and the beginning of its input."""
    start = " ".join(text[: 4 * LABEL_CHARS].split())[:LABEL_CHARS]
    return ": ".join(part for part in (str(id), start) if part) or "(empty input)"


def trial_detail(input: str, expected: Sequence[str] | None, output: str) -> str:
    """Return what a person needs to understand a failure, each part cut to a readable length."""
    wanted = [("expected", " | ".join(expected))] if expected is not None else []
    parts = [("input", input), *wanted, ("output", output)]
    return "\n".join(f"{name}: {shorten_counted(text, DETAIL_CHARS)}" for name, text in parts)


def _label(trial: Trial) -> str:
    return case_label(trial.case.id, trial.case.input or trial.case.context)


def _entries(row: Row, group: str, label: str, thresholds: Mapping[str, float | None]) -> list[Entry]:
    output = row.trial.output
    seconds = 0.0 if row.reused else output.latency_seconds or 0.0
    if not row.scores:
        outcome: Outcome = "error" if output.error else "skipped"
        message = output.problem if output.error else "no evaluator measured this case"
        name = check_name("(no check)", label)
        detail = output.traceback
        return [Entry(group, name, outcome, message, kind=output.error, detail=detail, seconds=seconds)]
    found = []
    for name, score in row.scores.items():
        outcome, message = _outcome(score)
        detail = kind = ""
        if outcome == "failed":
            detail = trial_detail(row.trial.case.input, row.trial.case.expected, _answer_text(output))
        elif outcome == "error":
            kind = str(score.metadata.get("kind") or "")
            detail = str(score.metadata.get("traceback") or "") or output.traceback
        entry = Entry(
            group=group,
            name=check_name(name, label),
            outcome=outcome,
            message=message,
            kind=kind,
            detail=detail,
            seconds=seconds,
            score=score.value,
            threshold=None if score.passed is None else thresholds.get(name),
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


def _not_run(case: Case, suite: str) -> Entry:
    name = check_name("(no check)", case_label(case.id, case.input))
    return Entry(group=suite, name=name, outcome="skipped", message="not run")


def _testcase(entry: Entry) -> str:
    """A testcase as text, indented as part of its document."""
    case = ElementTree.Element(
        "testcase", classname=xml_text(entry.group), name=xml_text(entry.name), time=f"{entry.seconds:.3f}"
    )
    numbers = {"score": entry.score, "threshold": entry.threshold}
    if entry.score is not None:
        properties = ElementTree.SubElement(case, "properties")
        for name, value in numbers.items():
            if value is not None:
                ElementTree.SubElement(properties, "property", name=name, value=repr(value))
    if entry.outcome in _ELEMENTS:
        mark = ElementTree.SubElement(case, _ELEMENTS[entry.outcome], message=xml_text(entry.message))
        if entry.outcome != "skipped":
            mark.set("type", xml_text(entry.kind or {"failed": "quality", "error": "error"}[entry.outcome]))
        if entry.detail:
            mark.text = xml_text(entry.detail)
    ElementTree.indent(case, level=2)
    return f"    {ElementTree.tostring(case, encoding='unicode')}\n"
