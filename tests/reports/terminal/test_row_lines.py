"""Rows and cases in a terminal: any text fits any width, and the terminal obeys none of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ringtrue.records import Case, EvaluatorInfo, Made, Output, Row, Score, SystemInfo, Trial
from ringtrue.reports.terminal.canvas import Canvas, plain_text
from ringtrue.reports.terminal.row_lines import case_lines, row_lines
from ringtrue.reports.terminal.run_list import run_list_lines
from ringtrue.reports.terminal.run_notes import bill
from ringtrue.runner.run_from_rows import run_of

TEXTS = st.text(st.sampled_from("ab 日本é\n\t\x1b\x00\u202e[red]{+-\ud800🙂"), max_size=80)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("width", [40, 80, 120])
@given(texts=st.lists(TEXTS, min_size=5, max_size=5))
def test_any_text_fits_and_is_obeyed_nowhere(width: int, plain: bool, texts: list[str]) -> None:
    question, expected, first, second, reason = texts
    made = Made(systems=(SystemInfo(first[:9]), SystemInfo("b")), evaluators=(EvaluatorInfo("e"),))
    case = Case(id=reason, input=question, expected=(expected,), context=second)
    scores = [{"e": Score(0.0, passed=False, reason=reason)}, {"e": Score.error(reason or "x")}]
    outputs = [Output(first, traceback=reason), Output(second, problem=reason)]
    rows = [
        Row(Trial(case, output), score, system=system.name)
        for output, score, system in zip(outputs, scores, made.systems, strict=True)
    ]
    run, canvas = run_of(made, rows), Canvas(width, plain=plain)
    shown = plain_text(
        [*case_lines(canvas, run, rows), *(line for row in rows for line in row_lines(canvas, run, row))]
    )
    assert all(character.isprintable() or character == "\n" for character in shown)
    assert "\u202e" not in shown
    assert max(map(cell_len, shown.splitlines())) <= width


@pytest.mark.parametrize(
    ("output", "score"),
    [
        (Output(problem="KeyError", error="system_error", traceback="in app.py"), Score.error("no answer")),
        (Output("fine"), Score.error("KeyError", kind="evaluator_error", traceback="in app.py")),
    ],
    ids=["system", "evaluator"],
)
def test_an_error_of_user_code_has_its_traceback(output: Output, score: Score) -> None:
    made = Made(systems=(SystemInfo("a"),), evaluators=(EvaluatorInfo("e"),))
    row, canvas = Row(Trial(Case(0, "q"), output), {"e": score}, system="a"), Canvas(80, plain=True)
    run = run_of(made, [row])
    for lines in (row_lines(canvas, run, row), case_lines(canvas, run, [row])):
        assert "in app.py" in plain_text(lines)


@pytest.mark.parametrize("width", [40, 72, 80, 100])
@given(name=TEXTS, rows=st.integers(0, 10**9))
def test_any_list_of_runs_fits(width: int, name: str, rows: int) -> None:
    run = {
        "id": "0123456789ab", "created": "2026-11-18T02:00:00Z", "status": "finished", "datasets": [name, "b"],
        "headlines": [{"dataset": name, "system": name, "pass_rate": 1.0, "interval": (0.9, 1), "threshold": 0.33}],
        "systems": [name, "c"], "rows": rows, "errors": rows, "cost": rows / 7,
    }  # fmt: skip
    other = {**run, "cost": None, "headlines": [], "id": "0123456789ac"}
    shown = plain_text(run_list_lines(Canvas(width), [run, other]))
    assert max(map(cell_len, shown.splitlines())) <= width
    assert "0.33" in shown


@pytest.mark.parametrize(
    ("spent", "words"),
    [
        ({"calls": 1, "tokens": 1, "cache_hits": 1, "cost": None},
         "judges took 1 call and 1 token, cost unknown; 1 reply came from the store"),
        ({"calls": 12, "tokens": 1200.0, "cache_hits": 0, "cost": 0.5},
         "judges took 12 calls and 1,200 tokens, $0.5000; 0 replies came from the store"),
    ],
)  # fmt: skip
def test_a_bill_has_the_right_plurals(spent: dict[str, float | None], words: str) -> None:
    assert bill(spent) == words
