"""The container back end: refused with a reason without an engine, wired as an engine needs it with one."""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ringtrue.sandbox import Container, Exam, Limits, Stop
from support.cheats import CHEATS, TEST
from support.exams import PAIRS

ENGINE = Path(__file__).parent.parent / "support" / "engine.py"


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Container:
    """A container back end whose engine is the stand-in."""
    script = tmp_path / "bin" / "stand-in"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec {sys.executable} {ENGINE} "$@"\n')
    script.chmod(0o755)
    names = tmp_path / "names"
    names.mkdir()
    monkeypatch.setenv("PATH", f"{script.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ENGINE_NAMES", str(names))
    return Container("stand-in")


def test_a_missing_engine_is_refused_by_name() -> None:
    execution = Container("no-such-engine").run("print(1)")
    assert execution.status == "refused"
    assert "'no-such-engine' is not installed here" in execution.reason
    assert "install and start it" in execution.reason


def test_an_engine_that_does_not_work_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "docker"
    script.write_text("#!/bin/sh\necho 'is the daemon running?' >&2\nexit 1\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    execution = Container("docker").run("print(1)")
    assert execution.status == "refused"
    assert "is the daemon running?" in execution.reason


def test_a_program_runs(engine: Container) -> None:
    execution = engine.run("print(input(), open('a').read())", "in", {"a": "file"})
    assert (execution.status, execution.stdout, execution.profile) == ("ok", "in file\n", "stand-in")
    failed = engine.run("1 / 0")
    assert (failed.status, failed.exit_code) == ("failed", 1)
    assert "ZeroDivisionError" in failed.stderr


def test_time_is_up(engine: Container) -> None:
    engine.grace_seconds = 0.5
    assert engine.run("import time; time.sleep(60)", limits=Limits(seconds=0.5)).status == "timeout"


def test_who_runs_it_may_stop_it(engine: Container) -> None:
    with Stop() as stop, ThreadPoolExecutor(1) as threads:
        running = threads.submit(engine.run, "import time; time.sleep(600)", limits=Limits(seconds=600), stop=stop)
        stop.say()
        assert running.result(60).reason == "the caller stopped it"


def test_output_is_cut(engine: Container) -> None:
    execution = engine.run("print('x' * 100_000)", limits=Limits(output_bytes=1000))
    assert (execution.status, len(execution.stdout)) == ("killed", 1000)


@pytest.mark.parametrize("across", [True, False])
def test_an_exam_is_taken(engine: Container, across: bool) -> None:
    exam = Exam(TEST, "solve", defines=("check",), across=across)
    right = engine.run("print('noise')\ndef solve(a, b):\n    return a + b", exam=exam)
    assert right.status == "ok", right
    assert json.loads(right.verdict_channel)["verdict"] == ("separate" if across else "in_process")
    for name in ("wrong", "exit_0", "hard_exit_0", "printed_markers", "write_verdict_everywhere", "exit_in_call"):
        assert engine.run(CHEATS[name][0], exam=exam).status == "failed", name


@pytest.mark.parametrize("name", ["callback", "generator", "own_fault", "argument_changed_in_place"])
def test_values_cross_between_containers(engine: Container, name: str) -> None:
    pair = PAIRS[name]
    assert engine.run(pair.program, exam=Exam(pair.test, "f")).status == "ok"


def test_a_command_runs(engine: Container) -> None:
    assert engine.run("cat a; echo $((6 * 7))", files={"a": "x"}, profile="shell").stdout == "x42\n"


def test_an_engine_that_starts_no_container_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "podman"
    script.write_text("#!/bin/sh\n[ $1 = version ] && exit 0\necho 'no such image' >&2\nexit 125\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    execution = Container("podman").run("print(1)")
    assert execution.status == "refused"
    assert "no such image" in execution.reason
