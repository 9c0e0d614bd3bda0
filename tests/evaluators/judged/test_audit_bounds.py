"""How far an audit may go: steps, tokens, dollars, time, and a repeat that costs nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ringtrue.errors import ModelError
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.cache import CachedModel
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from support.audits import (
    DONE,
    FILLED,
    audit,
    call,
    calls,
    content,
)
from support.kept_replies import KeptReplies


def test_an_auditor_that_never_ends_has_to_judge_after_the_last_step(folder: Path) -> None:
    endless = scripted_judge(lambda request: FILLED if "tools" not in request.parameters else calls(call("list")))
    result = audit(folder, model=endless, max_steps=5)
    assert (result.score, result.metadata["ended"], result.metadata["calls"]) == (60.0, "max_steps", 6)


@pytest.mark.parametrize(("limit", "ended"), [({"max_tokens": 200}, "max_tokens"), ({"max_cost": 0.02}, "max_cost")])
def test_tokens_and_dollars_end_the_looking(folder: Path, limit: dict[str, Any], ended: str) -> None:
    result = audit(folder, calls(call("list")), calls(call("list")), FILLED, **limit)
    assert (result.score, result.metadata["ended"], result.metadata["calls"]) == (60.0, ended, 3)


def test_a_cost_limit_on_an_unknown_price_is_an_error(folder: Path) -> None:
    result = audit(folder, calls(call("list"), cost=None), max_cost=1)
    assert (result.status, result.metadata["kind"]) == ("error", "budget")


class Slow:
    """Looks for ever: each reply takes its time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.inner = scripted_judge(
            lambda request: FILLED if "tools" not in request.parameters else calls(call("list"))
        )

    async def ask(self, request: Request) -> Reply:
        if "tools" in request.parameters:
            await asyncio.sleep(self.seconds)
        return await self.inner.ask(request)


def test_the_deadline_leaves_time_for_the_verdict(folder: Path) -> None:
    result = audit(folder, model=Slow(60), deadline_seconds=3)
    assert (result.score, result.metadata["ended"]) == (60.0, "deadline")


def test_a_verdict_that_comes_too_late_is_an_error(folder: Path) -> None:
    class Late(Slow):
        async def ask(self, request: Request) -> Reply:
            await asyncio.sleep(60)
            raise AssertionError

    result = audit(folder, model=Late(0), deadline_seconds=0.4)
    assert (result.status, result.metadata["kind"]) == ("error", "timeout")


def test_more_calls_at_once_than_are_carried_out(folder: Path) -> None:
    result = audit(folder, calls(*[call("list")] * 40), DONE, FILLED)
    assert len(result.metadata["audit"]) == 8


def test_an_old_look_gives_way_where_the_context_is_full(folder: Path) -> None:
    (folder / "long.txt").write_text("x" * 4_000)
    full = ModelError("answered 400: maximum context length exceeded", kind="http", status=400)
    looks = [calls(call("read", path="long.txt")), calls(call("read", path="long.txt", start_line=1))]
    script = scripted_judge([looks[0], full, looks[1], full, DONE, full, FILLED])
    result = audit(folder, model=script, history_chars=6_000)
    assert (result.score, result.metadata["calls"]) == (60.0, 7)
    assert "left out to save room" in content(script.asked[4])
    assert audit(folder, calls(call("list")), *[full] * 30, history_chars=6_000).metadata["kind"] == "http"


def test_a_repeat_costs_no_call(folder: Path) -> None:
    """Also at another time of the day, in another process: what commands print does not show it."""
    looks = [calls(call("list")), calls(call("run", command="ls -la . ..; python3 fib.py"))]
    model, cache = scripted_judge([*looks, DONE, FILLED]), KeptReplies()
    first = audit(folder, model=CachedModel(model, cache), max_tokens=1_000)
    again = audit(folder, model=CachedModel(model, cache), max_tokens=1_000)
    assert (again.score, again.metadata["calls"], again.metadata["cache_hits"]) == (60.0, 0, 4)
    assert again.metadata["audit"] == first.metadata["audit"]
    assert len(model.asked) == 4
    sent = {request.key() for request in model.asked}
    assert not sent & cache.replies.keys(), "what is sent has words of its own, and is kept without them"
