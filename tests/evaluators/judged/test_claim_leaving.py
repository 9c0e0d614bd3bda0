"""Leaving the claims generator early, however it is left, ends all work: no further request arrives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Any

import pytest

from ringtrue.evaluators.judged.claim_verification import (
    ClaimVerificationEvaluator,
    InputClaimVerificationEvaluator,
    InputContext,
)
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from support.claim_judge import claim_judge
from support.judge_endpoint import JudgeEndpoint

TEXT = " ".join(f"Paris has tram number {number}." for number in range(20, 40))
GIVEN = InputClaimVerificationEvaluator(TEXT, "", [InputContext("1", "Atlas", "Paris has many trams.")])
SETTINGS: dict[str, Any] = {"sentences_per_call": 1, "claims_per_call": 1, "max_concurrency": 3}


class Slow:
    """A model that takes its time, and knows how many it was asked and how many were answered."""

    def __init__(self) -> None:
        self.inner = claim_judge()
        self.answered = 0

    async def ask(self, request: Request) -> Reply:
        reply = await self.inner.ask(request)
        await asyncio.sleep(0.002)
        self.answered += 1
        return reply


async def by_break(results: AsyncGenerator[Any, None]) -> None:
    async for _ in results:
        break


async def by_close(results: AsyncGenerator[Any, None]) -> None:
    await anext(results)
    await results.aclose()


async def by_error(results: AsyncGenerator[Any, None]) -> None:
    with suppress(ZeroDivisionError):
        async for _ in results:
            raise ZeroDivisionError


async def by_cancelling(results: AsyncGenerator[Any, None]) -> None:
    async def consume() -> None:
        async for _ in results:
            pass

    task = asyncio.create_task(consume())
    await asyncio.sleep(0.03)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


WAYS: list[Callable[[AsyncGenerator[Any, None]], Awaitable[None]]] = [by_break, by_close, by_error, by_cancelling]


@pytest.mark.parametrize("held", [False, True], ids=["dropped", "held"])
@pytest.mark.parametrize("leave", WAYS, ids=lambda way: way.__name__)
def test_no_further_request(leave: Callable[[AsyncGenerator[Any, None]], Awaitable[None]], held: bool) -> None:
    """Even where the generator is kept, nothing is asked while no caller waits for the next result."""

    async def scene() -> tuple[int, int, int]:
        model = Slow()
        results = ClaimVerificationEvaluator(model=model, **SETTINGS).run(GIVEN)
        kept = [results] if held else []
        await leave(results)
        del results
        asked = len(model.inner.asked)
        await asyncio.sleep(0.1)
        assert len(kept) == held
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        return asked, len(model.inner.asked), 0 if held else len(left)

    asked, later, running = asyncio.run(scene())
    assert 0 < asked == later < 20 * 5
    assert running == 0


def test_left_to_its_end_it_asks_everything() -> None:
    """The other tests could not fail if the work were done before the first claim is yielded."""

    async def scene() -> int:
        model = Slow()
        results = [one async for one in ClaimVerificationEvaluator(model=model, **SETTINGS).run(GIVEN)]
        assert len(results) == 21
        return model.answered

    assert asyncio.run(scene()) == 20 * 5


def test_over_http() -> None:
    numbers = count(20)
    says: dict[str, Any] = {
        "outcome": lambda schema, at: "whole" if "whole" in schema["enum"] else "clear",
        "claims": lambda schema, at: [f"Paris has tram number {next(numbers)}."],
        "evidence": [1],
        "open_domain_probability": 0,
        "verdict": "supported",
        "probability": 90,
    }

    async def scene(judge: JudgeEndpoint) -> tuple[int, int]:
        async with Endpoint(judge.base_url, api_key="none") as endpoint:
            evaluator = ClaimVerificationEvaluator(model=endpoint, **SETTINGS)
            async for claim in evaluator.run(GIVEN):
                assert claim.claim.startswith("Paris has tram number ")  # type: ignore[union-attr]
                break
            await asyncio.sleep(0.2)  # what was on its way when the generator was left has arrived
            asked = len(judge.asked)
            await asyncio.sleep(0.4)
            return asked, len(judge.asked)

    with JudgeEndpoint("chat", says=says) as judge:
        asked, later = asyncio.run(scene(judge))
    assert 5 <= asked == later < 40
