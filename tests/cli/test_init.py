"""`ringtrue init` and `ringtrue suite`: the first five minutes, offline."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def ringtrue(folder: Path, *words: str, check: int = 0) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "ringtrue", *words], capture_output=True, text=True, cwd=folder, timeout=120
    )
    assert done.returncode == check, done.stdout + done.stderr
    return done


def test_what_init_writes_runs(tmp_path: Path) -> None:
    assert "Next: ringtrue suite" in ringtrue(tmp_path, "init").stdout
    said = ringtrue(tmp_path, "suite", "evals/capital.suite.toml", "--json", "report.json").stdout
    assert "3 of 3 evaluated cases passed" in said
    assert json.loads((tmp_path / "report.json").read_text())["summary"]["passed"] == 3
    assert "exists; --force writes over it" in ringtrue(tmp_path, "init", check=64).stderr
    ringtrue(tmp_path, "init", "--force")


def test_a_shut_gate_is_exit_1_and_filters_work(tmp_path: Path) -> None:
    ringtrue(tmp_path, "init")
    system = tmp_path / "evals" / "capital.py"
    system.write_text('def answer(question: str) -> str:\n    return "Paris"\n')
    suite = ("suite", "evals/capital.suite.toml", "--store", "sqlite:///r.db")
    assert "0.9" in ringtrue(tmp_path, *suite, check=1).stderr
    assert "1 of 1" in ringtrue(tmp_path, *suite, "--tag", "europe").stdout
    assert "1 of 1" in ringtrue(tmp_path, *suite, "--case", "france").stdout


def test_a_wrong_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.suite.toml").write_text("name = 3\n")
    assert "x.suite.toml" in ringtrue(tmp_path, "suite", "x.suite.toml", check=64).stderr
