"""A case as pages show it: the question, what is expected, and each system's answer with its checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ringtrue.records import Made, Row, RowStatus, Score
from ringtrue.reports.answer_text import answer_problem, answer_text, row_traceback
from ringtrue.reports.headline_table import system_places
from ringtrue.reports.pages.word_difference import Piece, word_difference
from ringtrue.stats.row_status import WORST_FIRST, RowVerdicts

CaseKey = tuple[str, int, int]
"""The dataset, the place in it and the repeat: what the answers of several systems share."""


@dataclass(frozen=True, slots=True)
class CheckView:
    """The result of one evaluator on an answer."""

    name: str
    status: RowStatus
    value: float | None = None
    reason: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, score: Score) -> CheckView:
        """A score with the word for how it ended; one without a verdict of its own passed nothing."""
        if score.status != "scored":
            return cls(name, score.status, reason=score.reason)
        return cls(name, "passed" if score.passed else "failed", score.value, score.reason, score.parts)


@dataclass(frozen=True, slots=True)
class AnswerView:
    """An answer of a system; `pieces` are its text with what another answer lacks marked."""

    system: str
    series: int
    status: RowStatus
    text: str
    problem: str = ""
    traceback: str = ""
    seconds: float | None = None
    cost: float | None = None
    reused: bool = False
    checks: tuple[CheckView, ...] = ()
    pieces: tuple[Piece, ...] = ()

    @property
    def reasons(self) -> list[CheckView]:
        """The checks that say why, those that did not pass first."""
        notable = [check for check in self.checks if check.reason or check.status != "passed"]
        return sorted(notable, key=lambda check: WORST_FIRST[check.status])


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case with its answers in the order of the systems; `remark` says why two of them have no words marked."""

    key: CaseKey
    id: str
    question: str
    expected: tuple[str, ...]
    answers: tuple[AnswerView, ...]
    context: str = ""
    tags: tuple[str, ...] = ()
    remark: str = ""

    @property
    def dataset(self) -> str:
        """The dataset that the case is from."""
        return self.key[0]

    @property
    def is_disputed(self) -> bool:
        """Whether one system passed and another failed."""
        return {"passed", "failed"} <= {answer.status for answer in self.answers}


def case_key(row: Row) -> CaseKey:
    """Return the key that the rows of one case share."""
    return row.dataset, row.position, row.repeat


def case_views(rows: Iterable[Row], made: Made) -> list[CaseView]:
    """Rows grouped by case, the cases in the order in which their first row comes."""
    groups: dict[CaseKey, list[Row]] = {}
    for row in rows:
        groups.setdefault(case_key(row), []).append(row)
    verdicts, places = RowVerdicts(made), system_places(made)
    return [_case(key, own, verdicts, places) for key, own in groups.items()]


def _case(key: CaseKey, rows: Sequence[Row], verdicts: RowVerdicts, places: Mapping[str, int]) -> CaseView:
    ordered = sorted(rows, key=lambda row: places.get(row.system, len(places) + 1))
    answers = [answer_view(row, verdicts.status(row), places.get(row.system, 0)) for row in ordered]
    answers, remark = mark_differences(answers)
    case = rows[0].trial.case
    named = f"{case.id} (repeat {key[2] + 1})" if key[2] else str(case.id)
    return CaseView(key, named, case.input, case.expected or (), tuple(answers), case.context, case.tags, remark)


def mark_differences(answers: Sequence[AnswerView]) -> tuple[list[AnswerView], str]:
    """Two answers with the words marked that the other lacks; the remark says why nothing is marked."""
    if len(answers) != 2 or not all(answer.text for answer in answers):
        return list(answers), ""
    first, second, remark = word_difference(answers[0].text, answers[1].text)
    if remark:
        return list(answers), remark
    return [replace(answers[0], pieces=first), replace(answers[1], pieces=second)], ""


def answer_view(row: Row, status: RowStatus, series: int, name: str = "") -> AnswerView:
    """The answer of a row, under the name of its system or another."""
    output = row.trial.output
    return AnswerView(
        system=name or row.system,
        series=series,
        status=status,
        text=answer_text(output),
        problem=answer_problem(output),
        traceback=row_traceback(row),
        seconds=output.latency_seconds,
        cost=output.cost,
        reused=row.reused,
        checks=() if output.error else tuple(CheckView.of(name, score) for name, score in row.scores.items()),
    )
