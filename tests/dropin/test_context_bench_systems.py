"""context_bench's systems and judge against real endpoints and programs of this machine."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from context_bench import ClaudeCLI, OpenAIProxy, evaluate
from context_bench.evaluators import AnswerQuality, LLMJudge

from ringtrue.errors import EvaluationError
from support.endpoint import EndpointServer


def raw(status: int = 200, **body: Any) -> dict[str, Any]:
    return {"status": status, "headers": {}, "body": json.dumps(body)}


def said(text: str, **more: Any) -> dict[str, Any]:
    return raw(choices=[{"message": {"content": text}}], **more)


def test_an_example_comes_back_with_its_response_and_usage(server: EndpointServer) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    server.plan(sequence=["raw"], raw=said("hello", usage=usage))
    assert OpenAIProxy(server.base_url).process({"id": 1, "context": "c"}) == {
        "id": 1, "context": "c", "response": "hello", "api_usage": usage,
    }  # fmt: skip
    server.plan(sequence=["raw"], raw=said("hello"))
    assert "api_usage" not in OpenAIProxy(server.base_url).process({"context": "c"})


@pytest.mark.parametrize(
    ("environment", "argument", "header"),
    [("sk-env", None, "Bearer sk-env"), ("sk-env", "sk-own", "Bearer sk-own"), (None, None, None)],
    ids=["environment", "argument", "none"],
)
def test_the_key_is_what_it_was_when_the_proxy_was_made(
    environment: str | None,
    argument: str | None,
    header: str | None,
    server: EndpointServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server.plan(answer="echo")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    if environment:
        monkeypatch.setenv("OPENAI_API_KEY", environment)
    proxy = OpenAIProxy(server.base_url, api_key=argument)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-later")
    proxy.process({"context": "c"})
    assert server.stats()["log"][0]["authorization"] in ((header,) if header else (None, ""))


@pytest.mark.parametrize(
    ("sequence", "requests"),
    [(["429", "ok"], 2), (["500", "503", "ok"], 3), (["reset", "ok"], 2), (["hang", "ok"], 2)],
    ids=["429", "5xx", "reset", "hang"],
)
def test_passing_failures_are_tried_again(sequence: list[str], requests: int, server: EndpointServer) -> None:
    server.plan(sequence=sequence, answer="echo", retry_after=0)
    proxy = OpenAIProxy(server.base_url, max_retries=2, retry_base_delay=0.01, timeout=2)
    assert proxy.process({"context": "said"})["response"] == "said"
    assert server.stats()["requests"] == requests


@pytest.mark.parametrize(
    ("fault", "words", "body"),
    [
        ("429", "HTTP 429", None),
        ("400", "HTTP 400", None),
        ("503", "HTTP 503", None),
        ("reset", "Could not connect", None),
        ("hang", "Timed out", None),
        ("html", "invalid JSON", None),
        ("raw", "invalid JSON", {"status": 200, "headers": {}, "body": "not json at all"}),
        ("empty-choices", "empty choices", None),
        ("raw", "Unexpected response", raw(error="bad request")),
        ("raw", "Unexpected response", raw(choices=[{}])),
    ],
    ids=["429", "400", "503", "reset", "hang", "html", "text", "choices", "error", "message"],
)
def test_the_documented_words_of_failures(fault: str, words: str, body: Any, server: EndpointServer) -> None:
    server.plan(sequence=[fault] * 5, retry_after=0, **({"raw": body} if body else {}))
    proxy = OpenAIProxy(server.base_url, max_retries=0, timeout=0.5 if fault == "hang" else 60)
    with pytest.raises(RuntimeError, match=words):
        proxy.process({"context": "c"})
    assert server.stats()["requests"] == 1


def test_waits_are_those_that_a_user_can_take_away(server: EndpointServer, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    server.plan(sequence=["503", "503", "ok"], answer="echo", retry_after=0)
    assert OpenAIProxy(server.base_url, retry_base_delay=60.0).process({"context": "said"})["response"] == "said"
    assert len(waits) == 2


def test_no_one_at_home() -> None:
    proxy = OpenAIProxy("http://127.0.0.1:9", max_retries=1, retry_base_delay=0.01)
    with pytest.raises(RuntimeError, match="Could not connect"):
        proxy.process({"context": "c"})


@pytest.mark.parametrize(
    ("url", "name"),
    [("http://localhost:8080", "localhost:8080"), ("http://localhost:8080/", "localhost:8080"),
     ("http://host.example/prefix", "host.example")],
    ids=["port", "slash", "path"],
)  # fmt: skip
def test_default_names(url: str, name: str) -> None:
    assert OpenAIProxy(base_url=url).name == f"openai_proxy_{name}"
    assert OpenAIProxy(base_url=url, name="mine").name == "mine"


def test_messages() -> None:
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]
    assert OpenAIProxy("http://h", system_prompt="s")._messages({"turns": turns}) == [
        {"role": "system", "content": "s"},
        *turns,
    ]
    assert OpenAIProxy("http://h")._messages({"context": "c", "question": "q"}) == [
        {"role": "system", "content": "c"},
        {"role": "user", "content": "q"},
    ]


def test_a_conversation_is_asked_turn_by_turn(server: EndpointServer) -> None:
    server.plan(answer="echo")
    turns = [{"role": "user", "content": "first"}, {"role": "user", "content": "second"}]
    assert [message["content"] for message in OpenAIProxy(server.base_url).process_conversation(turns)] == [
        "first",
        "second",
    ]


def test_a_proxy_in_a_run(server: EndpointServer, tmp_path: Path) -> None:
    rows = [{"id": number, "question": f"say [[{number} apples]]", "answer": f"{number} apples"} for number in range(8)]
    server.plan()
    for _ in range(2):
        before = server.stats()["requests"]
        result = evaluate(
            [OpenAIProxy(server.base_url, name="p")], rows, [AnswerQuality()], progress=False, max_workers=4,
            cache_dir=tmp_path,
        )  # fmt: skip
        assert [row.scores["f1"] for row in result.rows] == [1.0] * 8
        assert result.rows[0].metadata["completion_tokens"] > 0
    assert server.stats()["requests"] == before == 8  # the second run asks no endpoint


def judged(server: EndpointServer, reply: dict[str, Any], **original: str) -> dict[str, float]:
    server.plan(sequence=["raw"] * 20, raw=reply)
    return LLMJudge(server.base_url, "m").score({"question": "What is 2+2?", **original}, {"response": "4."})


@pytest.mark.parametrize(
    ("reply", "score"),
    [("1", 0.0), ("4", 0.75), ("Rating: 5", 1.0), ("I would rate this a 3.", 0.5), ("4/5", 0.75)],
    ids=["1", "4", "named", "sentence", "of_5"],
)
def test_a_bare_rating_is_read(reply: str, score: float, server: EndpointServer) -> None:
    assert judged(server, said(reply), answer="4") == {"judge_score": score}


@pytest.mark.parametrize("reply", ["", "no idea", "between 2 and 4", "10/10", "3.5", "7"], ids=str)
def test_a_judge_that_gives_no_rating_is_an_error(reply: str, server: EndpointServer) -> None:
    with pytest.raises(EvaluationError):
        judged(server, said(reply))


def test_an_empty_response_is_not_judged() -> None:
    judge = LLMJudge(base_url="http://127.0.0.1:9")
    assert judge.score({"answer": "x"}, {"response": ""}) == {"judge_score": 0.0}
    assert judge.name == "llm_judge"


def test_a_judge_that_is_not_there_is_an_error(server: EndpointServer) -> None:
    server.plan(sequence=["400"] * 20)
    judge = LLMJudge(server.base_url)
    with pytest.raises(EvaluationError):
        judge.score({"question": "q", "answer": "a"}, {"response": "r"})

    class Saying:
        name = "saying"

        def process(self, example: dict[str, Any]) -> dict[str, Any]:
            return {**example, "response": "r"}

    row = evaluate([Saying()], [{"id": 0, "question": "q"}], [judge], progress=False).rows[0]
    assert row.absent == {"judge_score": "error"}


def test_the_private_reading_of_ratings() -> None:
    texts = ["3", "Rating: 4", "I would rate this a 5.", "no number here"]
    assert [LLMJudge._parse_rating(text) for text in texts] == [3, 4, 5, 1]


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of this name that prints its words and its arguments."""
    program = tmp_path / "claude"
    program.write_text(
        '#!/bin/sh\n[ "$3" = fail ] && { echo broken >&2; exit 3; }\n[ "$3" = hang ] && sleep 60\necho "$*"\ncat\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return program


def test_claude_gets_the_prompt(claude: Path) -> None:
    system = ClaudeCLI(model="m", max_turns=2, allowed_tools=["Read", "Grep"], system_prompt="be short")
    assert system.name == "claude"
    response = system.process({"context": "The sky is blue.", "question": "Which colour?"})["response"]
    words, _, rest = response.partition("\n")
    assert words == "-p --model m --system-prompt be short --max-turns 2 --allowedTools Read,Grep"
    assert rest.startswith("The sky is blue.\n\nQuestion: Which colour?")
    assert ClaudeCLI(build_prompt=lambda example: "own").process({})["response"] == "-p\nown"
    assert ClaudeCLI().process({"context": "alone"})["response"] == "-p\nalone"


def test_claude_that_fails_or_hangs_is_an_error_not_an_answer(claude: Path) -> None:
    with pytest.raises(RuntimeError, match="code 3: broken"):
        ClaudeCLI(model="fail").process({"context": "c"})
    with pytest.raises(TimeoutError):
        ClaudeCLI(model="hang", timeout=0.3).process({"context": "c"})
    claude.unlink()
    with pytest.raises(RuntimeError, match="cannot start 'claude'"):
        ClaudeCLI().process({"context": "c"})
