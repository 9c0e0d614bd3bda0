"""What a store promises, on a file and on a PostgreSQL server alike."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import update

from ringtrue import evaluate, rescore
from ringtrue.api.runs import open_run
from ringtrue.errors import StoreError
from ringtrue.reports.eval_result import EvalResult
from ringtrue.store import schema
from ringtrue.store.database import Database, StoredRun
from ringtrue.store.pruning import Pruning
from support.command import ringtrue
from support.endpoint import EndpointServer
from support.killed import check_kills, start
from support.postgres import PostgresServer


def test_runs_are_kept_newest_first(store: str) -> None:
    with Database(store) as database:
        for number, name in enumerate(["one", "two"]):
            database.start(StoredRun(name, "d", "running", "", float(number), None, {"systems": ["s"]}))
        assert [run.id for run in database.runs()] == ["two", "one"]
        database.end("two", "finished")
        found = database.unfinished_run("d")
        assert found is not None
        assert (found.id, found.config) == ("one", {"systems": ["s"]})
    with Database(store) as database:
        assert [run.status for run in database.runs()] == ["finished", "running"]


def test_writing_is_committed_when_the_wait_is_over(store: str) -> None:
    async def write(database: Database) -> None:
        rows = [{"key": str(n), "output": "{}", "created": 0.0} for n in range(1_000)]
        await asyncio.gather(*(database.writer.write((schema.answers, row)) for row in rows))
        with Database(store) as other:  # another connection sees it before this one closes
            assert len(other.outputs([row["key"] for row in rows])) == 1_000

    with Database(store) as database:
        asyncio.run(write(database))
        assert len(database.outputs([str(n) for n in range(2_000)])) == 1_000


def test_the_first_answer_stays_and_a_success_replaces_a_failure(store: str) -> None:
    async def write(database: Database) -> None:
        for text in ("first", "second"):
            await database.writer.write((schema.answers, {"key": "k", "output": text, "created": 0.0}))
        row = {"run": "r", "system": "s", "position": 0, "repeat": 0, "answer_key": "k", "case_digest": "c"}
        await database.writer.write((schema.rows, {**row, "failure": "boom"}))
        await database.writer.write((schema.rows, {**row, "failure": None}))

    with Database(store) as database:
        database.keep_cases([("c", "{}"), ("c", "{}")])
        asyncio.run(write(database))
        assert {key: text for key, (text, *_) in database.outputs(["k"]).items()} == {"k": "first"}
        assert [row["failure"] for row in database.rows("r")] == [None]
        assert database.row_counts() == {"r": (1, 0)}


def test_a_newer_store_is_refused(store: str) -> None:
    with Database(store) as database, database.writing() as connection:
        connection.execute(update(schema.facts).values(value="99"))
    with pytest.raises(StoreError, match="newer ringtrue"):
        Database(store)


def test_a_run_is_kept_shown_and_scored_again(store: str) -> None:
    calls: list[str] = []

    def code(text: str) -> str:
        calls.append(text)
        if text == "q2":
            raise ValueError("no")
        return text.upper() + "\x00\ud800"

    rows = [{"id": n, "question": f"q{n}", "answer": f"Q{n}"} for n in range(4)]
    first = evaluate(code, rows, store=store, progress=False)
    shown = EvalResult(open_run("last", store))
    assert [row.response for row in shown.rows] == [row.response for row in first.rows]
    assert shown.details == first.details
    again = EvalResult(rescore("last", ["contains(['Q'])"], store=store))
    summary = again.details["code"]["contains"]
    assert (summary.value, summary.n, summary.errors) == (1.0, 3, 1)
    assert len(calls) == 4


def test_a_plan_is_worked_on_once_at_a_time(store: str) -> None:
    with Database(store) as one, Database(store) as two:
        lease = one.lease("0123456789abcdef" * 4)
        assert lease.acquire()
        assert lease.acquire(), "it is held already"
        assert not two.lease("0123456789abcdef" * 4).free()
        assert two.lease("f123456789abcdef" * 4).free()
        lease.release()
        assert two.lease("0123456789abcdef" * 4).free()


def test_two_processes_with_one_plan_do_the_work_once(server: EndpointServer, store: str) -> None:
    server.plan(latency_seconds=1.0)
    first = start(server, store, 40, 4)
    while server.stats()["answered"] < 4:
        time.sleep(0.02)
    server.plan(latency_seconds=600.0)  # so that the first is still at work, however slowly the second starts
    _, complained = start(server, store, 40, 4).communicate()
    assert f"is being worked on by {socket.gethostname()}:{first.pid};" in complained
    first.send_signal(signal.SIGKILL)
    first.communicate()
    server.plan()
    said, complained = start(server, store, 40, 40).communicate()
    assert said.split()[1:] == ["40", "1.0"], complained
    assert server.stats()["requests"] <= 40 - 4


def test_killed_twice(server: EndpointServer, store: str) -> None:
    check_kills(server, store, count=100, in_flight=6, kills=2, seed=3)


@pytest.mark.heavy
def test_killed_ten_times(server: EndpointServer, store: str) -> None:
    check_kills(server, store, count=1_000, in_flight=30, kills=10, seed=4)


def test_a_fresh_store_opened_by_many_processes_at_once(store: str) -> None:
    code = "import sys; from ringtrue.store.database import Database; Database(sys.argv[1]).close()"
    workers = [subprocess.Popen([sys.executable, "-c", code, store], stderr=subprocess.PIPE) for _ in range(6)]
    for worker in workers:
        _, complained = worker.communicate()
        assert worker.returncode == 0, complained.decode()


ROWS = [{"id": n, "question": f"q{n % 5}", "answer": f"Q{n % 5}"} for n in range(12)]


def test_rows_are_read_in_order_however_many_there_are(store: str) -> None:
    rows = [{"id": n, "question": f"q{n}", "answer": f"Q{n}"} for n in range(501)]
    evaluate(str.upper, rows, ["exact_match"], store=store, progress=False, repeats=2)
    found = [(row.system, row.position, row.repeat) for row in open_run("last", store).rows]
    wanted = [("upper", n, repeat) for n in range(501) for repeat in (0, 1)]
    assert found == wanted
    assert len(open_run("last", store).rows) == len(wanted)


def test_several_processes_run_at_once_in_one_store(store: str) -> None:
    code = """
import sys
from ringtrue import evaluate
rows = [{"id": n, "question": f"{sys.argv[2]} {n}", "answer": "A"} for n in range(60)]
evaluate(str.upper, rows, ["exact_match"], store=sys.argv[1], progress=False, name=sys.argv[2])
"""
    workers = [subprocess.Popen([sys.executable, "-c", code, store, name], stderr=subprocess.PIPE) for name in "abcd"]
    complaints = [worker.communicate()[1].decode() for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * 4, complaints
    with Database(store) as database:
        assert sorted(run.name or "" for run in database.runs()) == [*"abcd"]
        assert {count for count, _ in database.row_counts().values()} == {60}


def test_a_copy_is_a_run_like_its_original_both_ways(store: str, postgres: PostgresServer, tmp_path: Path) -> None:
    evaluate(str.upper, ROWS, ["exact_match"], store=store, progress=False, name="first")
    rescore("last", ["contains(['Q'])"], store=store, progress=False)
    there, back = postgres.create(f"copy_of_{store.partition(':')[0]}"), f"sqlite:///{tmp_path / 'back.db'}"
    assert "2 runs" in ringtrue("store", "copy", store, there).stdout
    ringtrue("store", "copy", there, back)
    assert "nothing new" in ringtrue("store", "copy", there, back).stdout
    with Database(store) as kept:
        names = [run.id for run in kept.runs()]
    for name in names:
        one, other = open_run(name, store), open_run(name, back)
        assert list(one.rows) == list(other.rows)
        assert (one.summaries, one.made, one.status) == (other.summaries, other.made, other.status)


def test_pruning_keeps_what_other_runs_need_and_says_what_it_frees(store: str) -> None:
    for number in range(4):
        rows = [{"id": n, "question": f"run {number} q{n}", "answer": "x"} for n in range(5)]
        evaluate(str.upper, rows, ["exact_match"], store=store, progress=False, name=f"run {number}")
    with Database(store) as database:
        first, second = [run.id for run in database.runs()][::-1][:2]
    again = rescore(first, ["contains(['Q'])"], store=store, progress=False)
    before = list(open_run(again.id, store).rows)
    asked = ringtrue("store", "prune", "--keep", "2", "--store", store, data="n\n", check=130)
    assert "Delete 2 runs, 10 rows, 10 answers, 10 scores, 10 cases" in asked.stderr
    assert asked.stderr.endswith("ringtrue: nothing was deleted; --yes deletes without asking\n")
    said = ringtrue("store", "prune", "--keep", "2", "--yes", "--store", store)
    assert "not deleted: 1 old run, from whose answers newer runs were scored" in said.stderr
    assert said.stdout.startswith("deleted 2 runs, 10 rows, 10 answers, 10 scores, 10 cases;")
    with Database(store) as database:
        left = [run.id for run in database.runs()]
        assert first in left
        assert second not in left
        assert len(left) == 3
    assert list(open_run(again.id, store).rows) == before
    assert len(open_run(first, store).rows) == 5
    assert "nothing to prune" in ringtrue("store", "prune", "--older-than", "1", "--store", store).stdout
    ringtrue("store", "prune", "--store", store, check=64)


def test_a_run_that_begins_while_old_ones_are_pruned_loses_nothing(store: str) -> None:
    """What goes was chosen before the run began; its cases were kept, and no row referred to them yet."""
    rows = [{"id": n, "question": f"q{n}", "answer": "x"} for n in range(20)]
    old = evaluate(str.upper, rows[:10], ["exact_match"], store=store, progress=False).run
    with Database(store) as database:
        chosen = Pruning.of(database, keep=0)

        def answer(question: str) -> str:
            if question == "q0":
                assert set(chosen.apply(database)) == {"runs", "rows", "replies"}
            return question

        found = evaluate(answer, rows, ["exact_match"], store=store, progress=False).run
        assert [run.id for run in database.runs()] == [found.id]
        assert [row.trial.case.input for row in open_run(found.id, store).rows] == [row["question"] for row in rows]
        assert old.id in {run.id for run in chosen.runs}
        left = Pruning.of(database, keep=0).apply(database)
        assert (left["answers"][0], left["cases"][0]) == (30, 20), "the next time takes what had to stay"


def test_a_killed_run_is_pruned_like_any_other(store: str) -> None:
    """It says for ever that it is running; without a process it must not keep the answers of all others."""
    rows = [{"id": n, "question": f"q{n}", "answer": "x"} for n in range(5)]
    killed = evaluate(str.upper, rows, ["exact_match"], store=store, progress=False).run
    with Database(store) as database:
        with database.writing() as connection:
            connection.execute(update(schema.runs).values(status="running"))
        lease = database.lease(database.runs()[0].digest)
        assert lease.acquire()
        assert Pruning.of(database, keep=0).runs == (), "someone is at work on it"
        lease.release()
        chosen = Pruning.of(database, keep=0)
        assert [run.id for run in chosen.runs] == [killed.id]
        assert {name: count for name, (count, _) in chosen.apply(database).items()} == {
            "runs": 1, "rows": 5, "answers": 5, "scores": 5, "cases": 5, "replies": 0,
        }  # fmt: skip


def test_a_run_waits_for_a_pruning_that_is_under_way(store: str) -> None:
    with Database(store) as database:
        lease = database.sole_lease()
        assert lease.acquire()
        assert not database.shared_lease().free()
        lease.release()
        workers = [database.shared_lease() for _ in range(3)]
        assert all(one.acquire() for one in workers)
        for one in workers:
            assert not database.sole_lease().free()
            one.release()
        assert database.sole_lease().free()
