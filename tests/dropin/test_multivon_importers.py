"""What importers make of recorded runs."""

from __future__ import annotations

import asyncio
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from multivon_eval import (
    AgentStep,
    CaseImporter,
    EvalCase,
    EvalStatus,
    EvalSuite,
    ExactMatch,
    LangSmithImporter,
    ToolCall,
)

from support.fake_modules import fake_module


def recorded(**fields: Any) -> Any:
    known = {"run_type": "tool", "name": "t", "inputs": {}, "outputs": {}, "error": None, "start_time": 0}
    return SimpleNamespace(**{**known, **fields})


def test_recorded_runs_are_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    run = recorded(
        id=7,
        name="agent",
        inputs={"question": "Where?"},
        outputs={"answer": "Peru"},
        child_runs=[
            recorded(name="say", start_time=3, error="down"),
            recorded(run_type="llm", start_time=2),
            recorded(name="search", inputs={"q": 1}, outputs={"output": "found"}, start_time=1),
        ],
    )
    bare = recorded(id=8, inputs={"x": "first", "y": "second"}, outputs=None, child_runs=None, error="gone")

    class Client:
        def __init__(self, api_key: str | None) -> None:
            self.runs = {7: run, 8: bare}

        def list_runs(self, **wanted: Any) -> list[Any]:
            assert wanted == {"project_name": "p", "run_type": "chain", "limit": 5, "filter": None}
            return list(self.runs.values())

        def read_run(self, key: int, load_child_runs: bool) -> Any:
            return self.runs[key]

    monkeypatch.setitem(sys.modules, "langsmith", fake_module("langsmith", Client=Client))
    first, second = LangSmithImporter("p").load(limit=5)
    assert (first.input, first.metadata["_output"], first.metadata["_error"]) == ("Where?", "Peru", None)
    assert first.agent_trace == [
        AgentStep("", [ToolCall("search", {"q": 1}, "found")]),
        AgentStep("", [ToolCall("say", {}, "[ERROR: down]")], "Peru"),
    ]
    assert (second.input, second.metadata["_output"], second.metadata["_error"]) == ("first", "", "gone")
    assert second.agent_trace is None


class Memory(CaseImporter):
    """Three answers to one question, and one to another."""

    def load(self, **options: Any) -> list[EvalCase]:
        said = [("q", "a"), ("q", "b"), ("q", "c"), ("other", "d")]
        return [EvalCase(question, answer, metadata={"_output": answer}) for question, answer in said]


def test_recorded_answers_are_said_again_to_their_own_cases() -> None:
    cases = Memory().load()
    with pytest.warns(DeprecationWarning, match="run_on_cases"):
        replay = Memory().as_model_fn(cases)
    suite = EvalSuite("s").add_cases(cases[::-1]).add_evaluator(ExactMatch())
    assert suite.run(replay, verbose=False, workers=4).passed == 4
    assert asyncio.run(suite.run_async(replay, verbose=False)).passed == 4
    assert replay("other") == "d"
    for question in ("q", "unknown"):
        with pytest.raises(ValueError, match="Unknown or ambiguous"):
            replay(question)
    changed = EvalSuite("s").add_case(EvalCase("other", "e")).add_evaluator(ExactMatch())
    assert changed.run(replay, verbose=False).case_results[0].status is EvalStatus.MODEL_ERROR


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("metadata", [{}, {"_output": None}, {"_output": 42}], ids=range(3))
def test_an_answer_that_is_not_recorded_is_not_made_up(metadata: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="string"):
        Memory().as_model_fn([EvalCase("q", metadata=metadata)])
