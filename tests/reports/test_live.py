"""Progress where there is no terminal: plain lines that say how long it will still take."""

from __future__ import annotations

import re

import pytest

from ringtrue.api.score_file import Progress
from ringtrue.cli.progress import Bar
from ringtrue.records import Case, Output, Row, Score, Trial
from ringtrue.reports.live import Live, time_left
from ringtrue.runner.budget import Budget


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0:00"), (59.6, "1:00"), (61, "1:01"), (3_599, "59:59"), (7_325, "2:02:05")]
)
def test_spans_of_time(seconds: float, words: str) -> None:
    assert time_left(seconds) == words


def test_a_line_says_done_rate_errors_cost_and_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    budget = Budget()
    live = Live(20, budget)
    live.started -= 10
    for number in range(10):
        case, output = Case(number), Output("x", error="timeout" if number == 3 else "", cost=0.5)
        budget.charge(case, output)
        live.finished(Row(Trial(case, output), {}))
    live._say()
    said = r"ringtrue: 10/20 1\.0/s, 0:10 left, 1 errors, \$5\.0000"
    assert re.fullmatch(rf"{said}\n", capsys.readouterr().err.splitlines(True)[-1])
    budget.judged([Score(1.0, metadata={"cost": 0.25}, calls=1)])
    live._say()
    assert re.fullmatch(
        said.replace("5\\.0000", r"5\.2500 \(judges \$0\.2500\)") + r"\n", capsys.readouterr().err.splitlines(True)[-1]
    )


def test_a_run_that_is_done_has_no_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    live = Live(1, Budget())
    live.finished(Row(Trial(Case(1), Output("x")), {}))
    live._say()
    assert "left" not in capsys.readouterr().err


def test_lines_about_a_file_say_the_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    bar = Bar([])
    bar.total = 1_000
    bar.started = bar.spoken = bar.started - 30
    bar(Progress(7, 250, ()))
    assert re.fullmatch(r"ringtrue: 7 rows \(25%\), 1:3\d left\n", capsys.readouterr().err)
