"""Progress where there is not a terminal: plain lines that say how long it will still take."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from ringtrue.records import Case, DatasetInfo, EvaluatorInfo, Made, Output, Problem, Row, Score, SystemInfo, Trial
from ringtrue.reports.progress import SHOWN_PROBLEMS, FileProgress, ProgressLine, RunProgress
from ringtrue.runner.budget import Budget
from ringtrue.stats.anytime_share import anytime_interval


def long_ago(line: ProgressLine, seconds: float) -> None:
    """As if the work had begun this many seconds ago, and nothing had been said since."""
    line.started = line.spoken = time.monotonic() - seconds


def row(number: int = 0, error: str = "", reused: bool = False) -> Row:
    return Row(
        Trial(Case(number), Output("x", error=error, cost=0.5)), {}, reused=reused, answered_at=1.0 if reused else None
    )


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err.splitlines(True)[-1]


def test_a_line_says_done_rate_errors_cost_and_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    budget = Budget()
    progress = RunProgress()
    progress.begin(20, budget)
    long_ago(progress.line, 10)
    for number in range(10):
        found = row(number, "timeout" if number == 3 else "")
        budget.charge(found.trial.case, found.trial.output)
        progress.line.spoken = progress.line.started
        progress.on_row(found)
    said = r"ringtrue: 10 of 20, 1\.0/s, 10\.0 s left, 1 error, \$5\.0000"
    assert re.fullmatch(rf"{said}\n", last_line(capsys))
    budget.count_scores([Score(1.0, metadata={"cost": 0.25}, calls=1)])
    progress.line.spoken = progress.line.started
    progress.on_row(row(reused=True))
    assert re.search(r"11 of 20, .* 1 reused, \$5\.2500 \(judges \$0\.2500\)\n", last_line(capsys))


def test_a_run_that_is_done_has_no_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    progress = RunProgress()
    progress.begin(1, Budget())
    long_ago(progress.line, 10)
    progress.on_row(row())
    assert last_line(capsys).startswith("ringtrue: 1 of 1, ")
    assert "left" not in capsys.readouterr().err


@pytest.mark.parametrize(("shown", "seconds"), [(False, 60), (True, 0.5)])
def test_nothing_is_said_unasked_or_at_once(shown: bool, seconds: float, capsys: pytest.CaptureFixture[str]) -> None:
    progress = RunProgress(shown=shown)
    progress.begin(2, Budget())
    long_ago(progress.line, seconds)
    progress.on_row(row())
    progress.end()
    assert capsys.readouterr().err == ""


def test_lines_about_a_file_say_the_time_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"x" * 1_000)
    with FileProgress([str(path)]) as progress:
        long_ago(progress.line, 30)
        progress(7, 250, ())
    assert re.fullmatch(r"ringtrue: 7 rows \(25%\), 1 min 3\d s left\n", capsys.readouterr().err)


def test_broken_rows_are_named_at_once_and_not_without_end(capsys: pytest.CaptureFixture[str]) -> None:
    with FileProgress([]) as progress:
        for number in range(30):
            progress(number, 0, [Problem(f"x:{number}", f"\x1b[2J {'a' * number}"), Problem("y", f"row {number}")])
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "x:0: \\x1b[2J "
    assert len([line for line in lines if line.startswith(("x:", "y:"))]) == SHOWN_PROBLEMS
    assert lines[-2:] == ["as in y, also in 29 more rows", "further complaints about 11 more rows"]


def test_a_line_says_the_share_that_passes_with_an_interval_that_always_holds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    progress = RunProgress()
    made = Made(
        systems=(SystemInfo("a"),), evaluators=(EvaluatorInfo("e"),), datasets=(DatasetInfo("d", headline="e"),),
        options={"repeats": 2},
    )  # fmt: skip
    progress.begin(20, Budget(), made)
    long_ago(progress.line, 10)
    for number in range(10):
        case = Case(number, fields={"dataset": "d"})
        progress.line.spoken = progress.line.started
        progress.on_row(Row(Trial(case, Output("x")), {"e": Score(float(number > 2), passed=number > 2)}, system="a"))
    low, high = anytime_interval(7, 10, repeats=2)
    assert f"passed 70.0 % ({100 * low:.1f}–{100 * high:.1f})" in last_line(capsys)
