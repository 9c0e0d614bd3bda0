"""`kill -9`, full disks and company: finished work stays, and is not done again."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ringtrue import evaluate
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import ExactMatch
from ringtrue.store.database import Database
from support.endpoint import EndpointServer
from support.killed import check_kills, start


def test_killed_three_times(server: EndpointServer, store: str) -> None:
    check_kills(server, store, count=120, in_flight=6, kills=3, seed=1)


@pytest.mark.heavy
def test_killed_twenty_times_in_a_row(server: EndpointServer, store: str) -> None:
    check_kills(server, store, count=2_000, in_flight=50, kills=20, seed=2)


def test_two_processes_with_one_plan_do_the_work_once(server: EndpointServer, store: str) -> None:
    """One of them learns which process is at work; after that one is killed, the run resumes where it stopped."""
    server.plan(latency_seconds=1.0)
    pair = [start(server, store, 40, 4) for _ in range(2)]
    while all(process.poll() is None for process in pair):
        time.sleep(0.02)
    loser = next(process for process in pair if process.poll() is not None)
    winner = next(process for process in pair if process is not loser)
    _, complained = loser.communicate()
    assert loser.returncode == 1
    assert f"is being worked on by {socket.gethostname()}:{winner.pid};" in complained
    winner.send_signal(signal.SIGKILL)
    winner.communicate()
    said, complained = start(server, store, 40, 40).communicate()
    assert said.split()[1:] == ["40", "1.0"], complained
    assert server.stats()["requests"] <= 40 + 4
    with Database(store) as database:
        assert len(database.runs()) == 1


def test_two_plans_share_a_store(server: EndpointServer, store: str) -> None:
    server.plan(latency_seconds=0.01)
    pair = [start(server, store, count, 8) for count in (60, 61)]
    for process, count in zip(pair, (60, 61), strict=True):
        said, complained = process.communicate()
        assert said.split()[1:] == [str(count), "1.0"], complained


def test_a_fresh_store_opened_by_many_processes_at_once(tmp_path: Path) -> None:
    code = "import sys; from ringtrue.store.database import Database; Database(sys.argv[1]).close()"
    for attempt in range(2):
        url = str(tmp_path / str(attempt) / "r.db")
        workers = [subprocess.Popen([sys.executable, "-c", code, url], stderr=subprocess.PIPE) for _ in range(5)]
        for worker in workers:
            _, complained = worker.communicate()
            assert worker.returncode == 0, complained.decode()


SMALL_DISK = """
import resource, sys
from ringtrue import evaluate
from ringtrue.errors import StoreError
from ringtrue.evaluators import Contains

def long_answer(text):
    return text + "x" * 20_000

rows = [{"id": n, "question": f"q{n}", "answer": f"q{n}"} for n in range(100)]
limit = int(sys.argv[2])
if limit:  # no file may become larger: what a full disk looks like to SQLite
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
try:
    result = evaluate(long_answer, rows, [Contains(["q"])], store=sys.argv[1], progress=False)
    print("finished", len(result.rows), sum(row.status == "ok" for row in result.rows))
except StoreError as error:
    print("store error:", error)
"""


def test_a_full_disk_ends_the_run_with_a_reason_and_loses_nothing(tmp_path: Path, store: str) -> None:
    def run(limit: int) -> str:
        words = [sys.executable, "-c", SMALL_DISK, store, str(limit)]
        return subprocess.run(words, capture_output=True, text=True, check=True, timeout=120).stdout

    assert run(600_000).startswith("store error: cannot write to the store: ")
    with Database(store) as database:
        (first,) = database.runs()
        kept = len(database.rows(first.id))
        assert 0 < kept < 100
    assert run(0) == "finished 100 100\n"
    with Database(store) as database:
        assert [run.id for run in database.runs()] == [first.id]
        assert len(database.rows(first.id)) == 100


def test_a_changed_plan_does_not_go_on_with_a_named_run(store: str) -> None:
    def refuses(text: str) -> str:
        raise KeyboardInterrupt if text == "never" else ValueError

    first = evaluate(refuses, [{"question": "a"}], [ExactMatch()], store=store, progress=False, max_errors=0)
    assert first.config["status"] == "stopped"
    with pytest.raises(ConfigurationError, match="have changed since"):
        evaluate(refuses, [{"question": "b"}], [ExactMatch()], store=store, progress=False, resume=first.config["run"])
    with pytest.raises(ConfigurationError, match="there is no run 'zzz'"):
        evaluate(refuses, [{"question": "a"}], [ExactMatch()], store=store, progress=False, resume="zzz")
    again = evaluate(refuses, [{"question": "a"}], [ExactMatch()], store=store, progress=False)
    assert again.config["run"] == first.config["run"]
    fresh = evaluate(refuses, [{"question": "a"}], [ExactMatch()], store=store, progress=False, fresh=True)
    assert fresh.config["run"] != first.config["run"]
