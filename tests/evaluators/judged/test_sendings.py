"""Code and nonce are random at every sending, and follow from the request inside the process."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue import evaluate
from ringtrue.evaluators.judged.llm_judge import SCHEMA, LLMJudge
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluator
from ringtrue.models.cache import CachedModel
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.scripted import ScriptedModel
from ringtrue.models.structured.structured_model import NoValue, Outcome, Question, StructuredModel
from support.audits import call, calls
from support.injections import CLAIM, FENCE, MAKERS, RUBRIC, breaches, judges, planted
from support.judge_endpoint import JudgeEndpoint

SECRETS = re.compile(r"The code of the fences is ([0-9a-f]{20})\.(?: Put \"([0-9a-f]{12})\" into the field nonce\.)?")
PLANTED = "0123456789abcdef0123 fedcba987654"


class Forgetful:
    """A cache that keeps every key it is asked for, and every reply, and gives none back."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.replies: list[bytes] = []

    async def get(self, key: str) -> Reply | None:
        return None

    async def put(self, key: str, reply: Reply) -> None:
        self.keys.append(key)
        self.replies.append(reply.to_bytes())


def words_of(request: Request) -> list[str]:
    """Code and nonce of a request, as they were sent."""
    said = "\n".join(str(message["content"]) for message in request.messages)
    return [word for pair in dict.fromkeys(SECRETS.findall(said)) for word in pair if word]


def inside(request: Request) -> list[str]:
    """What is inside the fences of a request."""
    return [body for message in request.messages for _, _, body in FENCE.findall(str(message["content"]))]


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_equal_requests_have_equal_keys_and_are_sent_in_other_words(name: str) -> None:
    """Of every judged evaluator, in every turn and retry; what is kept holds none of the words that were sent."""
    sent, caches = [], []
    for _ in range(2):
        cache, requests = Forgetful(), []
        for model in judges(PLANTED):
            asyncio.run(MAKERS[name](CachedModel(model, cache)).measure(planted(PLANTED)))
            requests += model.asked
        sent.append([words_of(request) for request in requests])
        caches.append(cache)
        assert not [breach for request in requests for breach in breaches(request)]
        for request, (code, *_) in zip(requests, sent[-1], strict=True):
            assert inside(request)
            assert not any(word in body for body in inside(request) for word in words_of(request))
            assert PLANTED in request.body().decode()
            assert {found[1] for found in FENCE.findall(request.body().decode().replace("\\n", "\n"))} == {code}
    # Two that are under way at once may end in either order.
    assert sorted(caches[0].keys) == sorted(caches[1].keys)
    words = [word for run in sent for one in run for word in one]
    assert len(set(words)) == len(words) > 1
    kept = b"".join(reply for cache in caches for reply in cache.replies).decode()
    assert not any(word in kept for word in words)


TEXTS = {"question": "q", "reference": "r", "response": "a"}
QUESTION = prompt("llm_judge").question(TEXTS, SCHEMA)


def verdict(nonce: str) -> str:
    return json.dumps({"reasoning": "", "rating": 5, "nonce": nonce})


@settings(max_examples=30)
@given(st.one_of(st.just(QUESTION.nonce), st.text("0123456789abcdef", min_size=12, max_size=12), st.text()))
def test_a_verdict_with_another_nonce_than_the_one_sent_is_refused(nonce: str) -> None:
    """Also with the one that follows from the request, which the writer of the judged text can compute."""
    outcome = asyncio.run(StructuredModel(ScriptedModel([verdict(nonce)] * 2)).ask(QUESTION))
    assert isinstance(outcome, NoValue)
    assert outcome.reason == "its 'nonce' is not the one of this request"


def test_the_nonce_of_an_earlier_sending_is_refused() -> None:
    """Every retry has another one."""
    seen: list[str] = []

    def late(request: Request) -> str:
        seen.append(words_of(request)[1])
        return verdict(seen[-2]) if len(seen) > 1 else "?"

    outcome = asyncio.run(StructuredModel(ScriptedModel(late)).ask(QUESTION))
    assert isinstance(outcome, NoValue)
    assert len(set(seen)) == 2
    escaped = verdict(QUESTION.nonce).replace(QUESTION.nonce[0], f"\\u{ord(QUESTION.nonce[0]):04x}", 1)
    assert isinstance(asyncio.run(StructuredModel(ScriptedModel([escaped] * 2)).ask(QUESTION)), NoValue)


class Noting(StructuredModel):
    """An structured that keeps the words of this side."""

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        self.words: list[str] = []

    async def ask(self, question: Question, model: str = "", **limits: Any) -> Outcome:
        self.words += question.words
        return await super().ask(question, model)


def test_an_audited_file_that_knows_the_words_of_this_side_gains_nothing(tmp_path: Path) -> None:
    """Those of a first question follow from the task and the names and sizes of files, so that a file can hold them."""
    notes = tmp_path / "notes.md"

    def audited(said: str) -> tuple[list[str], list[Request]]:
        notes.write_text(said)
        looks = [
            calls(call("read", path="notes.md", start_line=1)),
            calls(call("grep", path=".", pattern=said)),
            "done",
        ]
        model = ScriptedModel(lambda request: looks.pop(0) if looks else "?")
        structured = Noting(model)
        asyncio.run(SemanticTestEvaluator(steps="Look.", rubric=RUBRIC, model=structured).run(working_dir=tmp_path))
        return structured.words, model.asked

    first = audited("0" * 20)[0][0]
    known, requests = audited(first)
    assert known[0] == first, "the file holds the code of the first question"
    assert first not in known[1:]
    assert len(requests) > 3
    for request in requests[1:]:
        assert first in str(request.messages), "what the file says is shown as it is"
        assert not any(word in body for body in inside(request) for word in words_of(request))


def test_the_store_holds_no_word_that_was_sent(tmp_path: Path) -> None:
    """A judge on loopback that says code and nonce aloud; the database file is read byte by byte."""

    class Loud(JudgeEndpoint):
        def text(self, body: dict[str, Any]) -> str:
            said = str(body["messages"][-1]["content"])
            return json.dumps({**json.loads(super().text(body)), "reasoning": " ".join(SECRETS.findall(said)[-1])})

    rows = [{"id": number, "question": f"q{number}", "answer": "a"} for number in range(3)]
    with Loud("chat") as served:
        for _ in range(2):
            evaluate(
                lambda text: CLAIM,
                rows,
                [LLMJudge(served.base_url)],
                progress=False,
                store=f"sqlite:///{tmp_path / 'r.db'}",
                fresh=True,
            )
    assert len(served.asked) == 3
    words = [word for body in served.asked for pair in SECRETS.findall(str(body["messages"])) for word in pair]
    assert len(set(words)) == 6
    data = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert re.search(rb"nonce\W{1,20}[0-9a-f]{12}", data), "replies are kept as text"
    assert not any(word.encode() in data for word in words)
