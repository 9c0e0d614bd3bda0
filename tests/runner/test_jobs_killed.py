"""`kill -9` at any moment of a job graph: what was told is kept and not done again, and the run goes on."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from ringtrue.store.database import Database
from ringtrue.store.jobs import JobLedger

PROGRAM = """
import asyncio, os, signal, sys
from ringtrue.runner.jobs import Job, run_jobs
from ringtrue.store.database import Database
from ringtrue.store.jobs import JobLedger

store, moment = sys.argv[1], sys.argv[2]

def say(*words):
    line = " ".join(words)
    os.write(1, (line + chr(10)).encode())
    if line == moment:
        os.kill(os.getpid(), signal.SIGKILL)

def job(name, **settings):
    def work(given):
        say("begin", name)
        total = sum(end.output for end in given.values()) + 1
        say("worked", name)
        return total
    return Job(name, work, **settings)

layers = [[f"{layer}.{number}" for number in range(3)] for layer in range(4)]
jobs = [job(name, needs=layers[at - 1] if at else ()) for at, layer in enumerate(layers) for name in layer]
jobs.append(job("sum", waits_for=[one.id for one in jobs]))
with Database(store) as database:
    say("opened", "it")
    told = lambda name, end: say("reused" if end.reused else "told", name)
    ends = asyncio.run(run_jobs(jobs, JobLedger(database), at_once=3, on_end=told))
    say("total", str(ends["sum"].output))
"""

TOTAL = f"total {3 * (1 + 4 + 13 + 40) + 1}"


def start(store: Path, moment: str = "") -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", PROGRAM, str(store), moment], stdout=subprocess.PIPE, text=True)


def statuses(store: Path) -> Counter[str]:
    with Database(str(store)) as database:
        return Counter(job.status for job in JobLedger(database).kept().values())


@pytest.mark.parametrize("moment", ["opened it", "begin 0.0", "worked 1.2", "told 2.1", "worked sum", "told sum"])
def test_killed_at_a_moment(tmp_path: Path, moment: str) -> None:
    store = tmp_path / "jobs.db"
    killed = start(store, moment)
    lines = killed.communicate()[0].splitlines()
    assert killed.returncode == -signal.SIGKILL
    assert moment in lines
    kept = statuses(store)
    told = {line.split()[1] for line in lines if line.startswith("told")}
    assert len(told) <= kept["completed"] <= 13
    assert kept["running"] <= 3
    again = start(store).communicate()[0].splitlines()
    begun = {line.split()[1] for line in again if line.startswith("begin")}
    assert not begun & told
    assert len(begun) == 13 - kept["completed"]
    assert again[-1] == TOTAL
    assert statuses(store) == {"completed": 13}


def test_killed_again_and_again_from_outside(tmp_path: Path) -> None:
    """The parent kills after a random number of lines, wherever the child is by then."""
    store, chance = tmp_path / "jobs.db", random.Random(7)
    told: set[str] = set()
    for _ in range(4):
        child = start(store)
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(chance.randrange(2, 14))]
        child.send_signal(signal.SIGKILL)
        lines += child.communicate()[0].splitlines()
        words = [line.split() for line in lines if line.strip()]
        assert not told & {name for verb, name in words if verb == "begin"}, "what was told is done again"
        told |= {name for verb, name in words if verb == "told"}
        assert len(told) <= statuses(store)["completed"]
    assert start(store).communicate()[0].splitlines()[-1] == TOTAL
    assert statuses(store) == {"completed": 13}
