"""Field names of all dialects and of peers are understood."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.dialects.fields import Fields
from ringtrue.errors import ConfigurationError
from ringtrue.records import Case


@pytest.mark.parametrize(
    ("row", "text", "expected"),
    [
        ({"question": "q", "answer": "a", "response": "r"}, "r", ("a",)),
        ({"input": "q", "expected_output": "a", "actual_output": "r"}, "r", ("a",)),
        ({"input": "q", "target": "a", "output": "r"}, "r", ("a",)),
        ({"user_input": "q", "reference": "a", "response": "r"}, "r", ("a",)),
        ({"question": "q", "answer": "r", "ground_truth": "a"}, "r", ("a",)),
        ({"prediction": "r", "references": ["a", "b"]}, "r", ("a", "b")),
        ({"prediction": "r", "answers": {"text": ["a"], "answer_start": [3]}}, "r", ("a",)),
        ({"completion": 42, "gold": 42}, "42", ("42",)),
        ({"response": {"x": 1}, "answer": None}, '{"x":1}', None),
        ({"response": "r", "answer": ""}, "r", ("",)),
        ({"response": "r"}, "r", None),
        ({"target": "a", "output": {"choices": [{"message": {"content": "r"}}], "completion": "r"}}, "r", ("a",)),
        ({"expected": "a", "response": {"output": "r", "tokenUsage": {}, "cached": False}}, "r", ("a",)),
        ({"actualOutput": "r", "expectedOutput": "a"}, "r", ("a",)),
        ({"target": "a", "resps": [["long r"]], "filtered_resps": ["r"]}, "r", ("a",)),
        ({"target": "a", "resps": [["r"]]}, "r", ("a",)),
        ({"output": ["r"], "target": ["a"]}, '["r"]', ("a",)),
    ],
    ids=[
        "dict",
        "deepeval",
        "inspect",
        "ragas",
        "old-ragas",
        "squad-list",
        "squad",
        "numbers",
        "json",
        "empty",
        "bare",
        "inspect-log",
        "promptfoo",
        "deepeval-log",
        "lm-eval",
        "lm-eval-unfiltered",
        "json-list",
    ],
)
def test_aliases(row: dict[str, Any], text: str, expected: tuple[str, ...] | None) -> None:
    trial = Fields(answered=True).trial(row, 7)
    assert (trial.output.text, trial.case.expected) == (text, expected)
    assert trial.case.id == 7


def test_answer_is_the_gold_of_a_case_whatever_else_it_has() -> None:
    row = {"question": "q", "answer": "Paris", "target": "Rome"}
    assert Fields().case(row, 0).expected == ("Paris",)
    assert Fields(answered=True).case({**row, "response": "x"}, 0).expected == ("Paris",)


def test_ids_keep_their_type() -> None:
    assert [Fields().identity({"id": value}, 0) for value in (1, "1", None, [])] == [1, "1", 0, 0]


@pytest.mark.parametrize(
    ("row", "seconds"),
    [
        ({"latency_ms": 250}, 0.25),
        ({"latency": 2}, 2.0),
        ({"latencyMs": 250}, 0.25),
        ({"latency_ms": "250"}, 0.25),
        ({"latency_ms": "inf"}, None),
        ({"latency_seconds": 0}, 0.0),
        ({"latency_ms": -1}, None),
        ({"latency_ms": True}, None),
        ({"latency_ms": "fast"}, None),
        ({"latency_ms": float("nan")}, None),
        ({"latency_ms": 10**400}, None),
    ],
    ids=str,
)
def test_latency(row: dict[str, Any], seconds: float | None) -> None:
    assert Fields().trial({"response": "r", **row}, 0).output.latency_seconds == seconds


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (None, "the output is None"),
        (b"x", "the output is bytes, not text"),
        (object(), "the output is object, not text"),
    ],
    ids=["none", "bytes", "object"],
)
def test_a_broken_output_has_a_problem(value: Any, problem: str) -> None:
    assert Fields().trial({"response": value}, 0).output.problem == problem


def test_a_mapping_names_other_fields() -> None:
    fields = Fields({"response": "said", "expected": "label"})
    trial = fields.trial({"said": "x", "label": "y", "response": "no", "answer": "no"}, 0)
    assert (trial.output.text, trial.case.expected) == ("x", ("y",))
    assert Fields({"actual_output": "said", "answer": "label"}).mapping == fields.mapping
    with pytest.raises(ConfigurationError, match="names the field of response"):
        Fields({"respnse": "said"})


NESTED = {"said": {"parts": [{"text": "r"}]}, "meta": {"gold": ["a", "b"], "id": "k", "took_ms": 250}}


def test_a_mapping_leads_into_objects_and_lists() -> None:
    paths = {
        "response": "said.parts.0.text",
        "answer": "meta.gold.-1",
        "id": "meta.id",
        "latency": "meta.took_ms",
        "input": "meta.gold.0",
        "context": "meta.gold",
    }
    fields = Fields(paths, answered=True)
    row = fields.lift_paths(NESTED)
    trial = fields.trial(row, 7)
    assert (trial.output.text, trial.output.latency_seconds) == ("r", 0.25)
    assert trial.case == Case("k", "a", ("b",), "a\n\nb", fields=row)


def test_a_path_that_leads_nowhere_is_not_a_field() -> None:
    fields = Fields({"response": "said.parts.0.text"}, answered=True)
    assert fields.columns(fields.lift_paths(NESTED)).response == "said.parts.0.text"
    assert fields.columns(fields.lift_paths({**NESTED, "said": None})).response is None
    assert fields.lift_paths({"said.parts.0.text": "own", **NESTED})["said.parts.0.text"] == "own"


@pytest.mark.parametrize("mapping", [{"response": "said"}, {"response": "said.text"}, {"expected": "answer"}], ids=str)
def test_a_field_that_was_named_is_never_replaced(mapping: dict[str, str]) -> None:
    """Rows of question, answer, ground_truth are answers only where no mapping says otherwise."""
    found = Fields(mapping, answered=True).columns({"question": "q", "answer": "a", "ground_truth": "b"})
    assert (found.response, found.expected) == (None, "answer")


def test_a_blank_cell_is_not_an_answer_where_cells_cannot_be_left_out() -> None:
    assert Fields(blank_is_missing=True).trial({"response": "", "answer": ""}, 0).case.expected is None


@given(st.dictionaries(st.text(), st.one_of(st.none(), st.text(), st.integers(), st.lists(st.text()))))
def test_any_row_has_a_trial(row: dict[str, Any]) -> None:
    Fields().trial(row, 0)


def test_memory_of_shapes_is_bounded() -> None:
    fields = Fields()
    for number in range(3_000):
        fields.columns({f"key{number}": 1})
    assert len(fields._shapes) <= 1_000


USER, ASSISTANT = {"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "4"}
CALL = {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "add", "arguments": "{}"}}]}
TOOLS = [{"type": "function", "function": {"name": "add"}}]


@pytest.mark.parametrize(
    ("row", "input", "text", "problem"),
    [
        ({"messages": [USER, ASSISTANT]}, "2+2?", "4", ""),
        ({"messages": [USER, CALL, ASSISTANT], "tools": TOOLS, "answer": "4"}, "2+2?", "4", ""),
        ({"messages": [USER, ASSISTANT], "question": "asked"}, "asked", "4", ""),
        ({"messages": [USER]}, "2+2?", "", "the transcript has no answer of the assistant"),
        ({"messages": [USER, ASSISTANT], "response": "5"}, "", "5", ""),
        ({"messages": [1, None, "x"]}, "", "", "the transcript has no answer of the assistant"),
        ({"messages": [USER, ASSISTANT], "tools": 7}, "2+2?", "4", ""),
        ({"messages": []}, "", "", "there is no response"),
        ({"messages": "hello"}, "", "", "there is no response"),
        ({"messages": None}, "", "", "there is no response"),
    ],
    ids=["chat", "tools", "question", "unanswered", "response", "rubbish", "bad_tools", "empty", "text", "null"],
)
def test_transcripts(row: dict[str, Any], input: str, text: str, problem: str) -> None:
    trial = Fields(answered=True).trial(row, 3)
    assert (trial.case.input, trial.output.text, trial.output.problem) == (input, text, problem)
    assert (trial.case.id, trial.case.fields) == (3, row)
    if row.get("tools") is TOOLS:
        assert list(trial.case.tools) == TOOLS
        assert trial.output.tool_calls[0]["function"]["name"] == "add"
        assert trial.case.expected == ("4",)


def test_a_field_that_the_user_named_is_not_looked_for_in_a_transcript() -> None:
    assert Fields({"response": "said"}, answered=True).output({"messages": [USER, ASSISTANT]}).problem
    assert not Fields({"response": "said"}).is_transcript({"messages": [USER, ASSISTANT]})
