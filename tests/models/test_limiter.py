"""How many at once: the laws of the adaptive limiter, without a server."""

from __future__ import annotations

import asyncio
import threading
import time
from math import inf
from typing import Any

import pytest

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.models.client.limiter import AdaptiveLimiter


async def take(limiter: AdaptiveLimiter, count: int) -> list[float]:
    return [await limiter.acquire() for _ in range(count)]


def waits(limiter: AdaptiveLimiter, **how: Any) -> asyncio.Task[float]:
    return asyncio.create_task(limiter.acquire(**how))


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.parametrize(("maximum", "first"), [(4, 4), (16, 16), (64, 16), (100, 25), (500, 125)])
def test_before_the_first_answer_a_quarter_of_what_is_allowed_is_sent(maximum: int, first: int) -> None:
    assert AdaptiveLimiter(maximum=maximum).limit == first
    widened = AdaptiveLimiter(maximum=4)
    widened.widen(maximum)
    assert widened.limit == first


def test_a_full_round_of_answers_doubles_up_to_the_maximum() -> None:
    async def main() -> None:
        limiter = AdaptiveLimiter(start=2, maximum=10)
        seen = []
        for _ in range(4):
            for place in await take(limiter, limiter.limit):
                limiter.release(place, "answered")
            seen.append(limiter.limit)
        assert seen == [3, 4, 5, 6], "only the first of a round finds it full: nothing else waits"

        limiter = AdaptiveLimiter(start=2, maximum=10)
        seen = []
        places = await take(limiter, 2)
        crowd = [waits(limiter) for _ in range(40)]
        await settle()
        while crowd:
            for place in places:
                limiter.release(place, "answered")
            await settle()
            seen.append(limiter.in_flight)
            places = [one.result() for one in crowd if one.done()]
            crowd = [one for one in crowd if not one.done()]
        assert seen[:4] == [4, 8, 10, 10]

    asyncio.run(main())


def test_never_below_one() -> None:
    async def main() -> None:
        limiter = AdaptiveLimiter(start=1)
        for _ in range(5):
            limiter.release(await limiter.acquire(), "refused")
        assert limiter.limit == 1

    asyncio.run(main())


def test_server_failures_neither_halve_nor_grow() -> None:
    async def main() -> None:
        limiter = AdaptiveLimiter(start=8)
        for place in await take(limiter, 8):
            limiter.release(place, "none")
        assert (limiter.limit, limiter.in_flight) == (8, 0)

    asyncio.run(main())


def test_nothing_starts_before_the_time_a_refusal_named() -> None:
    async def main() -> None:
        limiter = AdaptiveLimiter(start=4)
        places = await take(limiter, 4)
        others = [waits(limiter), waits(limiter, again=True)]
        await settle()
        closed = time.monotonic()
        limiter.release(places[3], "refused", 0.2)
        for place in places[:3]:
            limiter.release(place)
        others.append(waits(limiter))
        for other in asyncio.as_completed(others, timeout=60):
            place = await other
            assert place >= closed + 0.2
            limiter.release(place)

    asyncio.run(main())


def test_a_refusal_among_answers_holds_up_no_one_else() -> None:
    async def main() -> None:
        limiter = AdaptiveLimiter(start=4, maximum=4)
        limiter.release(await limiter.acquire(), "answered")
        places = await take(limiter, 4)
        limiter.release(places[1], "refused", 60)
        await asyncio.wait_for(limiter.acquire(), 30)
        assert limiter.limit == 4

    asyncio.run(main())


def test_an_endpoint_that_answers_nothing_else_is_left_alone() -> None:
    async def main() -> None:
        limiter = AdaptiveLimiter(start=4, maximum=4)
        limiter.release(await limiter.acquire(), "answered")
        for _ in range(4):
            limiter.release(await limiter.acquire(), "refused", 60)
        with pytest.raises(ModelError):
            await limiter.acquire(patience_seconds=1)

    asyncio.run(main())


def test_a_used_up_allowance_closes_the_door_only_on_the_newest_word() -> None:
    async def main() -> None:
        limiter = AdaptiveLimiter(start=4)
        old, new = await take(limiter, 2)
        limiter.release(new, "answered")
        limiter.release(old, "answered", 60)
        place = await asyncio.wait_for(limiter.acquire(), 30)
        limiter.release(place, "answered", 0.1)
        closed = time.monotonic()
        assert await limiter.acquire() >= closed + 0.09

    asyncio.run(main())


def test_places_go_by_the_order_of_asking_second_attempts_first() -> None:
    async def main() -> None:
        limiter = AdaptiveLimiter(start=1, maximum=1)
        order: list[str] = []

        async def one(name: str, again: bool) -> None:
            place = await limiter.acquire(again=again)
            order.append(name)
            await asyncio.sleep(0)
            limiter.release(place)

        place = await limiter.acquire()
        names = [("a", False), ("b", False), ("x", True), ("c", False), ("y", True)]
        tasks = [asyncio.create_task(one(name, again)) for name, again in names]
        await settle()
        limiter.release(place)
        await asyncio.gather(*tasks)
        assert order == ["x", "y", "a", "b", "c"]

    asyncio.run(main())


def test_cancelling_frees_the_place_at_every_moment() -> None:
    async def main() -> None:
        limiter = AdaptiveLimiter(start=1, maximum=1)
        place = await limiter.acquire()
        queued, given, last = waits(limiter), waits(limiter), waits(limiter)
        await settle()
        queued.cancel()
        await settle()
        limiter.release(place)
        given.cancel()  # the place is given, and not yet taken
        await asyncio.gather(queued, given, return_exceptions=True)
        assert given.cancelled()
        limiter.release(await asyncio.wait_for(last, 30))
        assert limiter.in_flight == 0

    asyncio.run(main())


def test_a_door_closed_for_too_long_is_an_error_at_once_for_those_who_wait_too() -> None:
    async def main() -> None:
        limiter = AdaptiveLimiter(start=1, maximum=1)
        place = await limiter.acquire()
        hasty, patient = waits(limiter, patience_seconds=10), waits(limiter, patience_seconds=inf)
        await settle()
        limiter.release(place, "refused", 3600)
        with pytest.raises(ModelError, match="3600 s") as caught:
            await asyncio.wait_for(hasty, 30)
        assert caught.value.kind == "rate_limit"
        with pytest.raises(ModelError):
            await limiter.acquire(patience_seconds=10)
        assert not patient.done()
        patient.cancel()

    asyncio.run(main())


def test_a_shorter_closing_after_an_opened_long_one_ends_in_its_own_time() -> None:
    async def main() -> None:
        limiter = AdaptiveLimiter(start=3, maximum=3)
        first, second, third = await take(limiter, 3)
        limiter.release(first, "refused", 60)
        other = waits(limiter)
        await settle()
        limiter.release(second, "answered")
        await asyncio.wait_for(other, 30)
        limiter.release(other.result(), "answered", 0.05)
        limiter.release(third)
        await asyncio.wait_for(limiter.acquire(), 30)

    asyncio.run(main())


def test_it_works_in_one_event_loop_after_another() -> None:
    limiter = AdaptiveLimiter(start=1, maximum=1)

    async def main() -> None:
        place = await limiter.acquire()
        limiter.release(place, "refused", 0.02)
        limiter.release(await limiter.acquire())

    async def left_in_the_queue() -> None:
        place = await limiter.acquire()
        task = waits(limiter)
        await settle()
        limiter.release(place, "refused", 0.02)
        await settle()
        task.cancel()

    for run in (main, left_in_the_queue, main):
        asyncio.run(asyncio.wait_for(run(), 2))
    assert limiter.in_flight == 0


def test_several_event_loops_at_once_share_the_places() -> None:
    limiter = AdaptiveLimiter(start=3, maximum=3)
    most = 0

    async def one() -> None:
        nonlocal most
        place = await limiter.acquire()
        most = max(most, limiter.in_flight)
        await asyncio.sleep(0.0005)
        limiter.release(place, "answered")

    async def main() -> None:
        await asyncio.wait_for(asyncio.gather(*[one() for _ in range(200)]), 20)

    threads = [threading.Thread(target=asyncio.run, args=[main()]) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (limiter.in_flight, most) == (0, 3)


@pytest.mark.parametrize("wrong", [{"start": 0}, {"maximum": 0}, {"start": 1.5}, {"maximum": True}], ids=str)
def test_wrong_settings(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        AdaptiveLimiter(**wrong)
