"""A run in a process of its own that is killed, again and again, and what its store and its endpoint say each time."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import time

from sqlalchemy import select

from ringtrue.store import schema
from ringtrue.store.database import Database
from support.endpoint import EndpointServer

PROGRAM = """
import sys
from ringtrue import evaluate
from ringtrue.evaluators import ExactMatch
from ringtrue.systems.openai_proxy import OpenAIProxy

url, store, count, in_flight = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
rows = [{"id": n, "question": f"Say [[city {n}]] please.", "answer": f"city {n}"} for n in range(count)]
system = OpenAIProxy(url, "m", "proxy", max_in_flight=in_flight, timeout=10.0)
result = evaluate(system, rows, [ExactMatch()], max_workers=in_flight, store=store, progress=False)
print(result.config["run"], len(result.rows), result.details["proxy"]["exact_match"].value)
"""


def start(server: EndpointServer, store: str, count: int, in_flight: int) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", PROGRAM, server.base_url, store, str(count), str(in_flight)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def committed(store: str) -> tuple[set[str], int]:
    """The questions whose answers are in the store, and how many rows are."""
    with Database(store) as database, database.engine.connect() as connection:
        texts = [text for (text,) in connection.execute(select(schema.answers.c.output))]
        rows = connection.execute(select(schema.rows.c.position)).all()
    return {f"Say [[{re.search('city [0-9]+', text)[0]}]] please." for text in texts}, len(rows)  # type: ignore[index]


def check_kills(server: EndpointServer, store: str, *, count: int, in_flight: int, kills: int, seed: int) -> None:
    """Kill a run at random moments; nothing is lost, nothing that is committed is asked again, and little else is."""
    chance = random.Random(seed)
    server.plan(latency_seconds=0.02)
    kept: set[str] = set()
    rows = asked_before = 0
    for kill in range(kills):
        process = start(server, store, count, in_flight)
        wanted = asked_before + chance.randrange(0, max(1, count // kills))
        while server.stats()["requests"] < wanted and process.poll() is None:
            time.sleep(0.005)
        time.sleep(chance.uniform(0.0, 0.04))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        log = [entry["content"] for entry in server.stats()["log"]]
        new = set(log[asked_before:])
        assert not new & kept, f"kill {kill}: what was committed is asked again"
        answers, stored = committed(store)
        assert kept <= answers, f"kill {kill}: committed answers are gone"
        assert stored >= rows, f"kill {kill}: rows are gone"
        assert len(set(log) - answers) <= in_flight, f"kill {kill}: more than what was in flight has to be asked again"
        kept, rows, asked_before = answers, stored, len(log)
    said, complained = start(server, store, count, in_flight).communicate()
    assert said.split()[1:] == [str(count), "1.0"], complained
    assert not {entry["content"] for entry in server.stats()["log"][asked_before:]} & kept
    assert len(server.asked()) == count
    assert server.stats()["requests"] <= count + kills * in_flight
    with Database(store) as database:
        assert [(run.id, run.status) for run in database.runs()] == [(said.split()[0], "finished")]
        assert [row["position"] for row in database.rows(said.split()[0])] == list(range(count))
