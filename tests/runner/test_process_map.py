"""The loop over items can be left at any item."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from ringtrue.runner.process_map import in_order


def test_a_loop_that_only_computes_hears_that_it_is_cancelled() -> None:
    async def endless() -> None:
        async for _ in in_order(str, count()):
            pass

    async def given_up() -> None:
        await asyncio.wait_for(endless(), 0.05)

    with pytest.raises(TimeoutError):
        asyncio.run(given_up())
