"""What is shown of an answer that says nothing: the tools it calls."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue.records import Output
from ringtrue.reports.answer_text import answer_problem, answer_text

NOTHING = "the transcript has no answer of the assistant"


def call(name: str, arguments: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}}


@pytest.mark.parametrize(
    ("output", "text", "problem"),
    [
        pytest.param(Output("yes"), "yes", "", id="said"),
        pytest.param(Output(problem="the output is None"), "", "the output is None", id="nothing"),
        pytest.param(
            Output(problem=NOTHING, tool_calls=(call("search", '{"query": "magic", "n": 3}'),)),
            "calls search(query: magic, n: 3)",
            "",
            id="a-call-is-not-a-missing-answer",
        ),
        pytest.param(
            Output(problem=NOTHING, tool_calls=(call("f", "[" * 10_000),)), f"calls f({'[' * 10_000})", "", id="deep"
        ),
        pytest.param(Output(problem="down", error="model_error", tool_calls=(call("f", ""),)), "", "down", id="error"),
    ],
)
def test_an_answer_in_words(output: Output, text: str, problem: str) -> None:
    assert (answer_text(output), answer_problem(output)) == (text, problem)
