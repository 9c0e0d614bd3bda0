"""CodeExecution says of programs what plain Python says of them: a sample of `benchmarks/code_conformance.py`."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from support.conformance.programs import write_programs
from support.conformance.tasks import golden_tasks

pytestmark = pytest.mark.heavy

TESTS = Path(__file__).parent.parent
SCRIPT = TESTS.parent / "benchmarks" / "code_conformance.py"
UNSHARE = "272"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("conformance") / "programs.jsonl"
    counts = write_programs(list(golden_tasks())[::6], path)
    assert counts["right"] > 100
    assert counts["wrong"] > 100
    return path


@pytest.mark.parametrize("denied", ["", UNSHARE], ids=["with_namespaces", "without_namespaces"])
def test_verdicts_are_those_of_plain_python(programs: Path, denied: str) -> None:
    if denied and platform.machine() != "x86_64":
        pytest.skip("calls are denied by their x86_64 numbers")
    lacking = [sys.executable, str(TESTS / "support" / "lacking.py"), denied, "--"] if denied else []
    command = [*lacking, sys.executable, str(SCRIPT), "--judge", str(programs)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3_000:]
    found = json.loads(done.stdout)
    assert found["judged"] > 300
    assert ("no namespaces" in found["isolation"]) == bool(denied)
    assert found["wrong"] == found["moved"] == []
