"""One table of exit codes for `run`, `score` and `suite`: 0, 1, 2, 3, 64 and 130 mean the same in each."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from ringtrue.cli import main
from support.judge_endpoint import JudgeEndpoint

JOBS = ["run", "score", "suite"]
RIGHT, MIXED, BROKEN, ALL_BROKEN = ["good", "good 2"], ["good", "bad"], ["good", "broken"], ["broken", "broken 2"]


class Reader(JudgeEndpoint):
    """Rates an answer by what it says: good or bad; it cannot read a broken one, and a slow one takes long."""

    began: Event
    ended: Event

    def text(self, body: dict[str, Any]) -> str:
        said = json.dumps(body["messages"])
        if "the answer is broken" in said:
            return "I cannot say."
        if "the answer is slow" in said:
            self.began.set()
            self.ended.wait(30)
        self.says = {"rating": 5 if "the answer is good" in said else 1}
        return super().text(body)


@pytest.fixture
def judge() -> Iterator[Reader]:
    with Reader("chat") as running:
        running.began, running.ended = Event(), Event()
        yield running
        running.ended.set()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def words(job: str, inputs: list[str], judge: Reader) -> list[str]:
    """The command of a job over cases whose answers are the inputs; those that say `broken` end in errors."""
    said = [f"the answer is {one}" for one in inputs]
    rows = [{"id": n, "input": one, "answer": "x", "response": one} for n, one in enumerate(said)]
    Path("q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    judged = ["--judge-url", judge.base_url, "--judge-workers", "1", "-q"]
    if job == "suite":
        Path("my.suite.toml").write_text(
            'system = { command = "cat" }\nevaluators = ["llm_judge"]\ncases = "q.jsonl"\n'
        )
        return ["suite", "my.suite.toml", *judged]
    if job == "run":
        return ["run", "-d", "q.jsonl", "-s", "command:cat", "-e", "llm_judge", *judged]
    return ["score", "q.jsonl", "-e", "llm_judge", *judged]


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize(
    ("inputs", "more", "code", "said"),
    [
        (RIGHT, [], 0, ""),
        (RIGHT, ["--fail-under", "1"], 0, ""),
        (MIXED, ["--fail-under", "0.5"], 0, ""),
        (
            MIXED,
            ["--fail-under", "0.6"],
            1,
            "is 50.0 % over 2 rows; the floor is 60.0 %",
        ),
        (BROKEN, ["--fail-under", "0.6"], 2, "lies between 50.0 % and 100.0 %"),
        (BROKEN, ["--fail-under", "0.5"], 0, ""),
        (ALL_BROKEN, [], 3, "nothing was measured: 2 rows, 2 errors"),
        (ALL_BROKEN, ["--fail-under", "0.1"], 3, "nothing was measured: 2 rows, 2 errors"),
        (BROKEN, ["--max-errors", "0"], 3, "--max-errors"),
        (RIGHT, ["--max-errors", "0"], 0, ""),
        (RIGHT, ["--fail-under", "7"], 64, "write a number from 0 to 1"),
        (RIGHT, ["--nonsense"], 64, "--nonsense"),
        (RIGHT, ["-o", "rows.xlsx"], 64, "cannot tell the format of 'rows.xlsx'"),
        (RIGHT, ["--html", "."], 64, "is a folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_codes(
    folder: Path,
    judge: Reader,
    job: str,
    inputs: list[str],
    more: list[str],
    code: int,
    said: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    given = words(job, inputs, judge)
    with pytest.raises(SystemExit) as ended:
        main([*given, *more])
    out, err = capfd.readouterr()
    assert ended.value.code == code, err
    assert said in err
    assert out == ""


@pytest.mark.parametrize(
    ("job", "inputs", "code"),
    [
        ("run", MIXED, 0), ("score", MIXED, 0), ("suite", MIXED, 1),
        ("run", BROKEN, 0), ("score", BROKEN, 0), ("suite", BROKEN, 2),
        ("suite", ["good", "bad", "broken"], 1),
    ],
)  # fmt: skip
def test_without_a_threshold_a_suite_alone_judges_its_cases(
    folder: Path, judge: Reader, job: str, inputs: list[str], code: int, capfd: pytest.CaptureFixture[str]
) -> None:
    given = words(job, inputs, judge)
    with pytest.raises(SystemExit) as ended:
        main(given)
    assert ended.value.code == code
    if code == 2:
        assert "undecided: 1 case ended without a verdict" in capfd.readouterr().err


@pytest.mark.parametrize("job", ["run", "score"])
def test_what_a_judge_could_not_score_is_counted_and_explained(
    folder: Path, judge: Reader, job: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([*words(job, BROKEN, judge), "--json"])
    facts = json.loads(capfd.readouterr().out)["facts"]
    assert [(one["evaluator"], one["count"], one["kind"]) for one in facts["causes"]] == [
        ("llm_judge", 1, "unreadable")
    ]
    with pytest.raises(SystemExit):
        main(["list", "runs", "--json"])
    (listed,) = json.loads(capfd.readouterr().out)
    assert (listed["rows"], listed["errors"]) == (2, 1)


def test_one_evaluator_that_measures_nothing_is_not_hidden_by_another(
    folder: Path, judge: Reader, capsys: pytest.CaptureFixture[str]
) -> None:
    """A judge that cannot be reached must not leave CI green because the answers could be compared."""
    command = words("run", ALL_BROKEN, judge)
    with pytest.raises(SystemExit) as ended:
        main([*command, "-e", "not_empty"])
    assert ended.value.code == 3
    assert "nothing was measured by llm_judge: every row is an error" in capsys.readouterr().err


@pytest.mark.parametrize("job", JOBS)
def test_interrupted(folder: Path, judge: Reader, job: str) -> None:
    given = words(job, ["good", "slow"], judge)
    running = subprocess.Popen(
        [sys.executable, "-m", "ringtrue", *given], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert judge.began.wait(60), running.poll()
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert "interrupted" in err
