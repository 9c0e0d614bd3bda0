"""Commands of an auditor: in fresh copies, behind walls, and gone when it leaves."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluator
from ringtrue.sandbox import Sandbox
from support.audits import (
    DONE,
    FIBONACCI,
    FILLED,
    NO_SANDBOX,
    audit,
    call,
    calls,
    config,
    seen,
)
from support.machine import marked

TESTS = Path(__file__).parent.parent.parent


def test_without_a_sandbox_the_audit_reads_on(folder: Path) -> None:
    model = scripted_judge(
        [calls(call("run", command="python3 fib.py")), calls(call("read", path="fib.py")), DONE, FILLED]
    )
    result = audit(folder, model=model, sandbox=NO_SANDBOX)
    assert (result.score, result.metadata["commands"]) == (60.0, 0)
    assert "commands cannot run here" in seen(result)
    assert "an-engine-nobody-has" in result.metadata["sandbox"]


UNSHARE = 272
WITHOUT_NAMESPACES = """
import asyncio, json, sys
from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluator
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.reply import Reply
def call(name, arguments):
    return Reply("", tool_calls=[{"function": {"name": name, "arguments": arguments}}])
for unsafe in (False, True):
    model = scripted_judge([
        call("run", json.dumps({"command": "pwd; python3 fib.py"})),
        call("finish", ""),
        {"evidence": "", "rubric": {"x": True}},
    ])
    rubric = {"x": "100 points boolean", "score": "number"}
    made = SemanticTestEvaluator(steps="s", rubric=rubric, working_dir=sys.argv[1], model=model, allow_unsafe=unsafe)
    result = asyncio.run(made.run())
    print(json.dumps([result.score, result.metadata["sandbox"], result.metadata["audit"][0]["result"]]))
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="calls are denied by their x86_64 numbers")
def test_without_isolation_commands_run_only_where_that_is_allowed(folder: Path) -> None:
    lacking = [sys.executable, str(TESTS / "support" / "lacking.py"), str(UNSHARE), "--"]
    command = [*lacking, sys.executable, "-c", WITHOUT_NAMESPACES, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    held, bare = map(json.loads, done.stdout.splitlines())
    assert held[0] == bare[0] == 100.0
    assert held[1].startswith("refused: ")
    assert "commands cannot run here" in held[2]
    assert bare[1] == "unsafe: none"
    assert "55" in bare[2]
    assert str(folder) not in bare[2]
    assert [path.name for path in folder.iterdir()] == ["fib.py"]


def test_commands_start_from_the_delivered_files_and_change_none(folder: Path) -> None:
    """What a command does to its copy is gone with it: evidence cannot be tampered with by running it."""
    (folder / "tool.sh").write_text("#!/bin/sh\necho ran\n")
    (folder / "tool.sh").chmod(0o755)
    (folder / "empty").mkdir()
    (folder / "again").symlink_to("fib.py")
    spoil = "echo 'print(55)' > fib.py; rm -r empty; echo x > new; ls"
    result = audit(
        folder,
        calls(call("run", command=spoil), call("read", path="fib.py")),
        calls(call("run", command="./tool.sh && ls -d empty && python3 again && test ! -e new && echo clean")),
        DONE,
        FILLED,
    )
    assert "fib(n - 1)" in seen(result, 1)
    assert seen(result, 2) == "exit code 0\noutput:\nran\nempty\n55\nclean\n"
    assert (folder / "fib.py").read_text() == FIBONACCI
    assert sorted(path.name for path in folder.iterdir()) == ["again", "empty", "fib.py", "tool.sh"]


def test_a_command_that_runs_too_long_is_ended(folder: Path) -> None:
    nap = f"{800 + os.getpid() % 97}.{time.time_ns() % 10**6}"
    result = audit(folder, calls(call("run", command=f"sleep {nap} & sleep {nap}")), DONE, FILLED, run_seconds=0.5)
    assert seen(result).startswith("timeout: ")
    assert result.score == 60.0
    assert not marked(nap)


def test_cancelling_ends_the_command_and_leaves_no_process_and_no_directory(
    folder: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    """The command has ten minutes; who leaves does not wait for them."""
    nap = f"{900 + os.getpid() % 97}.{time.time_ns() % 10**6}"
    started = asyncio.Event()
    places = tmp_path / "temporary"
    places.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(places))

    class Watched:
        """A sandbox that says when it was asked."""

        def run(self, *given: Any, **named: Any) -> Any:
            loop.call_soon_threadsafe(started.set)
            return box.run(*given, **named)

    async def scene() -> None:
        nonlocal loop
        loop = asyncio.get_running_loop()
        model = scripted_judge([calls(call("run", command=f"sleep {nap}")), DONE, FILLED])
        evaluator = SemanticTestEvaluator(config(folder, run_seconds=600), model=model, sandbox=Watched())
        task = asyncio.create_task(evaluator.run())
        await started.wait()
        task.cancel()
        async with asyncio.timeout(60):
            with pytest.raises(asyncio.CancelledError):
                await task
        assert not marked(nap)
        assert len(model.asked) == 1

    loop: Any = None
    with Sandbox(workers=1) as box:
        asyncio.run(scene())
    assert list(places.iterdir()) == []
