"""The ledger of jobs: every change is there for whoever opens the store next."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ringtrue.errors import ConfigurationError, StoreError
from ringtrue.store.database import Database
from ringtrue.store.jobs import JobLedger


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "jobs.db"


@pytest.fixture
def ledger(file: Path) -> Iterator[JobLedger]:
    with Database(str(file)) as database:
        yield JobLedger(database)


def ended(ledger: JobLedger, name: str, status: str, output: object = None, error: str = "") -> object:
    return ledger.ended(name, status, output=output, error=error, blocked_by=[])


def test_a_job_goes_through_its_states(ledger: JobLedger, file: Path) -> None:
    ledger.expect(["b", "a"])
    ledger.began("a", "d1")
    assert ended(ledger, "a", "failed", error="\ud800\0") is None
    ledger.began("a", "d2")
    assert ended(ledger, "a", "completed", {"pair": (1, 10**30)}) == {"pair": [1, 10**30]}
    with Database(str(file)) as other:
        found = JobLedger(other).kept()
    assert set(found) == {"a", "b"}
    job = found["a"]
    assert (job.status, job.digest, job.output, job.error, job.attempts) == (
        "completed",
        "d2",
        {"pair": [1, 10**30]},
        "",
        2,
    )
    assert job.started is not None
    assert job.ended is not None
    assert job.created <= job.started <= job.ended
    assert found["b"].status == "pending"
    assert found["b"].output is found["b"].started is None


def test_starting_anew_leaves_nothing_of_the_last_attempt(ledger: JobLedger) -> None:
    ledger.expect(["a"])
    ledger.ended("a", "blocked", output=1, error="why", blocked_by=["b"])
    ledger.began("a", "d")
    job = ledger.job("a")
    assert job is not None
    assert (job.status, job.output, job.error, job.blocked_by, job.ended) == ("running", None, "", (), None)


def test_what_is_expected_twice_stays(ledger: JobLedger) -> None:
    ledger.expect(["a"])
    ended(ledger, "a", "completed", 1)
    ledger.expect(["a", "b"])
    assert {name: job.status for name, job in ledger.kept().items()} == {"a": "completed", "b": "pending"}


def test_runs_do_not_see_one_another(ledger: JobLedger) -> None:
    other = JobLedger(ledger.database, "other")
    for one in (ledger, other):
        one.expect(["a"])
    ended(other, "a", "failed")
    assert ledger.kept("failed") == {}
    assert ledger.runs() == ["default", "other"]
    assert other.reset("failed") == 1
    assert other.reset("failed") == 0
    assert (other.forget("b"), other.forget("a"), ledger.forget()) == (0, 1, 1)
    assert ledger.runs() == []


def test_a_person_may_write(ledger: JobLedger) -> None:
    ledger.expect(["a"])
    ledger.began("a", "d")
    assert ledger.amend("a", "completed", output={"x": 1})
    job = ledger.job("a")
    assert job is not None
    assert (job.status, job.digest, job.output) == ("completed", "", {"x": 1})
    assert not ledger.amend("nobody", "completed")
    assert ledger.job("nobody") is None


@pytest.mark.parametrize("name", ["", "\0", "\udc80"], ids=["empty", "NUL", "surrogate"])
def test_names_that_no_store_holds_are_refused(ledger: JobLedger, name: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot name a run"):
        JobLedger(ledger.database, name)
    with pytest.raises(ConfigurationError, match="cannot name a job"):
        ledger.expect(["good", name])
    assert ledger.kept() == {}


def test_the_digest_tells_values_apart(ledger: JobLedger) -> None:
    assert ledger.digest({"a": 1, "b": 2}, None) == ledger.digest({"b": 2, "a": 1}, None)
    values = [(1,), ("1",), (1, None), ([1],), ({"1": 1},), (None,), ()]
    assert len({ledger.digest(*value) for value in values}) == len(values)


def test_one_holds_a_run_and_its_death_frees_it(ledger: JobLedger, file: Path) -> None:
    code = (
        "import asyncio, sys\nfrom ringtrue.store.database import Database\nfrom ringtrue.store.jobs import JobLedger\n"
        "async def main():\n    async with JobLedger(Database(sys.argv[1])).hold():\n"
        "        print('held', flush=True)\n        sys.stdin.read()\nasyncio.run(main())"
    )
    words = [sys.executable, "-c", code, str(file)]
    holder = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"

    async def held(run: str) -> None:
        async with JobLedger(ledger.database, run).hold():
            pass

    asyncio.run(held("other"))
    with pytest.raises(StoreError, match=r"'default' .* worked on by another process"):
        asyncio.run(held("default"))
    holder.kill()
    holder.communicate()
    asyncio.run(held("default"))


def test_many_processes_may_open_it_at_once(file: Path) -> None:
    code = (
        "import sys; from ringtrue.store.database import Database; from ringtrue.store.jobs import JobLedger\n"
        "with Database(sys.argv[1]) as database: JobLedger(database, sys.argv[2]).expect(['a'])"
    )
    workers = [
        subprocess.Popen([sys.executable, "-c", code, str(file), f"r{number}"], stderr=subprocess.PIPE)
        for number in range(4)
    ]
    for worker in workers:
        _, complained = worker.communicate()
        assert worker.returncode == 0, complained.decode()
    with Database(str(file)) as database:
        assert JobLedger(database).runs() == ["r0", "r1", "r2", "r3"]
