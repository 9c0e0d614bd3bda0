"""What a program gets, how it ends, and what is reported of it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from ringtrue.errors import ConfigurationError
from ringtrue.sandbox import Exam, Execution, Limits, Sandbox
from support.machine import descendants, is_root


@pytest.mark.parametrize(
    ("program", "status", "exit_code"),
    [
        pytest.param("print('hi')", "ok", 0, id="prints"),
        pytest.param("1 / 0", "failed", 1, id="raises"),
        pytest.param("import sys; sys.exit(0)", "ok", 0, id="leaves_with_0"),
        pytest.param("import sys; sys.exit(7)", "failed", 7, id="leaves_with_7"),
        pytest.param("import sys; sys.exit('sorry')", "failed", 1, id="leaves_with_words"),
        pytest.param("import os; os._exit(113)", "failed", 113, id="an_exit_code_of_the_harness_is_just_a_number"),
        pytest.param("exit()", "ok", 0, id="exit_of_the_interpreter"),
        pytest.param("quit(7)", "failed", 7, id="quit_of_the_interpreter"),
        pytest.param("def f(:", "failed", 1, id="no_python"),
        pytest.param("\ud800", "failed", 1, id="lone_surrogate"),
        pytest.param("x = 'a\0b'", "failed", 1, id="nul"),
        pytest.param("", "ok", 0, id="nothing"),
        pytest.param("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", "killed", -15, id="ends_itself"),
        pytest.param("x = bytearray(1 << 32)", "memory", 1, id="memory"),
    ],
)
def test_every_end_has_its_status(box: Sandbox, program: str, status: str, exit_code: int) -> None:
    execution = box.run(program)
    assert (execution.status, execution.exit_code) == (status, exit_code), execution
    assert bool(execution.reason) == (status != "ok")


def test_streams_files_and_measurements_come_back(box: Sandbox) -> None:
    program = "import sys, data.extra as m; print(input(), open('a.txt').read(), m.x); sys.stderr.write('err')"
    assert box.run("import sys; print(ascii(sys.stdin.read()))", "a\r\nb").stdout == "'a\\r\\nb'\n"
    execution = box.run(program, "given\nmore", {"a.txt": b"bytes", "data/extra.py": "x = 5"})
    assert execution.stdout == "given bytes 5\n"
    assert execution.stderr == "err"
    assert execution.profile == "program"
    assert "seccomp" in execution.isolation
    assert 0 < execution.seconds < 60
    assert 2**20 < execution.peak_memory_bytes < 2**28
    assert execution.verdict_channel == ""


def test_a_program_is_the_main_module_and_ends_like_one(box: Sandbox) -> None:
    program = """
import atexit, sys, threading, time
atexit.register(print, 'at exit')
threading.Thread(target=lambda: (time.sleep(0.1), print('thread'))).start()
print(__name__, sys.argv, sys.modules['__main__'].__dict__ is globals())
"""
    assert box.run(program).stdout == "__main__ ['program.py'] True\nthread\nat exit\n"


@pytest.mark.parametrize("name", ["", "/etc/x", "../x", "a/../../x", "a\0b"])
def test_files_stay_inside(box: Sandbox, name: str) -> None:
    with pytest.raises(ConfigurationError):
        box.run("", files={name: "x"})


def test_an_unknown_profile_is_an_error_of_the_caller(box: Sandbox) -> None:
    with pytest.raises(ConfigurationError, match="program and shell"):
        box.run("", profile="none")  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["seconds", "memory_bytes", "output_bytes"])
@pytest.mark.parametrize("value", [0, -1, "10", True, float("nan"), float("inf")])
def test_limits_are_positive_numbers(field: str, value: object) -> None:
    with pytest.raises(ConfigurationError, match=field):
        Limits(**{field: value})  # type: ignore[arg-type]


def test_time_is_limited(box: Sandbox) -> None:
    execution = box.run("import time; print('before', flush=True); time.sleep(60)", limits=Limits(seconds=0.5))
    assert execution.status == "timeout"
    assert execution.stdout == "before\n", "what was written before is kept"
    assert execution.seconds < 30


def test_processor_time_is_limited_even_where_wall_time_is_not(box: Sandbox) -> None:
    execution = box.run("while True: pass", limits=Limits(seconds=120.0, cpu_seconds=1.0))
    assert execution.status == "timeout"
    assert execution.seconds < 100


def test_output_is_limited(box: Sandbox) -> None:
    execution = box.run("print('x' * 5000)", limits=Limits(output_bytes=1000))
    assert execution.status == "killed"
    assert len(execution.stdout) == 1000
    assert "1,000" in execution.reason


def test_output_just_within_the_limit_is_whole(box: Sandbox) -> None:
    execution = box.run("import sys; sys.stdout.write('x' * 1000)", limits=Limits(output_bytes=1000))
    assert execution.status == "ok"
    assert len(execution.stdout) == 1000


def test_open_files_are_limited(box: Sandbox) -> None:
    execution = box.run("x = [open('/dev/null') for _ in range(100)]", limits=Limits(open_files=30))
    assert "Too many open files" in execution.stderr


@pytest.mark.parametrize(
    "first",
    [
        pytest.param("open('left', 'w').write('x')", id="file"),
        pytest.param("import os; os.environ['LEFT'] = '1'", id="environment"),
        pytest.param("import builtins; builtins.left = 1; builtins.len = None", id="builtins"),
        pytest.param("import json; json.left = 1; json.dumps = None", id="module"),
        pytest.param("import sys; sys.path.insert(0, 'left'); sys.setrecursionlimit(50)", id="interpreter"),
        pytest.param("import os; os.chdir('/'); os.umask(0o777)", id="directory"),
        pytest.param("import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (6, 6))", id="limits"),
        pytest.param("import os; os.utime('.', (1, 1)); os.chmod('.', 0)", id="home"),
        pytest.param("import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)", id="signals"),
    ],
)
def test_nothing_leaks_from_one_program_to_the_next(first: str) -> None:
    look = """
import builtins, json, os, resource, signal, sys
print(os.listdir('.'), os.getcwd() == os.environ['HOME'], sorted(os.environ), hasattr(builtins, 'left'), len('abc'))
print(hasattr(json, 'left'), json.dumps([1]), 'left' in sys.path, sys.getrecursionlimit(), oct(os.stat('.').st_mode))
print(resource.getrlimit(resource.RLIMIT_NOFILE), os.stat('.').st_mtime > 10, signal.getsignal(signal.SIGINT))
open('x', 'w').close(); print(oct(os.stat('x').st_mode))
"""
    with Sandbox(workers=1) as box:
        fresh = box.run(look)
        assert fresh.status == "ok", fresh
        box.run(first)
        assert box.run(look).stdout == fresh.stdout


@pytest.mark.skipif(not is_root(), reason="reading the memory of a walled process needs root")
def test_the_memory_a_program_is_forked_from_holds_nothing_of_the_last_one() -> None:
    """Neither program, tests, input nor output of a job ever enters the worker that forks for the next one."""
    secret, others = os.urandom(8).hex(), descendants(os.getpid())
    with Sandbox(workers=1) as box:
        box.run("print(1)")
        box.run(f"print('{secret}', input())", stdin=secret)
        exam = Exam(f"assert f() == '{secret}'", benign=True)
        assert box.run(f"def f():\n    return '{secret}'", exam=exam).status == "ok"
        below = descendants(os.getpid()).keys() - others.keys()
        workers = [pid for pid in below if any(pid == parent_of(other) for other in below)]
        assert len(workers) == 2, "the one that waits, and the one that forks"
        for pid in workers:
            assert b"PYTHONHASHSEED" in memory_of(pid), "this would find something"
            assert secret.encode() not in memory_of(pid)


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def memory_of(pid: int) -> bytes:
    found = bytearray()
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            area, rights, *_ = line.split()
            if rights.startswith("rw"):
                start, end = (int(number, 16) for number in area.split("-"))
                memory.seek(start)
                found += memory.read(end - start)
    return bytes(found)


def test_many_threads_share_the_workers() -> None:
    results: list[Execution] = []
    with Sandbox(workers=2) as box:

        def work(number: int) -> None:
            results.append(box.run(f"print({number})"))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(descendants(os.getpid())) >= 2
    assert sorted(int(result.stdout) for result in results) == list(range(12))


def test_a_closed_sandbox_refuses() -> None:
    box = Sandbox(workers=1)
    box.close()
    assert box.run("1").status == "refused"


def test_the_owner_dies_and_everything_dies(tmp_path: Path) -> None:
    """kill -9 of the caller ends worker and program."""
    script = tmp_path / "owner.py"
    script.write_text(
        "from ringtrue.sandbox import Sandbox\n"
        "print('ready', flush=True)\n"
        "Sandbox(workers=1).run('import time; time.sleep(100)')\n"
    )
    owner = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE)
    assert owner.stdout is not None
    assert owner.stdout.readline() == b"ready\n"
    deadline = time.monotonic() + 60
    while len(below := descendants(owner.pid)) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert below
    owner.kill()
    owner.wait()
    owner.stdout.close()
    while (alive := [pid for pid in below if Path(f"/proc/{pid}").exists()]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive


@pytest.mark.skipif(
    sys.prefix.startswith(tempfile.gettempdir()),
    reason="a sandbox has a temporary folder of its own and hides this one",
)
def test_packages_are_shown_by_name() -> None:
    with Sandbox(workers=1, packages=["iniconfig"]) as box:
        assert box.run("import iniconfig; print(iniconfig.__name__)").stdout == "iniconfig\n"
        assert box.run("import pytest").status == "failed"


def test_a_package_that_is_not_there_is_an_error_of_the_caller() -> None:
    with pytest.raises(ConfigurationError, match="nowhere_to_be_found"):
        Sandbox(packages=["nowhere_to_be_found"])
