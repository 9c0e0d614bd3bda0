"""What a process remembers: replies of models with an address, in bounded room, for holders of the key."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import OrderedDict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.models.cache import MAX_BYTES, MAX_REPLIES, CachedModel, MemoryPart, ReplyMemory, part_for
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.reply import Reply
from ringtrue.models.scripted import ScriptedModel
from ringtrue.models.structured.structured_model import StructuredModel

SIZE = len(Reply("x").to_bytes())
"""The bytes of a reply of one letter."""


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans())), st.integers(1, 4))
def test_the_least_recently_used_goes_first(steps: list[tuple[str, bool]], most: int) -> None:
    memory, model = ReplyMemory(max_replies=most), OrderedDict[str, str]()
    for key, reads in steps:
        if reads:
            found = memory.find(key)
            assert (None if found is None else found.text) == model.get(key)
            if key in model:
                model.move_to_end(key)
        else:
            memory.keep(key, Reply(key))
            model[key] = key
            model.move_to_end(key)
            while len(model) > most:
                model.popitem(last=False)
    assert memory.size == (len(model), len(model) * SIZE)


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 400))))
def test_no_more_bytes_are_kept_than_there_is_room_for(replies: list[tuple[str, int]]) -> None:
    memory = ReplyMemory(max_bytes=3 * SIZE)
    for key, letters in replies:
        memory.keep(key, Reply("x" * letters))
        fits = SIZE - 1 + letters <= 3 * SIZE
        assert (memory.find(key) is not None) == fits
        assert memory.size[1] <= 3 * SIZE
    memory.forget()
    assert memory.size == (0, 0)


def test_the_room_is_bounded_by_default() -> None:
    memory = ReplyMemory()
    assert (memory.max_replies, memory.max_bytes) == (MAX_REPLIES, MAX_BYTES) == (10_000, 67_108_864)


@pytest.mark.parametrize(("depth", "kept"), [(1, True), (300, True), (3_000, False)])
def test_any_text_is_kept_and_a_reply_that_is_nested_too_deeply_is_not(depth: int, kept: bool) -> None:
    message: dict[str, Any] = {"content": "\ud800"}
    for _ in range(depth):
        message = {"content": message}
    memory = ReplyMemory()
    memory.keep("k", reply := Reply("x", message))
    assert memory.find("k") == (reply if kept else None)


def test_several_threads_may_use_it() -> None:
    memory = ReplyMemory(max_replies=5)

    def work(number: int) -> None:
        for step in range(300):
            memory.keep(f"{(number + step) % 9}", Reply("x"))
            memory.find(f"{step % 9}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert memory.size == (5, 5 * SIZE)


def test_the_bytes_of_a_key_that_many_keep_at_once_are_counted_once() -> None:
    memory = ReplyMemory()

    def work() -> None:
        for _ in range(1_500):
            memory.keep("k", Reply("x"))

    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switching)
    assert memory.size == (1, SIZE)


def test_what_is_handed_out_cannot_change_what_is_kept() -> None:
    memory = ReplyMemory()
    memory.keep("k", Reply("x", {"role": "assistant"}))
    found = memory.find("k")
    assert found is not None
    found.message["role"] = "system"  # type: ignore[index]
    assert memory.find("k") == Reply("x", {"role": "assistant"})


def test_one_address_and_key_share_and_others_do_not() -> None:
    here, again = Endpoint("http://h:1", "key"), Endpoint("http://h:1/v1/", "key")
    other = Endpoint("http://h:1", "another")
    parts = [part_for(one) for one in (here, again, other)]
    assert parts[0] == parts[1] != parts[2]
    mine, _, theirs = parts
    assert mine is not None
    assert theirs is not None
    asyncio.run(mine.put("k", Reply("x")))
    assert asyncio.run(mine.get("k")) == Reply("x")
    assert asyncio.run(theirs.get("k")) is None
    assert "key" not in mine.owner


class Changing(ScriptedModel):
    """A user's own model: what it does to a request before it passes it on is in no key."""

    base_url = "http://h/v1"

    def __init__(self, model: Any = None) -> None:
        super().__init__([])
        self.model = model


@pytest.mark.parametrize(
    ("model", "kept"),
    [
        (Endpoint("http://h"), True),
        (ScriptedModel([]), False),
        (CachedModel(Endpoint("http://h"), MemoryPart(ReplyMemory(), "")), False),
        (Changing(), False),
        (Changing(Endpoint("http://h")), False),
    ],
    ids=["endpoint", "code", "cached-already", "code-with-an-address", "code-around-an-endpoint"],
)
def test_whose_replies_are_remembered(model: Any, kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (part_for(model) is not None) == (StructuredModel(model).asked_model is not model) == kept
    assert StructuredModel(model, remember=False).asked_model is model
    monkeypatch.setenv("RINGTRUE_CACHE", "0")
    assert part_for(model) is None
    assert StructuredModel(model).asked_model is model


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_has_a_memory_of_its_own() -> None:
    before = ReplyMemory.from_env()
    child = os.fork()
    if child == 0:
        os._exit(0 if ReplyMemory.from_env() is not before else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert ReplyMemory.from_env() is before
