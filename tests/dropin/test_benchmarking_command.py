"""`python -m eval_recipes.benchmarking`: its flags, what it refuses, and runs that are ended midway."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from eval_recipes.benchmarking import __main__ as command
from eval_recipes.benchmarking.jobs.leftovers import IMAGES, label
from ringtrue.sandbox.engine import EngineError
from ringtrue.sandbox.image import Image

from support.bench_definitions import PYTHON, SCORED, base
from support.engines import containers

QUICK = "echo {} > /project/answer.txt"
SLOW = f"{QUICK}; while [ ! -f /gate ]; do sleep 0.2; done"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two agents, a task and a benchmark, as somebody writes them."""
    written(tmp_path / "agents" / "one" / "agent.yaml", agent("one", QUICK.format(80)))
    written(tmp_path / "agents" / "two" / "agent.yaml", agent("two", QUICK.format(20)))
    task = {
        "name": "number",
        "task_info": {"difficulty": "easy"},
        "instructions": "Say a number.",
        "evaluation_configs": [{"type": "score", "test_script": "test.py", "test_command": f"{PYTHON} test.py"}],
    }
    written(tmp_path / "tasks" / "number" / "task.yaml", task)
    (tmp_path / "tasks" / "number" / "test.py").write_text(SCORED)
    benchmark(tmp_path, "one", "two")
    return tmp_path


def agent(name: str, template: str) -> dict[str, Any]:
    return {"id": name, "agent_name": name.title(), "command_template": template, "source_code_path": None}


def benchmark(folder: Path, *agents: str) -> None:
    listed = [{"agent_id": name, "task_names": ["number"]} for name in agents]
    written(folder / "benchmark.yaml", {"score_benchmark": {"score_benchmarks": listed}})


def written(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))  # JSON is YAML


def flags(folder: Path, *more: str) -> list[str]:
    named = ["--benchmark", "benchmark.yaml", "--agents-dir", "agents", "--tasks-dir", "tasks", "--output-dir", "out"]
    return [str(folder / part) if at % 2 else part for at, part in enumerate(named)] + list(more)


def test_the_documented_flags_have_their_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    args = command.build_parser().parse_args([])
    assert args.benchmark == tmp_path / "data" / "benchmarks" / "full_benchmark.yaml"
    assert (args.agents_dir, args.tasks_dir) == (tmp_path / "data" / "agents", tmp_path / "data" / "tasks")
    assert (args.output_dir, args.max_parallel) == (None, 12)


def test_containers_get_the_variables_that_are_named_and_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in command.TEST_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("OPENAI_BASE_URL", "")
    monkeypatch.setenv("MINE", "2")
    parse = command.build_parser().parse_args
    assert command._values(parse([]).agent_env) == command._values(parse([]).test_env) == {"OPENAI_API_KEY": "sk-1"}
    assert command._values(parse(["--agent-env", ""]).agent_env) == {}
    assert command._values(parse(["--agent-env", "MINE, ABSENT"]).agent_env) == {"MINE": "2"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        pytest.param({"benchmark": ["on"]}, "did you mean 'one'?", id="unknown-agent"),
        pytest.param({"flags": ["--engine", "no-such-engine"]}, "is not installed here", id="no-engine"),
        pytest.param({"flags": ["--base-dockerfile", "/no/such/file"]}, "/no/such/file", id="no-base"),
        pytest.param({"flags": ["--max-parallel", "0"]}, "max_parallel=0 must be 1 or more", id="nothing-at-once"),
        pytest.param({"text": "score_benchmark: 3"}, "score_benchmark", id="no-benchmark"),
        pytest.param({"text": "a: [b"}, "benchmark.yaml", id="no-yaml"),
    ],
)
def test_what_cannot_be_run_is_said_and_is_2(
    folder: Path,
    changes: dict[str, Any],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if "benchmark" in changes:
        benchmark(folder, *changes["benchmark"])
    if "text" in changes:
        (folder / "benchmark.yaml").write_text(changes["text"])
    monkeypatch.setenv("PATH", f"{_stand_in(folder)}{os.pathsep}{os.environ['PATH']}")
    assert command.main(flags(folder, *changes.get("flags", []))) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.out == ""
    assert words in (folder / "out" / "benchmark.log").read_text()
    assert not logging.getLogger("eval_recipes.benchmarking").handlers


def _stand_in(folder: Path) -> Path:
    """An engine that answers, for what fails before it is needed."""
    program = folder / "bin" / "docker"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    return program.parent


def test_an_engine_that_cannot_build_costs_the_trials_and_not_the_report(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{_stand_in(folder)}{os.pathsep}{os.environ['PATH']}")
    assert command.main(flags(folder, "--engine", "docker")) == 1
    said = capsys.readouterr()
    assert said.out == f"{folder / 'out' / 'results' / 'report.html'}\n"
    assert "4 of 6 jobs succeeded" in said.err
    assert "trial:one:number:1: failed" in said.err
    assert json.loads((folder / "out" / "results" / "summary.json").read_text())["total_trials"] == 2


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    with containers(python=True) as found:
        yield found


def started(folder: Path, image: Image) -> subprocess.Popen[bytes]:
    (folder / "base").write_text(base(image.name))
    more = ["--base-dockerfile", str(folder / "base"), "--engine", image.engine.name, "--max-parallel", "2"]
    line = [sys.executable, "-m", "eval_recipes.benchmarking", *flags(folder, *more)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def waited(path: Path, words: str) -> None:
    until = time.monotonic() + 120
    while not path.is_file() or words not in path.read_text():
        assert time.monotonic() < until, f"{path} never said {words!r}"
        time.sleep(0.2)


def running(image: Image, folder: Path) -> list[str]:
    """The containers of this run's trials that are there."""
    trials = (folder / "out").glob("*/*/trial_*")
    listed = [image.engine.call("ps", "--all", "--quiet", f"--filter=label={label(trial)}") for trial in trials]
    return b"".join(listed).decode().split()


@pytest.mark.heavy
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "ended"])
def test_a_run_that_was_ended_goes_on(image: Image, folder: Path, how: signal.Signals) -> None:
    written(folder / "agents" / "two" / "agent.yaml", agent("two", SLOW.format(20)))
    process = started(folder, image)
    waited(folder / "out" / "benchmark.log", "trial:one:number:1: completed")
    waited(folder / "out" / "two" / "number" / "trial_1" / "agent_output.log", "")
    process.send_signal(how)
    process.communicate(timeout=60)
    assert process.returncode == (-9 if how == signal.SIGKILL else 130)
    assert len(running(image, folder)) == (1 if how == signal.SIGKILL else 0)
    names = (folder / "out" / IMAGES).read_text().split() if how == signal.SIGKILL else []
    log = folder / "out" / "one" / "number" / "trial_1" / "agent_output.log"
    before = log.stat().st_mtime_ns
    written(folder / "agents" / "two" / "agent.yaml", agent("two", QUICK.format(20)))
    again = started(folder, image)
    out, _ = again.communicate(timeout=200)
    assert again.returncode == 0, (folder / "out" / "benchmark.log").read_text()
    assert out.decode() == f"{folder / 'out' / 'results' / 'report.html'}\n"
    assert running(image, folder) == []
    for name in names:
        with pytest.raises(EngineError):
            Image.named(image.engine, name)
    assert not (folder / "out" / IMAGES).exists()
    assert log.stat().st_mtime_ns == before  # what was paid for is not paid for again
    summary = json.loads((folder / "out" / "results" / "summary.json").read_text())
    assert {one["agent_id"]: one["mean_score"] for one in summary["agent_summaries"]} == {"one": 80.0, "two": 20.0}
