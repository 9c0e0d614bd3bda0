"""Other users, lesser kernels: the same walls, or a refusal that says what is missing; never a silent lack of them."""

from __future__ import annotations

import atexit
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from functools import cache
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


@cache
def open_tree() -> Path:
    """A copy of the package and of the tests' scripts that every user may read, wherever the checkout lies."""
    folder = Path(tempfile.mkdtemp(prefix="ringtrue-open-tree-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    copied(folder)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


def copied(folder: Path) -> Path:
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(TESTS.parent / "src" / "ringtrue", folder / "ringtrue", ignore=skip)
    shutil.copytree(TESTS / "support", folder / "support", ignore=skip)
    return folder


def ran(
    command: list[str],
    *,
    denied: str = "",
    nobody: bool = False,
    interpreter: str = sys.executable,
    tree: Path | None = None,
) -> list[dict[str, object]]:
    """The JSON lines of a script, run as a user and on a kernel like that."""
    prefix = NOBODY if nobody else []
    tree = tree or open_tree()
    lacking = [interpreter, str(tree / "support" / "lacking.py"), denied, "--"] if denied else []
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{tree}:{tree / 'support'}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
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


def test_without_isolation_it_runs_only_on_request_and_says_so() -> None:
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
        command = [
            str(open_tree() / "support" / "run_hostile.py"),
            str(tmp_path / "precious.txt"),
            str(bait.port),
            "long",
        ]
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


CODE = """
import json
from ringtrue.evaluators.code_execution import CodeExecution
row = {"test": "def check(c):\\n    assert c(1, 2) == 3", "entry_point": "add"}
for answer in ("def add(a, b):\\n    return a + b", "import random, csv\\ndef add(a, b):\\n    return a - b"):
    result = CodeExecution(packages=[]).evaluate(row, answer)
    print(json.dumps([result.score, result.metadata.get("isolation"), result.reason]))
"""


@pytest.mark.skipif(not is_root(), reason="needs root, whose folder nobody else may enter")
@pytest.mark.parametrize("denied", ["", str(UNSHARE)], ids=["with_namespaces", "without_namespaces"])
def test_it_works_for_root_in_a_folder_that_others_cannot_enter(denied: str) -> None:
    """As in most containers, where a checkout and often the interpreter lie in root's home of mode 0700."""
    with tempfile.TemporaryDirectory(prefix="ringtrue-closed-") as name:
        folder = Path(name)
        folder.chmod(0o700)
        right, wrong = ran(["-c", CODE], denied=denied, tree=copied(folder))
    assert (right[0], wrong[0]) == (1.0, 0.0), (right, wrong)
    assert ("namespaces)" in str(right[1])) == (not denied)
    assert ("no namespaces: [Errno 38]" in str(right[1])) == bool(denied), "it says why there are none"


FILL = """
import json
from ringtrue.sandbox import Limits, Sandbox
programs = {
    "at once": "import os\\nfor i in range(20): os.posix_fallocate(os.open(str(i), 66), 0, 3 << 20)",
    "many": "for i in range(40): open(str(i), 'wb').write(bytes(1 << 20))",
    "little": "open('f', 'wb').write(bytes(1 << 20))",
    "empty": "for i in range(9000): open(str(i), 'w').close()",
}
with Sandbox(workers=1) as box:
    for name, program in programs.items():
        done = box.run(program, limits=Limits(disk_bytes=8 << 20, file_bytes=4 << 20))
        print(json.dumps([name, done.status, done.reason]))
"""


@pytest.mark.parametrize("denied", ["", str(UNSHARE)], ids=["with_namespaces", "without_namespaces"])
def test_the_disk_limit_holds(denied: str) -> None:
    at_once, many, little, empty = ran(["-c", FILL], denied=denied)
    assert at_once[1] != "ok", at_once
    assert many[1] != "ok", many
    assert little[1] == "ok", little
    assert empty[1] != "ok", empty
    assert not denied or "entries" in empty[2], "it says that they are too many, and not only too large"


SUBMOUNT = """
import json
from ringtrue.sandbox import Sandbox
with Sandbox(workers=1) as box:
    for profile, program in (("program", "open('/usr/share/zoneinfo/x', 'w')"), ("shell", "echo 1 > /usr/share/man/x")):
        print(json.dumps([box.run(program, profile=profile).status]))
"""


@pytest.mark.skipif(not is_root() or not shutil.which("unshare"), reason="needs root, who may mount")
@pytest.mark.parametrize("nobody", [False, True], ids=["root", "nobody"])
def test_what_is_mounted_below_a_shown_path_is_read_only(interpreter: str, nobody: bool) -> None:
    mounts = "mount -t tmpfs -o mode=1777 none /usr/share/man && mount -t tmpfs -o mode=1777 none /usr/share/zoneinfo"
    user = NOBODY if nobody else []
    command = ["unshare", "--mount", "sh", "-c", f'{mounts} && exec "$@"', "sh", *user, interpreter, "-c", SUBMOUNT]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(open_tree()), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd="/", timeout=120)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)[0] for line in done.stdout.splitlines()] == ["failed", "failed"]
