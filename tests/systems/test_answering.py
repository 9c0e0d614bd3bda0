"""`as_system`: whatever answers, in the runner's words."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import Any

import pytest

from ringtrue import EvalCase
from ringtrue.errors import ConfigurationError
from ringtrue.records import Case, Output
from ringtrue.systems.function import as_system
from ringtrue.systems.system import prepare_request

CASE = Case(7, "hi", ("HI",), "some context", tags=("t",), fields={"question": "hi", "extra": [1]})


def answer(obj: Any, case: Case = CASE) -> Output:
    return asyncio.run(_answer(obj, case))


async def _answer(obj: Any, case: Case) -> Output:
    return await as_system(obj).answer(case, 0)


async def later(text: str) -> str:
    await asyncio.sleep(0)
    return text.upper()


class Callable:
    async def __call__(self, text: str) -> str:
        return text.upper()


class Process:
    name = "p"

    def process(self, example: dict[str, Any]) -> dict[str, Any]:
        return {
            **example,
            "response": example["question"].upper(),
            "latency": 1.5,
            "api_usage": {"prompt_tokens": 3, "completion_tokens": -1},
        }


def test_a_function_of_messages_gets_the_conversation_or_the_question() -> None:
    def joined(messages: list[dict[str, str]]) -> str:
        return ", ".join(f"{message['role']} {message.pop('content')}" for message in messages)

    said = ({"role": "user", "content": "a"}, {"role": "assistant", "content": "b"})
    assert answer(joined).text == "user hi"
    assert answer(joined, Case(input="c", messages=said)).text == "user a, assistant b"
    assert said[0]["content"] == "a"


@pytest.mark.parametrize(
    ("system", "text"),
    [
        (str.upper, "HI"),
        (lambda text: text.upper(), "HI"),
        (later, "HI"),
        (Callable(), "HI"),
        (Process(), "HI"),
        (lambda example: {"response": example["extra"]}, "[1]"),
        (lambda case: f"{case.input} {case.case_id} {case.tags}", "hi 7 ['t']"),
        (lambda text: {"a": 1}, ""),
        (lambda text: 42, ""),
        (lambda text: Output("as it is", calls=3), "as it is"),
        (lambda text: {"response": None}, ""),
        (lambda text: None, ""),
    ],
    ids=[
        "builtin",
        "lambda",
        "async",
        "async_call",
        "process",
        "example",
        "case",
        "json",
        "int",
        "output",
        "none",
        "None",
    ],
)
def test_what_it_says(system: Any, text: str) -> None:
    assert answer(system).text == text


def test_what_a_documented_system_reports() -> None:
    output = answer(Process())
    assert (output.latency_seconds, output.input_tokens, output.output_tokens) == (1.5, 3, None)


@pytest.mark.parametrize("value", [None, {"response": None}])
def test_nothing_is_a_problem_of_the_system(value: Any) -> None:
    output = answer(lambda text: value)
    assert (output.text, output.problem, output.error) == ("", "the output is None", "")


def test_a_case_arrives_in_the_suites_words() -> None:
    seen: list[EvalCase] = []
    answer(lambda case: seen.append(case))
    assert (seen[0].input, seen[0].expected_output, seen[0].case_id) == ("hi", "HI", "7")
    seen[0].metadata["extra"].append(2)
    assert CASE.fields["extra"] == [1]


@pytest.mark.parametrize(
    ("obj", "words"), [(Process, "pass an object"), (3, "is not a system"), ("text", "is not a system")]
)
def test_what_is_not_a_system(obj: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        as_system(obj)


def test_the_signature_follows_the_code() -> None:
    def one(text: str) -> str:
        return text

    def other(text: str) -> str:
        return text + "!"

    assert as_system(one).signature() == as_system(one).signature()
    assert as_system(one).signature().partition("|")[2] != as_system(other).signature().partition("|")[2]
    assert prepare_request(as_system(one), CASE, 0).key is None


def test_code_in_a_thread_sees_the_callers_context() -> None:
    seen = ContextVar("seen", default="nothing")
    seen.set("caller")
    assert answer(lambda text: seen.get()).text == "caller"
