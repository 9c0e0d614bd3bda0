"""Other users, lesser kernels: the same walls, or a refusal that says what is missing; never a silent lack of them."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from support.canary import canary
from support.hostile_programs import PROGRAMS
from support.machine import is_root, leftovers, open_interpreter

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="calls are denied by their x86_64 numbers")

TESTS = Path(__file__).parent.parent
UNSHARE, LANDLOCK, PRCTL_SECCOMP = 272, 444, 317
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
NAMES_IT = {"host_name"}
"""Without namespaces a program sees this machine's name; all else is held by Landlock and the filter."""

ASK = """
import json, sys
from ringtrue.sandbox import Sandbox
with Sandbox(workers=1, allow_unsafe="unsafe" in sys.argv) as box:
    for profile, program in (("program", "print(6 * 7)"), ("shell", "echo 42")):
        done = box.run(program, profile=profile)
        print(json.dumps([done.status, done.stdout, done.profile, done.isolation, done.reason]))
"""


def ran(
    command: list[str], *, denied: str = "", nobody: bool = False, interpreter: str = sys.executable
) -> list[dict[str, object]]:
    """The JSON lines of a script, run as a user and on a kernel like that."""
    prefix = NOBODY if nobody else []
    lacking = [interpreter, str(TESTS / "support" / "lacking.py"), denied, "--"] if denied else []
    path = f"{TESTS.parent / 'src'}:{TESTS / 'support'}"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    whole = [*prefix, *lacking, interpreter, *command]
    done = subprocess.run(whole, capture_output=True, text=True, env=environment, cwd="/", timeout=300)
    assert done.returncode == 0, done.stderr[-3_000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def interpreter() -> str:
    found = open_interpreter()
    if not is_root() or not found:
        pytest.skip("needs root and an interpreter every user may run")
    return found


def test_without_landlock_it_refuses_and_says_how_to_get_it() -> None:
    program, shell = ran(["-c", ASK], denied=str(LANDLOCK))
    assert program[0] == "refused"
    for word in ("Landlock", "5.13", "docker", "podman", "allow_unsafe=True"):
        assert word in str(program[4])
    assert shell[0] == "ok", "the shell's walls are others"


def test_without_namespaces_the_shell_refuses() -> None:
    _, shell = ran(["-c", ASK], denied=str(UNSHARE))
    assert shell[0] == "refused"
    assert "namespaces" in str(shell[4])


def test_without_isolation_it_runs_only_when_told_and_says_so() -> None:
    for done in ran(["-c", ASK, "unsafe"], denied=f"{LANDLOCK},{UNSHARE}"):
        assert done[:4] == ["ok", "42\n", "unsafe", "none"]


def test_unsafe_is_not_used_where_there_are_walls() -> None:
    program, shell = ran(["-c", ASK, "unsafe"])
    assert (program[2], shell[2]) == ("program", "shell")


def test_a_proof_finds_what_is_not_held(interpreter: str) -> None:
    script = """
import json
from ringtrue.sandbox import Sandbox
from ringtrue.sandbox.proof import prove
with Sandbox(workers=1, allow_unsafe=True) as box:
    print(json.dumps({a.name: a.outcome for a in prove(box, ["program"])}))
"""
    (found,) = ran(["-c", script], denied=f"{LANDLOCK},{UNSHARE}", nobody=True, interpreter=interpreter)
    for name in ("read a file outside", "write a file outside", "connect to this machine", "start a process"):
        assert found[name] == "escaped", found
    assert found["take too much memory"] == "held"


@pytest.mark.parametrize(
    ("denied", "nobody"),
    [
        pytest.param("", True, id="nobody"),
        pytest.param(str(UNSHARE), True, id="nobody_without_namespaces"),
        pytest.param(str(UNSHARE), False, id="root_without_namespaces"),
    ],
)
def test_a_smoke_of_each_user_and_kernel(interpreter: str, denied: str, nobody: bool) -> None:
    program, shell = ran(["-c", ASK], denied=denied, nobody=nobody, interpreter=interpreter)
    assert program[:3] == ["ok", "42\n", "program"]
    assert ("private root" in str(program[3])) == (not denied)
    assert ("user of its own" in str(program[3])) == (not nobody)
    assert shell[0] == ("refused" if denied else "ok")


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("denied", "nobody"),
    [
        pytest.param("", True, id="nobody"),
        pytest.param(str(UNSHARE), True, id="nobody_without_namespaces"),
        pytest.param(str(UNSHARE), False, id="root_without_namespaces"),
    ],
)
def test_every_hostile_program_as_other_users(interpreter: str, denied: str, nobody: bool, tmp_path: Path) -> None:
    with canary(tmp_path) as bait:
        tree = bait.tree()
        for path in (tmp_path, *tmp_path.parents[:-2]):
            path.chmod(path.stat().st_mode | 0o711)
        command = [str(TESTS / "support" / "run_hostile.py"), str(tmp_path / "precious.txt"), str(bait.port), "long"]
        _, *done = ran(command, denied=denied, nobody=nobody, interpreter=interpreter)
        assert bait.tree() == tree
        assert not bait.visits
    assert len(done) == len(PROGRAMS)
    for result in done:
        name = str(result["name"])
        assert result["status"] in PROGRAMS[name].ends, result
        assert result["clean"], result
        assert not result["escaped"] or (denied and name in NAMES_IT), result
    assert not leftovers()
