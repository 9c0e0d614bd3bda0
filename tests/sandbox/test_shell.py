"""The shell profile: commands with processes of their own, bounded together, cut off from the rest."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ringtrue.sandbox import Limits, Sandbox, Stop
from support.canary import canary
from support.machine import marked

LIMITS = Limits(seconds=5.0, processes=20, memory_bytes=256 * 2**20)


@pytest.mark.parametrize(
    ("command", "status", "stdout"),
    [
        pytest.param("echo hi; exit 3", "failed", "hi\n", id="exit_code"),
        pytest.param("cat; cat given.txt", "ok", "inputfile", id="input_and_files"),
        pytest.param("pwd; ls /tmp", "ok", "/box\ngiven.txt\n", id="private_directory"),
        pytest.param("env | cut -d= -f1 | sort | tr '\\n' ' '", "ok", "HOME LANG PATH PWD TMPDIR ", id="environment"),
        pytest.param("hostname", "ok", "sandbox\n", id="name"),
        pytest.param("python3 -c 'print(6 * 7)'", "ok", "42\n", id="python"),
        pytest.param("kill -9 $$", "failed", "", id="killed"),
        pytest.param("ls /root /home /etc/shadow", "failed", "", id="no_host_files"),
        pytest.param("grep -c : /proc/net/dev", "ok", "1\n", id="no_network_but_its_own_loopback"),
        pytest.param("touch /usr/x /etc/x /bin/x /x; echo $?", "ok", "1\n", id="read_only"),
        pytest.param("test $(ls /proc | grep -c '^[0-9]') -lt 9 && echo few", "ok", "few\n", id="own_processes"),
        pytest.param(
            "mount -t tmpfs x /mnt || unshare -U true || chroot / true || echo held", "ok", "held\n", id="rights"
        ),
    ],
)
def test_commands(box: Sandbox, command: str, status: str, stdout: str) -> None:
    execution = box.run(command, "input", {"given.txt": "file"}, LIMITS, profile="shell")
    assert execution.status == status, execution
    assert execution.stdout == stdout or (status == "failed" and not stdout)
    assert execution.profile == "shell"


def test_its_own_loopback_works(box: Sandbox) -> None:
    program = """
import socket
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname())
print("ok")
"""
    assert box.run("python3 p.py", files={"p.py": program}, limits=LIMITS, profile="shell").stdout == "ok\n"


def test_processes_are_bounded_also_for_root(box: Sandbox) -> None:
    program = """
import os, time
started = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
        started += 1
except OSError:
    print(started)
"""
    execution = box.run("python3 p.py", files={"p.py": program}, limits=LIMITS, profile="shell")
    assert 1 < int(execution.stdout) <= LIMITS.processes


def test_memory_is_bounded_for_all_processes_together(box: Sandbox) -> None:
    program = """
import os, time
for _ in range(6):
    if os.fork() == 0:
        x = b"x" * (80 << 20)
        time.sleep(9)
time.sleep(9)
"""
    execution = box.run("python3 p.py", files={"p.py": program}, limits=LIMITS, profile="shell")
    assert execution.status == "memory"


def test_time_ends_everything(box: Sandbox) -> None:
    nap = f"{700 + os.getpid() % 97}.{time.time_ns() % 10**6}"
    command = f"trap '' TERM; (setsid sleep {nap} &) ; nohup sleep {nap} & sleep {nap}"
    execution = box.run(command, limits=Limits(seconds=1.0), profile="shell")
    assert execution.status == "timeout"
    assert not marked(nap)


def test_who_runs_it_may_stop_it(box: Sandbox) -> None:
    """At once, whatever time it has; the next run is none the worse."""
    nap = f"{700 + os.getpid() % 97}.{time.time_ns() % 10**6}"
    with Stop() as stop, ThreadPoolExecutor(1) as threads:
        command = f"trap '' TERM; (setsid sleep {nap} &); sleep {nap}"
        running = threads.submit(box.run, command, limits=Limits(seconds=600), profile="shell", stop=stop)
        while not marked(nap):
            time.sleep(0.05)
        stop.say()
        stop.say()
        execution = running.result(60)
    assert (execution.status, execution.reason) == ("killed", "the caller stopped it")
    assert not marked(nap)
    assert box.run("echo hi", limits=LIMITS, profile="shell").stdout == "hi\n"


def test_who_waits_for_a_place_may_leave() -> None:
    nap = f"{700 + os.getpid() % 97}.{time.time_ns() % 10**6}"
    limits = Limits(seconds=600)
    with Sandbox(workers=1) as box, Stop() as first, Stop() as second, ThreadPoolExecutor(2) as threads:
        running = threads.submit(box.run, f"sleep {nap}", limits=limits, profile="shell", stop=first)
        while not marked(nap):
            time.sleep(0.05)
        waiting = threads.submit(box.run, "touch /tmp/never", limits=limits, profile="shell", stop=second)
        second.say()
        assert waiting.result(60).reason == "the caller stopped it"
        assert not running.done()
        first.say()
        assert running.result(60).status == "killed"


def test_a_stop_that_comes_too_late_changes_nothing(box: Sandbox) -> None:
    with Stop() as stop:
        assert box.run("echo hi", limits=LIMITS, profile="shell", stop=stop).stdout == "hi\n"
        stop.say()
    assert box.run("echo hi", limits=LIMITS, profile="shell").stdout == "hi\n"


def test_a_daemon_does_not_outlive_its_command(box: Sandbox) -> None:
    nap = f"{700 + os.getpid() % 97}.{time.time_ns() % 10**6}"
    execution = box.run(
        f"(setsid sh -c 'setsid sleep {nap} &' &); sleep 0.2; echo done", limits=LIMITS, profile="shell"
    )
    assert (execution.status, execution.stdout) == ("ok", "done\n")
    assert not marked(nap)


def test_no_one_hears_from_it(box: Sandbox, tmp_path: Path) -> None:
    with canary(tmp_path) as bait:
        program = f"""
import socket
for kind in (1, 2):
    try:
        s = socket.socket(type=kind)
        s.connect(("127.0.0.1", {bait.port}))
        s.send(b"x")
    except OSError as error:
        print(type(error).__name__)
try:
    print(open("{bait.folder}/secret.txt").read())
except OSError:
    print("held")
"""
        execution = box.run("python3 p.py; env", files={"p.py": program}, limits=LIMITS, profile="shell")
        assert bait.secret not in execution.stdout
        assert "held" in execution.stdout
        assert not bait.visits


def test_a_folder_of_the_caller_can_be_worked_on(box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.txt").write_text("2")
    (tmp_path / "link").symlink_to("/etc/hostname")
    execution = box.run(
        "pwd; cat a.txt deep/b.txt; echo 3 > deep/c.txt; cat link", limits=LIMITS, profile="shell", folder=str(tmp_path)
    )
    assert execution.stdout == "/project\n12"
    assert (tmp_path / "deep" / "c.txt").read_text() == "3\n"


FILLED = "def filled(m):\n    for at in range(0, len(m), 4096): m[at] = 1\n    return m\n"
HOLDS = {
    "first_thread_ended": "def hold():\n    time.sleep(0.5); m = filled(bytearray(150 << 20)); time.sleep(2)\n"
    "    print('held', flush=True); os._exit(0)\nfor _ in range(3):\n    if not os.fork():\n"
    "        threading.Thread(target=hold).start(); ctypes.CDLL(None).pthread_exit(None)\ntime.sleep(5)",
    "copies": "for _ in range(3):\n    if not os.fork():\n"
    "        m = filled(bytearray(150 << 20)); time.sleep(3); os._exit(0)\nfor _ in range(3): os.wait()\nprint('held')",
    "unmapped": "kept = []\nfor _ in range(20):\n"
    "    m = filled(mmap.mmap(-1, 20 << 20)); m.resize(4096); kept.append(m)\ntime.sleep(1); print('held')",
    "zeros": "f = os.open('/dev/zero', os.O_RDWR)\nkept = []\nfor _ in range(20):\n"
    "    m = filled(mmap.mmap(f, 20 << 20)); m.resize(4096); kept.append(m)\ntime.sleep(1); print('held')",
    "memfd": "for _ in range(3):\n    f = os.memfd_create('x'); os.write(f, bytes(200 << 20))\n"
    "time.sleep(1); print('held')",
    "sysv": "libc = ctypes.CDLL(None)\nlibc.shmat.restype = ctypes.c_void_p\nfor _ in range(3):\n"
    "    number = libc.shmget(0, 200 << 20, 0o1600)\n    assert number >= 0\n    at = libc.shmat(number, None, 0)\n"
    "    ctypes.memset(at, 1, 200 << 20); libc.shmdt(ctypes.c_void_p(at))\ntime.sleep(1); print('held')",
}


@pytest.mark.parametrize("name", HOLDS)
def test_memory_counts_whichever_process_maps_it(box: Sandbox, name: str) -> None:
    program = f"import ctypes, mmap, os, threading, time\n{FILLED}{HOLDS[name]}"
    execution = box.run("python3 p.py", files={"p.py": program}, limits=LIMITS, profile="shell")
    assert "held" not in execution.stdout
    assert execution.status in ("memory", "failed")


def test_memory_that_processes_share_counts_once(box: Sandbox) -> None:
    program = f"import os, time\n{FILLED}m = filled(bytearray(120 << 20))\n"
    program += "for _ in range(3):\n    if not os.fork():\n        sum(m[::4096]); time.sleep(0.5); os._exit(0)\n"
    program += "for _ in range(3): os.wait()\nprint('held')"
    execution = box.run("python3 p.py", files={"p.py": program}, limits=LIMITS, profile="shell")
    assert (execution.status, execution.stdout) == ("ok", "held\n"), execution
