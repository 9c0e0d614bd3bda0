"""Replies in the store: found by their exact request, in another process, or not at all."""

from __future__ import annotations

import asyncio
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.models.cache import CachedModel
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.scripted import ScriptedModel
from ringtrue.store.database import Database
from ringtrue.store.responses import Responses

REQUEST = Request("http://h/v1", "m", [{"role": "user", "content": "hi"}])


def test_a_reply_outlives_its_database_object(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'r.db'}"
    for asked in (1, 0):
        model = ScriptedModel([Reply("one", input_tokens=3, output_tokens=2, cost=0.5, model="m-2026")])
        with Database(url) as database:
            reply = asyncio.run(CachedModel(model, Responses(database)).ask(REQUEST))
        assert (reply.text, reply.input_tokens, reply.cost, reply.model) == ("one", 3, 0.5, "m-2026")
        assert reply.cached == (asked == 0)
        assert len(model.asked) == asked


@settings(max_examples=30, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back_as_it_was(text: str) -> None:
    async def kept() -> Reply | None:
        responses = Responses(database)
        await responses.put("k", Reply(text, {"role": "assistant", "content": text}))
        return await responses.get("k")

    with Database("sqlite://") as database:
        assert asyncio.run(kept()) == Reply(text, {"role": "assistant", "content": text})


def test_an_unknown_request_has_no_reply(tmp_path: Path) -> None:
    with Database(f"sqlite:///{tmp_path / 'r.db'}") as database:
        assert asyncio.run(Responses(database).get("k")) is None
