"""`evaluate` wherever it is called: in loops, under loops, in threads, in itself."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ringtrue import aevaluate, evaluate
from ringtrue.evaluators import ExactMatch
from ringtrue.systems.openai_proxy import OpenAIProxy
from support.endpoint import EndpointServer

ROWS = [{"id": n, "question": f"q{n}", "answer": f"Q{n}"} for n in range(5)]


def shout(text: str) -> str:
    return text.upper()


def run(system: Any, store: str | None = None, rows: Any = ROWS, **options: Any) -> Any:
    return evaluate(system, rows, [ExactMatch()], progress=False, store=store, **options)


def test_inside_a_running_loop_as_in_a_notebook(server: EndpointServer, store: str) -> None:
    """A cell runs inside the notebook's loop: the call blocks it, leaves it alone, and may be repeated."""
    server.plan(answer="echo")

    async def cell() -> Any:
        proxy = OpenAIProxy(server.base_url, "m", "proxy")
        results = [run(proxy, store), run(shout, store), await aevaluate(shout, ROWS, [ExactMatch()], progress=False)]
        await asyncio.sleep(0)  # the notebook's own loop keeps running
        return results

    for _ in range(2):
        proxied, called, awaited = asyncio.run(cell())
        assert [row.response for row in proxied.rows] == [row["question"] for row in ROWS]
        assert called.details["shout"]["exact_match"].value == awaited.details["shout"]["exact_match"].value == 1.0


def test_several_at_once_in_one_loop(store: str) -> None:
    async def several() -> list[Any]:
        rows = [[{"question": f"q{part}"}] for part in range(4)]
        return await asyncio.gather(
            *(aevaluate(shout, part, [ExactMatch()], progress=False, store=store) for part in rows)
        )

    assert [result.rows[0].response for result in asyncio.run(several())] == ["Q0", "Q1", "Q2", "Q3"]


def test_from_two_threads_at_once(server: EndpointServer, store: str) -> None:
    """They meet in the middle of their runs, on one store, with one system object between them."""
    server.plan(latency_seconds=0.01)
    proxy = OpenAIProxy(server.base_url, "m", "proxy")
    meeting = threading.Barrier(2, timeout=60)

    def meets(text: str) -> str:
        meeting.wait()
        return text

    def work(number: int) -> Any:
        rows = [{"id": n, "question": f"[[{number}-{n}]]", "answer": f"{number}-{n}"} for n in range(20)]
        return run(meets, store, rows), run(proxy, store, rows)

    with ThreadPoolExecutor(2) as pool:
        for met, asked in pool.map(work, range(2)):
            assert len(met.rows) == 20
            assert asked.details["proxy"]["exact_match"].value == 1.0
    # The run that ends first gives up the connections they share, and breaks nothing that is under way on them.
    assert server.stats()["requests"] == 40


def test_one_plan_in_two_threads_is_worked_on_once_at_a_time(store: str) -> None:
    calls: list[str] = []

    def counts(text: str) -> str:
        calls.append(text)
        return text.upper()

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda _: run(counts, store), range(2)))
    assert [len(result.rows) for result in results] == [5, 5]
    assert len({result.config["run"] for result in results}) == 2, "the second one waited for the first"
    assert len(calls) == 10


def test_inside_a_system() -> None:
    def nested(text: str) -> str:
        return str(run(shout, None, [{"question": text}]).rows[0].response)

    assert run(nested).details["nested"]["exact_match"].value == 1.0


def test_a_blocking_call_in_our_own_loop_is_an_error_row_not_a_standstill() -> None:
    async def blocks(text: str) -> str:
        return str(run(shout, None, [{"question": text}]).rows[0].response)

    result = run(blocks)
    assert [row.status for row in result.rows] == ["system_error"] * 5
    assert "await it" in result.rows[0].metadata["problem"]


def test_a_proxy_outlives_the_loops_it_is_used_in(server: EndpointServer) -> None:
    server.plan(answer="echo")
    proxy = OpenAIProxy(server.base_url, "m", "proxy")
    for _ in range(2):
        result = asyncio.run(aevaluate(proxy, ROWS, [ExactMatch()], progress=False, store=None))
        assert [row.status for row in result.rows] == ["ok"] * 5
    assert proxy.process({"question": "hello"})["response"] == "hello"
    assert [row.status for row in run(proxy).rows] == ["ok"] * 5
