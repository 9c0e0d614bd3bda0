"""CodeExecution against plain Python: programs of known verdict in every set-up that users have.

    python benchmarks/code_conformance.py [--data FOLDER] [--python PATH …] [--setup NAME …] [--tasks N] [--work FOLDER]

The programs are published solutions, mutants of them, objects that agree with everything and empty programs, in the
shapes of HumanEval, MBPP, HumanEval+, MBPP+ and LiveCodeBench; plain Python says which of them pass. FOLDER holds
`humaneval/` and `mbpp/` as published; without it the tasks of the golden file are used. Each interpreter gets a
virtual environment, and each set-up is made here: root, a plain user, and both on a kernel without namespaces. Making
them needs root; without it only `here` runs. A part of the programs is judged once more, one after the other: load must
not change a verdict. The exit code is 1 where a verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests")]

SETUPS = ("root", "user", "root, no namespaces", "user, no namespaces")
NOBODY = 65534
UNSHARE = 272
"""The number of the system call on x86_64, the one machine on which it can be denied here."""

ALONE = 40
"""Of this many programs one is judged once more, alone."""

OPEN_DOOR = """
set -e
mount --bind "$2" "$1"
mount -t tmpfs -o mode=0755 none "$3"
mkdir -p "$2"
mount --bind "$1" "$2"
shift 3
exec "$@"
"""
"""Makes a folder below a closed one reachable for all users, in a mount namespace of its own."""


def prepare(path: Path, data: str, most: int) -> None:
    """Write the programs and what this interpreter says of them."""
    from support.conformance.programs import write_programs
    from support.conformance.tasks import golden_tasks, published_tasks

    tasks = list(published_tasks(Path(data)) if data else golden_tasks())
    step = max(1, len(tasks) // most) if most else 1
    print(json.dumps(write_programs(tasks[::step], path)))


def judge(path: Path) -> None:
    """Judge the programs as this user, on this kernel, with this interpreter; print one line of JSON."""
    from ringtrue.dialects.dicts import trial_of
    from ringtrue.evaluators.code_execution import CodeExecution
    from support.conformance.programs import read_programs

    programs = read_programs(path)
    trials = [trial_of(item["row"], {"response": item["answer"]}) for item in programs]
    evaluator = CodeExecution(timeout=10.0)
    started = time.monotonic()
    scores = evaluator.measure_many(trials)
    seconds = time.monotonic() - started
    wrong = [
        {"name": item["name"], "truth": item["truth"], "score": score.value, "reason": score.reason[:300]}
        for item, score in zip(programs, scores, strict=True)
        if score.value != float(item["truth"])
    ]
    alone = [evaluator.measure(trial) for trial in trials[::ALONE]]
    moved = [
        {"name": item["name"], "together": together.value, "alone": one.value, "reason": one.reason[:300]}
        for item, together, one in zip(programs[::ALONE], scores[::ALONE], alone, strict=True)
        if together.value != one.value
    ]
    in_process = sum(score.metadata.get("verdict") == "in_process" for score in scores)
    print(
        json.dumps(
            {
                "judged": len(scores),
                "in process": in_process,
                "alone": len(alone),
                "seconds": round(seconds),
                "isolation": str(scores[0].metadata.get("isolation")),
                "wrong": wrong,
                "moved": moved,
            }
        )
    )


class Interpreter:
    """An interpreter with what ringtrue needs, and a copy of ringtrue that every user may read."""

    def __init__(self, python: str, work: Path) -> None:
        self.python = python
        self.version = _printed([python, "-c", "import platform; print(platform.python_version())"])
        self.prefix = Path(_printed([python, "-c", "import sys; print(sys.base_prefix)"]))
        self.home = work / self.version
        self.tree = work / "tree"
        self.programs = work / f"programs-{self.version}.jsonl"
        self._install()

    def _install(self) -> None:
        done = self.home / ".installed"
        if not done.exists():
            print(f"installing ringtrue and numpy for Python {self.version}", file=sys.stderr)
            subprocess.run([self.python, "-m", "venv", "--clear", self.home], check=True)
            subprocess.run([self.home / "bin" / "pip", "install", "--quiet", ROOT, "numpy"], check=True)
            done.touch()

    def run(self, setup: str, *arguments: str) -> Any:
        """What this script prints in a set-up."""
        command = [str(self.home / "bin" / "python"), str(self.tree / "benchmarks" / Path(__file__).name), *arguments]
        if "no namespaces" in setup:
            lacking = [command[0], str(self.tree / "tests" / "support" / "lacking.py"), str(UNSHARE), "--"]
            command = [*lacking, *command]
        if "user" in setup:
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
            command = [*self._opened(), *command]
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{self.tree / 'src'}", "PYTHONDONTWRITEBYTECODE": "1"}
        environment["PYTHONHASHSEED"] = "0"  # a worker's: some solutions print sets
        return json.loads(_printed(command, env=environment, cwd="/"))

    def _opened(self) -> list[str]:
        closed = [folder for folder in self.prefix.parents if not folder.stat().st_mode & 0o001]
        if not closed:
            return []
        stash = self.home / "stash"
        stash.mkdir(exist_ok=True)
        return ["unshare", "--mount", "sh", "-c", OPEN_DOOR, "sh", str(stash), str(self.prefix), str(closed[-1])]


def copy_tree(work: Path) -> None:
    """A copy of what is needed of this checkout, which may lie where others cannot look."""
    skip = shutil.ignore_patterns("__pycache__")
    shutil.rmtree(work / "tree", ignore_errors=True)
    for part in ("src/ringtrue", "tests/support"):
        shutil.copytree(ROOT / part, work / "tree" / part, ignore=skip)
    for part in ("benchmarks/code_conformance.py", "tests/golden/code_functional.jsonl"):
        (work / "tree" / part).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / part, work / "tree" / part)


def run_matrix(given: argparse.Namespace, work: Path) -> int:
    """All set-ups of all interpreters, a line of a table each, wrong verdicts below."""
    work.mkdir(exist_ok=True)
    work.chmod(0o755)
    copy_tree(work)
    able = os.getuid() == 0 and platform.machine() == "x86_64"
    setups = given.setup or (SETUPS if able else ("here",))
    faults: list[str] = []
    print("| Python | set-up | judged | right | wrong | in process | wrong verdicts | moved by load | seconds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for python in given.python or [sys.executable]:
        interpreter = Interpreter(python, work)
        counts = interpreter.run(
            "here", "--prepare", str(interpreter.programs), "--data", given.data, "--tasks", str(given.tasks)
        )
        for setup in setups:
            found = interpreter.run(setup, "--judge", str(interpreter.programs))
            cells = [interpreter.version, setup, found["judged"], counts["right"], counts["wrong"], found["in process"]]
            cells += [len(found["wrong"]), f"{len(found['moved'])} of {found['alone']}", found["seconds"]]
            print("| " + " | ".join(map(str, cells)) + " |", flush=True)
            print(f"{interpreter.version} {setup}: {found['isolation']}", file=sys.stderr)
            faults += [
                json.dumps({"python": interpreter.version, "setup": setup, **item})
                for item in (*found["wrong"], *found["moved"])
            ]
    print("\n".join(faults))
    return int(bool(faults))


def _printed(command: list[Any], **settings: Any) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, **settings)
    return done.stdout.strip()


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", default=os.environ.get("RINGTRUE_BENCHMARKS", ""), help="folder with humaneval/, mbpp/"
    )
    parser.add_argument("--python", action="append", help="an interpreter; may be repeated (default: this one)")
    parser.add_argument("--setup", action="append", choices=(*SETUPS, "here"), help="may be repeated (default: all)")
    parser.add_argument("--tasks", type=int, default=0, help="how many tasks (default: all)")
    parser.add_argument("--work", type=Path, help="where environments are kept (default: a temporary folder)")
    parser.add_argument("--prepare", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--judge", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.data = given.data and os.path.abspath(given.data)  # it is read from another directory
    if given.prepare:
        prepare(given.prepare, given.data, given.tasks)
    elif given.judge:
        judge(given.judge)
    elif given.work:
        return run_matrix(given, given.work.absolute())
    else:
        with tempfile.TemporaryDirectory(prefix="ringtrue-conformance-") as work:
            return run_matrix(given, Path(work))
    return 0


if __name__ == "__main__":
    sys.exit(main())
