"""One table of exit codes for `run`, `score` and `suite`: 0, 1, 2, 3, 64 and 130 mean the same in each."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ringtrue.cli import main

CHECKS = """
import time
from pathlib import Path

def answer(text):
    if text == "slow":
        Path("began").write_text("x")
        time.sleep(60)
    if text == "broken":
        raise ValueError("boom")
    return text

def check(case, output):
    if output == "slow":
        Path("began").write_text("x")
        time.sleep(60)
    if output == "broken":
        raise ValueError("boom")
    return float(output == "good")
"""
JOBS = ["run", "score", "suite"]
RIGHT, MIXED, BROKEN, ALL_BROKEN = ["good", "good"], ["good", "bad"], ["good", "broken"], ["broken", "broken"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "things.py").write_text(CHECKS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "things", raising=False)
    return tmp_path


def words(job: str, inputs: list[str]) -> list[str]:
    """The command of a job over cases whose answers are the inputs; those that say `broken` end in errors."""
    Path("q.jsonl").write_text("".join(json.dumps({"input": one, "response": one}) + "\n" for one in inputs))
    if job == "suite":
        Path("my.suite.toml").write_text('system = "things:answer"\nevaluators = ["things:check"]\ncases = "q.jsonl"\n')
        return ["suite", "my.suite.toml", "-q"]
    if job == "run":
        return ["run", "-d", "q.jsonl", "-s", "things:answer", "-e", "things:check", "-q"]
    return ["score", "q.jsonl", "-e", "things:check", "-q", "--max-workers", "1"]


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
            "gate failed: pass_rate is 50.0 % over 2 rows; --fail-under asks for 60.0 %",
        ),
        (BROKEN, ["--fail-under", "0.6"], 2, "undecided: pass_rate lies between 50.0 % and 100.0 %"),
        (BROKEN, ["--fail-under", "0.5"], 0, ""),
        (ALL_BROKEN, [], 3, "nothing was measured: 2 rows, 2 errors"),
        (ALL_BROKEN, ["--fail-under", "0.1"], 3, "nothing was measured: 2 rows, 2 errors"),
        (BROKEN, ["--max-errors", "0"], 3, "--max-errors"),
        (RIGHT, ["--max-errors", "0"], 0, ""),
        (RIGHT, ["--fail-under", "7"], 64, "write a number in [0, 1]"),
        (RIGHT, ["--nonsense"], 64, "--nonsense"),
        (RIGHT, ["-o", "rows.xlsx"], 64, "cannot tell the format of 'rows.xlsx'"),
        (RIGHT, ["--html", "none/run.html"], 64, "its folder does not exist"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_codes(
    folder: Path, job: str, inputs: list[str], more: list[str], code: int, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    given = words(job, inputs)
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
    folder: Path, job: str, inputs: list[str], code: int, capfd: pytest.CaptureFixture[str]
) -> None:
    given = words(job, inputs)
    with pytest.raises(SystemExit) as ended:
        main(given)
    assert ended.value.code == code
    if code == 2:
        assert "undecided: 1 case ended without a verdict" in capfd.readouterr().err


@pytest.mark.parametrize("job", JOBS)
def test_interrupted(folder: Path, job: str) -> None:
    given = words(job, ["good", "slow"])
    running = subprocess.Popen(
        [sys.executable, "-m", "ringtrue", *given], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])},
    )  # fmt: skip
    while not (folder / "began").exists():
        assert running.poll() is None, running.communicate()
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert "interrupted" in err
