"""Harm from outside: it is never blamed on a program, and whatever becomes of the caller, nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from ringtrue.sandbox import Exam, Limits, Sandbox
from support.machine import descendants, marked, unchanged

SOURCE = Path(__file__).parent.parent.parent / "src"
EXAM = Exam("assert f(1) == 2", "f")
NAPS = "import time\ndef f(x):\n    time.sleep(0.6)\n    return x + 1\n"
PATIENCE_SECONDS = 60.0


@pytest.fixture
def box() -> Iterator[Sandbox]:
    with unchanged(), Sandbox(workers=1) as sandbox:
        sandbox.run("pass")
        yield sandbox


def soon(happened: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.02)
    return happened()


def parents() -> dict[int, int]:
    lines = {pid: Path(f"/proc/{pid}/stat").read_text() for pid in descendants(os.getpid())}
    return {pid: int(line.rpartition(")")[2].split()[1]) for pid, line in lines.items()}


def kill_soon(depth: int) -> Thread:
    """Kill the processes that many forks below this one, a moment after a program has started."""

    def strike() -> None:
        time.sleep(0.25)
        family = parents()
        generation = {os.getpid()}
        for _ in range(depth):
            generation = {pid for pid, parent in family.items() if parent in generation}
        for pid in generation:
            with suppress(ProcessLookupError):  # the death of one may end its sibling first
                os.kill(pid, signal.SIGKILL)

    thread = Thread(target=strike)
    thread.start()
    return thread


@pytest.mark.parametrize("depth", [1, 2, 3], ids=["worker", "its_first_process", "program_and_examiner"])
def test_a_program_whose_process_is_killed_from_outside_is_run_again(box: Sandbox, depth: int) -> None:
    thread = kill_soon(depth)
    execution = box.run(NAPS, exam=EXAM)
    thread.join()
    assert execution.status == "ok", execution.reason


def test_workers_that_died_between_programs_harm_none() -> None:
    with unchanged(), Sandbox(workers=4) as box, ThreadPoolExecutor(4) as threads:
        for _ in range(2):
            assert [done.status for done in threads.map(box.run, ["import time; time.sleep(0.6)"] * 4)] == ["ok"] * 4
            kill_soon(1).join()
        assert box.run("print(1)").stdout == "1\n"


def test_a_program_that_ends_itself_by_a_signal_fails(box: Sandbox) -> None:
    program = "import os, signal\ndef f(x):\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    assert box.run(program, exam=EXAM).status in ("failed", "killed")
    assert box.run(program.replace("def f(x):\n    ", ""), exam=None).status == "killed"


def test_processes_of_the_sandbox_go_first_where_memory_runs_out(box: Sandbox) -> None:
    found = {Path(f"/proc/{pid}/oom_score_adj").read_text().strip() for pid in descendants(os.getpid())}
    assert found == {"1000"}


def test_the_command_line_does_not_say_where_ringtrue_lies(box: Sandbox) -> None:
    lines = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in descendants(os.getpid())]
    assert lines
    for line in lines:
        assert str(SOURCE).encode() not in line
    shown = box.run("import sys; print(sys.argv, sys.orig_argv, sys.executable, sys.path, sys.prefix)").stdout
    assert str(SOURCE) not in shown
    if sys.prefix != sys.base_prefix:
        assert sys.prefix not in shown


def script(body: str) -> str:
    return f"import os, sys, time\nfrom ringtrue.sandbox import Exam, Limits, Sandbox\n{body}"


def started(body: str, *, denied: str = "") -> subprocess.Popen[str]:
    lacking = [sys.executable, str(Path(__file__).parent.parent / "support" / "lacking.py"), denied, "--"]
    command = [*(lacking if denied else []), sys.executable, "-c", script(body)]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def test_a_caller_without_standard_streams() -> None:
    """Whatever descriptors a worker and its files get, they do not take the places of closed streams."""
    body = """
out = os.dup(1)
for descriptor in (0, 1, 2):
    os.close(descriptor)
with Sandbox(workers=1) as box:
    done = box.run("def f(x): return x + 1", exam=Exam("assert f(1) == 2", "f"))
    plain = box.run("print(input())", "hello")
os.write(out, f"{done.status} {plain.stdout}".encode())
"""
    process = started(body)
    assert process.communicate(timeout=60)[0] == "ok hello\n"


RUNS = """
import threading
box = Sandbox(workers=2)
for _ in range(2):
    program = "import time; time.sleep(300)"
    threading.Thread(target=box.run, args=(program,), kwargs={"limits": Limits(seconds=300)}, daemon=True).start()
while box._busy < 2:
    time.sleep(0.05)
time.sleep(0.5)
print(os.getpid(), flush=True)
time.sleep(300)
"""


def folders() -> set[str]:
    return {path.name for path in Path(tempfile.gettempdir()).glob("ringtrue-sandbox-*")}


@pytest.mark.parametrize("denied", ["", "272"], ids=["with_namespaces", "without_namespaces"])
def test_a_caller_that_is_killed_leaves_no_process_and_no_folder(denied: str) -> None:
    with started(RUNS, denied=denied) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        assert soon(lambda: len(descendants(pid)) >= 4)
        family = descendants(pid)
        assert any(f"-{pid}-" in name for name in folders()) == bool(denied)
        process.kill()
    assert soon(lambda: not any(Path(f"/proc/{one}").exists() for one in family))
    assert soon(lambda: not any(f"-{pid}-" in name for name in folders()))


FORKS = """
sibling = os.fork()
if sibling == 0:
    os.close(1)
    time.sleep(60)
    os._exit(0)
print(os.getpid(), sibling, flush=True)
"""


def test_a_forked_sibling_of_the_caller_keeps_no_worker_alive() -> None:
    with started(RUNS.replace("print(os.getpid(), flush=True)", FORKS)) as process:
        assert process.stdout is not None
        pid, sibling = map(int, process.stdout.readline().split())
        family = descendants(pid).keys() - {sibling}
        process.kill()
    try:
        assert soon(lambda: not any(Path(f"/proc/{one}").exists() for one in family))
    finally:
        os.kill(sibling, signal.SIGKILL)


@pytest.mark.heavy
def test_a_worker_that_never_gets_ready_is_ended_with_all_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs, nap = tmp_path / "python", f"{700 + os.getpid() % 97}.{time.time_ns() % 10**6}"
    hangs.write_text(f"#!/bin/sh\nsleep {nap} &\nwait\n")
    hangs.chmod(0o755)
    monkeypatch.setattr(sys, "_base_executable", str(hangs))
    with unchanged(), Sandbox(workers=1) as box:
        execution = box.run("pass")
        assert (execution.status, "not ready within" in execution.reason) == ("refused", True), execution
        assert soon(lambda: not marked(nap))


@pytest.fixture(params=[0o022, 0o077], ids=["for-all", "for-root-alone"])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.skipif(os.geteuid() != 0, reason="without root a namespace may be out of reach")
@pytest.mark.usefixtures("umask")
def test_a_package_below_the_temporary_folder_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a virtual environment there: the root is built around it, even if only root may read the package."""
    with tempfile.TemporaryDirectory(prefix="ringtrue-venv-") as folder:
        os.chmod(folder, 0o755)
        package = Path(folder) / "ringtrue_shown"
        package.mkdir()
        (package / "__init__.py").write_text("answer = 42\n")
        monkeypatch.syspath_prepend(folder)
        with Sandbox(workers=1, packages=["ringtrue_shown"]) as box:
            execution = box.run(
                "import array, ringtrue_shown, tempfile\nprint(ringtrue_shown.answer)\ntempfile.TemporaryFile()"
            )
            assert (execution.status, execution.stdout) == ("ok", "42\n"), execution.stderr
            assert "private root" in execution.isolation


def test_limits_are_still_limits(box: Sandbox) -> None:
    """A program that waits is ended soon after its seconds, one that works when it has used them up."""
    for program, words in (("import time; time.sleep(60)", "ran longer"), ("while True: pass", "processor time")):
        execution = box.run(program, limits=Limits(seconds=0.5))
        assert execution.status == "timeout"
        assert words in execution.reason
        assert execution.seconds < 60
