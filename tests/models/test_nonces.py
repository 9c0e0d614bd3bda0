"""What is sent has random words of its own, and nothing inside the process ever sees them."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.models.cache import CachedModel, sent
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.scripted import ScriptedModel
from ringtrue.models.structured.logprobs import likelihood
from ringtrue.models.structured.nonces import Nonces

CODE, NONCE = "0123456789abcdef0123", "fedcba987654"
OTHER = "a" * 12
ANY_TEXT = st.lists(st.one_of(st.text(), st.sampled_from([OTHER, "[[[", '"', "0", "é"]))).map("".join)


def request(text: str = "x", **changes: Any) -> Request:
    said = f'[[[answer {CODE}]]]\n{text}\n[[[end of answer {CODE}]]]\n\nPut "{NONCE}" into the field nonce.'
    bound = {"response_format": {"json_schema": {"schema": {"properties": {"nonce": {"enum": [NONCE]}}}}}}
    whole = {"messages": [{"role": "user", "content": said}], "parameters": bound, "words": (CODE, NONCE)} | changes
    return Request("http://h/v1", "m", **whole)


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@given(ANY_TEXT)
@example("")
def test_two_sendings_differ_in_every_word_and_in_nothing_else(text: str) -> None:
    asked = request(text)
    first, second = Nonces.drawn(asked), Nonces.drawn(asked)
    assert len({*first.sent.values(), *second.sent.values(), CODE, NONCE}) == 6
    for words in (first, second):
        out = words.request(asked)
        assert out.words == ()
        body = out.body().decode()
        assert CODE not in body
        assert NONCE not in body
        for word, new in words.sent.items():
            assert (len(new), body.count(new)) == (len(word), asked.body().decode().count(word))
            assert new not in text
            body = body.replace(new, word)
        assert body == asked.body().decode()


def test_the_words_are_no_part_of_the_key() -> None:
    assert request().key() == request(words=()).key() == request(words=(NONCE,)).key()
    assert request() == request(words=())


def test_a_word_that_a_text_holds_is_drawn_again() -> None:
    held = ["1" * 20, NONCE + "1" * 8, "2" * 20, "2" * 12, "3" * 12, "4" * 12]
    words = Nonces.drawn(request("1" * 20 + " " + "3" * 12), lambda letters: held.pop(0))
    assert words.sent == {CODE: "2" * 20, NONCE: "4" * 12}


@pytest.mark.parametrize("word", ["", "n1", "0123456789a", "0123456789AB", "[[[answer 0123]]]"])
def test_a_word_that_could_be_meant_by_chance_is_refused(word: str) -> None:
    with pytest.raises(ConfigurationError, match="hexadecimal"):
        request(words=(word,))


@given(ANY_TEXT, st.sampled_from([0, 1]), ANY_TEXT)
def test_a_reply_is_read_and_kept_in_the_words_of_this_side(before: str, which: int, after: str) -> None:
    words = Nonces.drawn(request())
    word, new = list(words.sent.items())[which]
    text = f"{before}{new}{after}"
    call = {"id": "1", "function": {"name": "read", "arguments": written({"path": new})}}
    logprobs = [{"token": letter, "logprob": -1.0, "bytes": [1], "top_logprobs": []} for letter in text]
    reply = words.reply(Reply(text, {"content": text, "deep": [{new: [new]}]}, [call], logprobs=logprobs))
    assert reply.text == f"{before}{word}{after}"
    assert reply.message == {"content": reply.text, "deep": [{word: [word]}]}
    assert json.loads(reply.tool_calls[0]["function"]["arguments"]) == {"path": word}
    assert "".join(row["token"] for row in reply.logprobs or ()) == reply.text
    assert not any(one in reply.to_bytes().decode() for one in words.sent.values())


def escaped(word: str, at: int) -> str:
    return f"{word[:at]}\\u{ord(word[at]):04x}{word[at + 1 :]}"


@given(st.integers(0, 11))
def test_a_word_of_this_side_in_a_reply_says_nothing(at: int) -> None:
    """The judged text can contain it and have it repeated; JSON's escapes do not help."""
    words = Nonces.drawn(request())
    for spelled in (NONCE, escaped(NONCE, at), "".join(escaped(letter, 0) for letter in NONCE)):
        read = json.loads(words.reply(Reply(f'{{"nonce": "{spelled}", "a": "\\u00e9"}}')).text)
        assert read == {"nonce": "-" * 12, "a": "é"}
    new = words.sent[NONCE]
    assert json.loads(words.reply(Reply(f'{{"nonce": "{escaped(new, at)}"}}')).text) == {"nonce": NONCE}
    literal = json.dumps(escaped(NONCE, at))
    assert words.back(literal) == literal, "an escaped backslash is no escape"


def test_likelihoods_are_read_behind_a_nonce() -> None:
    words = Nonces.drawn(request())
    new = words.sent[NONCE]
    options = [{"token": "yes", "logprob": -0.1}, {"token": "no", "logprob": -2.3}]
    tokens = ['{"nonce": "', new[:5], new[5:11], new[11] + '", ', '"met": "', "yes", '"}']
    rows = [{"token": token, "logprob": -0.1, "top_logprobs": []} for token in tokens]
    rows[5]["top_logprobs"] = options
    rows[1]["top_logprobs"] = [{"token": new[:5], "logprob": -0.1}, {"token": new, "logprob": -9.0}]
    reply = words.reply(Reply("".join(tokens), logprobs=rows))
    assert reply.text == f'{{"nonce": "{NONCE}", "met": "yes"}}'
    found = likelihood(reply, 0, "met", ("yes", "no"))
    assert found == pytest.approx(0.9, abs=0.01)
    assert new not in written(list(reply.logprobs or ()))


def test_an_error_that_repeats_what_was_sent_is_reported_in_the_words_of_this_side() -> None:
    def complaining(asked: Request) -> Exception:
        return ModelError(f"cannot read {asked.messages[0]['content']}", kind="http", status=400, attempts=2)

    model = ScriptedModel(complaining)
    with pytest.raises(ModelError, match=rf"answer {CODE}(?s:.*){NONCE}") as caught:
        asyncio.run(sent(model, request("line")))
    assert (caught.value.kind, caught.value.status, caught.value.attempts) == ("http", 400, 2)
    assert CODE not in written(model.asked[0].messages)


def test_a_reply_nested_without_end_is_an_ordinary_reply() -> None:
    deep: Any = "x"
    for _ in range(900):
        deep = [deep]
    reply = Nonces.drawn(request()).reply(Reply("fine", {"content": deep}))
    assert reply.text == "fine"
    assert reply.to_bytes()


class Kept:
    """A cache that remembers what was put into it and gives nothing back."""

    def __init__(self) -> None:
        self.rows: dict[str, bytes] = {}

    async def get(self, key: str) -> Reply | None:
        return None

    async def put(self, key: str, reply: Reply) -> None:
        self.rows[key] = reply.to_bytes()


class Wrapper:
    """A model of a user's around another one."""

    def __init__(self, model: Any) -> None:
        self.model = model

    async def ask(self, asked: Request) -> Reply:
        return await self.model.ask(asked)


@pytest.mark.parametrize("wrapped", [False, True], ids=["cached", "behind-a-wrapper"])
def test_a_cache_has_one_key_for_all_sendings_and_none_of_their_words(wrapped: bool) -> None:
    model, cache = ScriptedModel(lambda asked: Reply(str(asked.messages), {"content": asked.body().decode()})), Kept()
    inner = CachedModel(CachedModel(model, cache), cache)
    asked: Any = Wrapper(inner) if wrapped else inner
    replies = [asyncio.run(sent(asked, request())) for _ in range(3)]
    assert list(cache.rows) == [request().key()]
    assert replies == [replies[0]] * 3
    contents = [written(one.messages) for one in model.asked]
    assert len(set(contents)) == 3
    assert NONCE in cache.rows[request().key()].decode()
    for content in contents:
        words = re.findall(r"\b[0-9a-f]{12}\b|\b[0-9a-f]{20}\b", content)
        assert len(words) == 3
        assert not any(word in row.decode() for word in words for row in cache.rows.values())


def test_without_words_nothing_is_changed() -> None:
    asked, reply = request(words=()), Reply(f"{CODE} \\u0061")
    model = ScriptedModel([reply])
    assert asyncio.run(sent(model, asked)) is reply
    assert model.asked[0] is asked
