"""`ringtrue init` and `ringtrue suite`: the first five minutes, offline."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from ringtrue._version import __version__


def ringtrue(folder: Path, *words: str, check: int = 0) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "ringtrue", *words], capture_output=True, text=True, cwd=folder, timeout=120
    )
    assert done.returncode == check, done.stdout + done.stderr
    return done


def test_what_init_writes_runs(tmp_path: Path) -> None:
    assert "Next: ringtrue suite" in ringtrue(tmp_path, "init").stdout
    found = json.loads(ringtrue(tmp_path, "suite", "evals/capital.suite.toml", "--json").stdout)
    share = found["summaries"]["capitals"]["answer"]["pass_rate"]
    assert (share["passed"], share["failed"], share["n"]) == (3, 0, 3)
    said = ringtrue(tmp_path, "show", "last").stdout
    assert "capitals   a case passes if every check passes" in said
    workflow = (tmp_path / ".github" / "workflows" / "evals.yml").read_text()
    assert "ringtrue suite evals/capital.suite.toml --junit evals.xml" in workflow
    assert f"pip install ringtrue=={__version__}\n" in workflow
    assert "exists; --force overwrites it" in ringtrue(tmp_path, "init", check=64).stderr
    ringtrue(tmp_path, "init", "--force")
    assert "kept .github/workflows/evals.yml: add other/" in ringtrue(tmp_path, "init", "other").stdout
    assert "suite evals/capital.suite.toml" in (tmp_path / ".github" / "workflows" / "evals.yml").read_text()


def test_a_shut_gate_is_exit_1_and_filters_work(tmp_path: Path) -> None:
    ringtrue(tmp_path, "init")
    system = tmp_path / "evals" / "capital.py"
    system.write_text('def answer(question: str) -> str:\n    return "Paris"\n')
    suite = ("suite", "evals/capital.suite.toml", "--store", "sqlite:///r.db")
    shut = ringtrue(tmp_path, *suite, check=1)
    assert "gate failed: pass_rate is 33.3 % over 3 rows; the floor is 90.0 %" in shut.stderr
    assert "✗ failed  japan" in shut.stdout
    assert "contains: missing: 'Tokyo'" in shut.stdout
    for words in (["--tag", "europe"], ["--case", "france"]):
        assert ringtrue(tmp_path, *suite, *words).stdout.splitlines()[0].split(" · ")[1] == "1 row"


def test_a_wrong_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.suite.toml").write_text("name = 3\n")
    assert "x.suite.toml" in ringtrue(tmp_path, "suite", "x.suite.toml", check=64).stderr
