"""A cached model is asked each question once."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from ringtrue.errors import ModelError
from ringtrue.models.cache import CachedModel
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.scripted import ScriptedModel
from support.endpoint import EndpointServer

REQUEST = Request("scripted", "m", [{"role": "user", "content": "hi"}])


class Kept:
    """A cache in a dict of bytes, as a store would keep it."""

    def __init__(self) -> None:
        self.rows: dict[str, bytes] = {}

    async def get(self, key: str) -> Reply | None:
        await asyncio.sleep(0)
        return Reply.from_bytes(self.rows[key]) if key in self.rows else None

    async def put(self, key: str, reply: Reply) -> None:
        await asyncio.sleep(0)
        self.rows[key] = reply.to_bytes()


class Gated:
    """A model that answers on command."""

    def __init__(self) -> None:
        self.asked = 0
        self.gate = asyncio.Event()

    async def ask(self, request: Request) -> Reply:
        self.asked += 1
        await self.gate.wait()
        return Reply(f"answer {self.asked}")


def test_the_second_time_costs_no_call_and_says_so() -> None:
    async def main() -> None:
        model, cache = ScriptedModel(["one", "two"]), Kept()
        first = await CachedModel(model, cache).ask(REQUEST)
        second = await CachedModel(model, cache).ask(REQUEST)
        assert (first.text, first.cached) == ("one", False)
        assert second == replace(first, cached=True)
        assert len(model.asked) == 1

    asyncio.run(main())


def test_another_request_or_repetition_is_asked() -> None:
    async def main() -> None:
        cached = CachedModel(ScriptedModel(["a", "b", "c"]), Kept())
        texts = [
            (await cached.ask(REQUEST)).text,
            (await cached.ask(REQUEST, repeat=1)).text,
            (await cached.ask(replace(REQUEST, model="n"))).text,
            (await cached.ask(REQUEST, repeat=1)).text,
        ]
        assert texts == ["a", "b", "c", "b"]

    asyncio.run(main())


def test_equal_requests_at_once_are_one_request_at_the_endpoint(server: EndpointServer) -> None:
    server.plan(latency_seconds=0.05)

    async def main() -> list[Reply]:
        async with Endpoint(server.base_url) as endpoint:
            cached = CachedModel(endpoint, Kept())
            request = endpoint.request("m", [{"role": "user", "content": "[[yes]]"}])
            return await asyncio.gather(*[cached.ask(request) for _ in range(200)])

    replies = asyncio.run(main())
    assert {reply.text for reply in replies} == {"yes"}
    assert sum(not reply.cached for reply in replies) == 1
    assert server.stats()["requests"] == 1


def test_a_reply_is_stored_before_it_is_handed_on() -> None:
    async def main() -> None:
        cache = Kept()
        replies = await asyncio.gather(*[CachedModel(ScriptedModel(["x"] * 3), cache).ask(REQUEST) for _ in range(3)])
        assert [Reply.from_bytes(cache.rows[REQUEST.key()]).text] == list({reply.text for reply in replies})

    asyncio.run(main())


def test_a_failure_is_everybodys_and_is_not_kept() -> None:
    async def main() -> None:
        model = ScriptedModel([ModelError("away", kind="http", status=500), "back"])
        cached = CachedModel(model, Kept())
        results = await asyncio.gather(*[cached.ask(REQUEST) for _ in range(3)], return_exceptions=True)
        assert [type(result) for result in results] == [ModelError] * 3
        assert (await cached.ask(REQUEST)).text == "back"

    asyncio.run(main())


def test_if_the_one_who_asks_is_cancelled_the_next_takes_over() -> None:
    async def main() -> None:
        model = Gated()
        cached = CachedModel(model, Kept())
        first, second, third = (asyncio.create_task(cached.ask(REQUEST)) for _ in range(3))
        while not model.asked:
            await asyncio.sleep(0)
        first.cancel()
        third.cancel()
        await asyncio.wait([first, third])
        model.gate.set()
        assert (await asyncio.wait_for(second, 30)).text == "answer 2"
        assert first.cancelled()
        assert third.cancelled()
        assert cached._under_way == {}

    asyncio.run(main())


def test_a_store_that_fails_is_not_hidden() -> None:
    class Full(Kept):
        async def put(self, key: str, reply: Reply) -> None:
            raise OSError("no space left")

    async def main() -> None:
        cached = CachedModel(ScriptedModel(["x"]), Full())
        with pytest.raises(OSError, match="no space"):
            await cached.ask(REQUEST)
        assert cached._under_way == {}

    asyncio.run(main())
