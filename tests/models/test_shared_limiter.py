"""Objects at one address with one key are one load: they find out together how much the endpoint bears."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.errors import ModelError
from ringtrue.evaluators import LLMJudge
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.client.retries import RetryPolicy
from ringtrue.models.client.shared_limiter import SharedLimiter
from ringtrue.systems.openai_proxy import OpenAIProxy
from support.endpoint import EndpointServer

HERE = "http://127.0.0.1:1/v1"
KEYS = (f"sk-{number}" for number in count())


def pair(**settings: Any) -> tuple[SharedLimiter, SharedLimiter]:
    key = next(KEYS)
    return SharedLimiter(HERE, key, **settings), SharedLimiter(HERE, key, **settings)


async def taken(limiter: SharedLimiter, number: int) -> list[float]:
    return [await asyncio.wait_for(limiter.acquire(), 5) for _ in range(number)]


def test_places_are_counted_together() -> None:
    async def main() -> None:
        one, other = pair(maximum=64)
        places = [(one, place) for place in await taken(one, 10)] + [(other, place) for place in await taken(other, 6)]
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(other.acquire(), 0.05)
        assert (one.in_flight, other.in_flight) == (10, 6)
        for limiter, place in places:
            limiter.release(place)
        assert (one.in_flight, other.in_flight) == (0, 0)
        await taken(other, 16)

    asyncio.run(main())


def test_what_one_learns_all_heed() -> None:
    async def main() -> None:
        one, other = pair()
        (place,) = await taken(one, 1)
        one.release(place, "refused", 3600)
        with pytest.raises(ModelError, match="3600 s"):
            await other.acquire(patience_seconds=1)
        assert other.in_flight == 0

    asyncio.run(main())


def test_each_keeps_its_own_maximum_and_a_wider_one_is_not_held_by_a_narrower() -> None:
    async def main() -> None:
        key = next(KEYS)
        narrow, wide = SharedLimiter(HERE, key, maximum=2), SharedLimiter(HERE, key, maximum=40)
        await taken(narrow, 2)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(narrow.acquire(), 0.05)
        waiting = [asyncio.create_task(wide.acquire()) for _ in range(40)]
        for _ in range(60):
            await asyncio.sleep(0)
            for task in [task for task in waiting if task.done()]:
                waiting.remove(task)
                wide.release(task.result(), "answered")
        assert not waiting
        assert wide.limit > 16 >= narrow.limit == 2

    asyncio.run(main())


@pytest.mark.parametrize(
    "elsewhere",
    [lambda key: SharedLimiter("http://127.0.0.1:2/v1", key), lambda key: SharedLimiter(HERE, f"{key}x")],
    ids=["another address", "another key"],
)
def test_others_are_not_bounded(elsewhere: Any) -> None:
    async def main() -> None:
        key = next(KEYS)
        here, there = SharedLimiter(HERE, key), elsewhere(key)
        (place,) = await taken(here, 1)
        here.release(place, "refused", 3600)
        await taken(there, 1)

    asyncio.run(main())


def test_what_was_learned_is_forgotten_when_the_last_has_left() -> None:
    async def main() -> None:
        one, other = pair()
        (place,) = await taken(one, 1)
        one.release(place, "refused", 3600)
        one.leave()
        with pytest.raises(ModelError) as kept:
            await one.acquire(patience_seconds=1)
        one.leave()
        other.leave()
        await taken(one, 1)
        del kept  # its frames hold the limiter that was left
        one.leave()
        assert one.in_flight == 1, "a request is under way: its place is given back where it was taken"
        one.release(0.0)

    asyncio.run(main())


def test_no_key_is_kept() -> None:
    limiter = SharedLimiter(HERE, "sk-very-secret")
    assert "sk-very-secret" not in repr(vars(limiter))


def test_spellings_of_one_address_are_one() -> None:
    one, other = Endpoint("http://127.0.0.1:1", "k"), Endpoint("HTTP://127.0.0.1:1/v1/", "k")
    assert isinstance(one.limiter, SharedLimiter)
    assert isinstance(other.limiter, SharedLimiter)
    assert one.limiter._common is other.limiter._common


BEARS = 6


def test_two_endpoints_stay_together_below_what_the_server_bears(server: EndpointServer) -> None:
    """Apart, each would be sure of as many as the server bears, and every second request would be refused."""
    server.plan(capacity=BEARS, latency_seconds=0.03, retry_after=None)
    retries = RetryPolicy(20, base_seconds=0.02, seed=0)

    async def main() -> None:
        made = [Endpoint(server.base_url, "k", retries=retries, deadline_seconds=60) for _ in range(2)]
        one = [made[0].request("m", [{"role": "user", "content": f"one {number}"}]) for number in range(60)]
        two = [made[1].request("m", [{"role": "user", "content": f"two {number}"}]) for number in range(60)]
        try:
            await asyncio.gather(*map(made[0].ask, one), *map(made[1].ask, two))
        finally:
            for endpoint in made:
                await endpoint.close()

    asyncio.run(main())
    stats = server.stats()
    assert stats["answered"] == 120
    late = stats["log"][len(stats["log"]) // 2 :]
    assert sum(entry["fault"] == "429" for entry in late) < len(late) / 4


def test_a_system_and_its_judges_at_one_address_are_one_load(server: EndpointServer) -> None:
    """Apart they are refused about 120 times here, together about 30: one halving does for all."""
    server.plan(capacity=BEARS, latency_seconds=0.03, retry_after=None, answer="echo")
    system = OpenAIProxy(server.base_url, "m", "proxy", "k", max_retries=20, retry_base_delay=0.02)
    judges = [LLMJudge(server.base_url, f"judge-{number}", "k", name=f"judge_{number}") for number in (1, 2)]
    questions = [{"id": number, "question": f"Rate {number}.", "answer": "x"} for number in range(60)]
    result = evaluate(system, questions, judges, progress=False, store=None)
    stats = server.stats()
    assert [row.status for row in result.rows] == ["ok"] * 60
    assert stats["answered"] >= 180, "the judges were asked"
    assert stats["faults"]["429"] < 75


def test_one_that_leaves_while_a_request_is_under_way_is_gone_when_that_ends() -> None:
    async def main() -> None:
        key = next(KEYS)
        left = SharedLimiter(HERE, key)
        (place,) = await taken(left, 1)
        left.leave()
        left.release(place, "refused", 3600)
        await taken(SharedLimiter(HERE, key), 1)

    asyncio.run(main())
