"""A conversation with tools over HTTP: what an endpoint is sent, turn by turn, and what is kept of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.datasets.catalogue.loading import load
from ringtrue.dialects.fields import DEFAULT
from ringtrue.errors import ConfigurationError
from ringtrue.records import Json, Output
from ringtrue.scoring.tool_calls.read_calls import read_calls
from ringtrue.scoring.tool_calls.steps import written_call
from ringtrue.sync import run_sync
from ringtrue.systems.openai_proxy import OpenAIProxy
from support.json_server import Answer, JsonServer, Sent

pytest.importorskip("bfcl_eval", reason="pip install --no-deps bfcl-eval mpmath")
Reply = Callable[[dict[str, Any]], dict[str, Any]]


def served(reply: Reply) -> Callable[[Sent], Answer]:
    def answer(sent: Sent) -> Answer:
        message = {"role": "assistant", "content": "", **reply(sent.body)}
        usage = {"prompt_tokens": 10, "completion_tokens": 2}
        return 200, {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}, {}

    return answer


def native(*calls: tuple[str, dict[str, Json]]) -> dict[str, Any]:
    listed = [{"id": f"c{place}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
              for place, (name, given) in enumerate(calls)]  # fmt: skip
    return {"content": None, "tool_calls": listed}


def answered(name: str, case: dict[str, Json], reply: Reply) -> tuple[Output, list[dict[str, Any]]]:
    with JsonServer(served(reply)) as server:
        output = run_sync(OpenAIProxy(server.url, "m", api_key="k").answer(DEFAULT.case(case, 0)))
        return output, [sent.body for sent in server.sent]


def follows(case: dict[str, Json]) -> Reply:
    """A model that makes a turn's expected calls at once, and has nothing to add to their results."""
    asked = [turn["content"] for turn in case["turns"] if turn["role"] == "user"]

    def reply(body: dict[str, Any]) -> dict[str, Any]:
        said = body["messages"]
        if said[-1]["content"] not in asked:
            return {"content": "Done."}
        calls = [call for text in case["expected_turns"][asked.index(said[-1]["content"])] for call in read_calls(text)]
        if case.get("calls_in") == "text":
            return {"content": f"[{', '.join(map(written_call, calls))}]"}
        return native(*calls) if calls else {"content": "What is missing?"}

    return reply


def named_only(name: str) -> dict[str, Json]:
    """The first conversation of a category whose expected calls name all their arguments."""
    return next(
        case
        for case in load(name)
        if not any(
            "0" in call.arguments for turn in case["expected_turns"] for text in turn for call in read_calls(text)
        )
    )


CATEGORIES = ["base", "miss_func", "miss_param", "long_context"]


@pytest.mark.parametrize("form", ["", "_prompt"])
@pytest.mark.parametrize("category", CATEGORIES)
def test_expected_calls_pass_from_end_to_end(category: str, form: str) -> None:
    case = named_only(f"bfcl:multi_turn_{category}{form}")
    with JsonServer(served(follows(case))) as server:
        result = evaluate(OpenAIProxy(server.url, "m", api_key="k"), [case], progress=False, store=None)
    [row] = result.rows
    assert row.scores["conversation_calls"] == 1.0, row.metadata
    assert row.main == "conversation_calls"
    assert row.input_tokens == 10 * len(server.sent)


def test_tools_are_sent_and_results_come_back_by_id() -> None:
    case = named_only("bfcl:multi_turn_base")
    output, sent = answered("m", case, follows(case))
    assert {tool["function"]["name"] for tool in sent[0]["tools"]} >= {"cd", "mkdir", "grep"}
    assert all(body["tools"] == sent[0]["tools"] for body in sent)
    results = [message for message in sent[1]["messages"] if message["role"] == "tool"]
    assert [result["tool_call_id"] for result in results] == [f"c{place}" for place in range(len(results))]
    assert [message["role"] for message in output.messages].count("user") == len(case["turns"])
    assert output.text == "Done."


def test_functions_that_are_added_are_sent_from_their_turn_on() -> None:
    case = named_only("bfcl:multi_turn_miss_func")
    [(turn, added)] = case["added_tools"].items()
    names = {tool["function"]["name"] for tool in added}
    _, sent = answered("m", case, follows(case))
    for body in sent:
        users = sum(message["role"] == "user" for message in body["messages"])
        offered = {tool["function"]["name"] for tool in body["tools"]}
        assert names & offered == (names if users > int(turn) else set())


def test_in_text_functions_are_in_the_prompt_and_results_are_the_user_s() -> None:
    case = named_only("bfcl:multi_turn_base_prompt")
    _, sent = answered("m", case, follows(case))
    assert all("tools" not in body for body in sent)
    first = sent[0]["messages"][0]
    assert first["role"] == "system"
    assert '"name": "mkdir"' in first["content"]
    assert sent[1]["messages"][-1]["role"] == "user"
    assert sent[1]["messages"][-1]["content"].startswith("[{'role': 'tool', 'name': ")


@pytest.mark.parametrize(
    ("reply", "requests"),
    [
        (lambda body: native(("ls", {})), 21),
        (lambda body: {"content": "No."}, 4),
        (
            lambda body: {
                "tool_calls": [{"id": "1", "type": "function", "function": {"name": "ls", "arguments": "{"}}]
            },
            4,
        ),
    ],
    ids=["calls-without-end", "never-calls", "arguments-are-not-json"],
)
def test_how_a_turn_ends(reply: Reply, requests: int) -> None:
    case = next(load("bfcl:multi_turn_base"))
    output, sent = answered("m", case, reply)
    assert (len(sent), output.calls) == (requests, requests)


def test_what_decides_the_conversation_is_in_its_key() -> None:
    proxy = OpenAIProxy("http://127.0.0.1:1", "m", api_key="k")
    case = next(load("bfcl:multi_turn_base"))
    keys = {
        proxy.prepare_request(DEFAULT.case({**case, **change}, 0), 0)
        for change in (
            {},
            {"tools": []},
            {"max_steps": 3},
            {"environment": {**case["environment"], "long_context": True}},
        )
    }
    assert len(keys) == 4


def test_an_environment_no_one_knows_is_named() -> None:
    case = DEFAULT.case(
        {"turns": [{"role": "user", "content": "q"}], "environment": {"name": "mars"}, "question": "q"}, 0
    )
    with pytest.raises(ConfigurationError, match="no environment named 'mars'; there is bfcl"):
        run_sync(OpenAIProxy("http://127.0.0.1:1", "m", api_key="k").answer(case))
