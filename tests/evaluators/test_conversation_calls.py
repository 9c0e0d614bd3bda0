"""`ConversationCalls` decides as the authors' own checker does, on their conversations."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from ringtrue.datasets.catalogue.bfcl_rules import CATEGORIES
from ringtrue.datasets.catalogue.loading import load
from ringtrue.dialects.fields import DEFAULT
from ringtrue.evaluators import ConversationCalls
from ringtrue.records import Json, Output, Score, Trial
from ringtrue.scoring.tool_calls.bfcl_services import LARGEST, BfclServices
from ringtrue.scoring.tool_calls.read_calls import ToolCall, read_calls

checker = pytest.importorskip(
    "bfcl_eval.eval_checker.multi_turn_eval.multi_turn_checker", reason="pip install --no-deps bfcl-eval mpmath"
)
Steps = list[list[list[str]]]


def native(call: str) -> dict[str, Json]:
    """An expected call as an endpoint reports it; positions stay, as numbers, since no signature is at hand."""
    [read] = read_calls(call)
    return {"id": "1", "type": "function", "function": {"name": read.name, "arguments": read.arguments}}


def conversation(case: dict[str, Json], said: Steps) -> list[dict[str, Json]]:
    messages: list[dict[str, Json]] = []
    for turn, steps in zip(case["turns"], said, strict=False):
        messages.append(turn)
        for step in steps:
            calls = [native(call) for call in step]
            messages.append({"role": "assistant", "content": "", "tool_calls": calls})
            messages += [{"role": "tool", "content": "{}", "tool_call_id": "1"} for _ in calls]
        messages.append({"role": "assistant", "content": "Done."})
    return messages


def score(case: dict[str, Json], messages: list[dict[str, Json]]) -> Score:
    return ConversationCalls().measure(Trial(DEFAULT.case(case, 0), Output("Done.", messages=messages)))


def authors_verdict(case: dict[str, Json], said: Steps, name: str) -> bool:
    services = case["environment"]
    entry = {"id": case["id"], "initial_config": services["config"], "involved_classes": services["classes"]}
    # Their instances are kept by name for as long as the process lives: a name of its own is a fresh start.
    return bool(checker.multi_turn_checker(said, case["expected_turns"], entry, case["category"], name)["valid"])


def variants(case: dict[str, Json]) -> Iterator[tuple[str, Steps]]:
    expected, draw = case["expected_turns"], random.Random(case["id"])
    plain = [[list(turn)] if turn else [] for turn in expected]
    yield "as_expected", plain
    yield "step_by_step", [[[call] for call in turn] for turn in expected]
    yield "nothing", [[] for _ in expected]
    turn = draw.choice([place for place, calls in enumerate(expected) if calls])
    yield "reversed", [*plain[:turn], [expected[turn][::-1]], *plain[turn + 1 :]]
    yield "one_missing", [*plain[:turn], [expected[turn][:-1]] if expected[turn][1:] else [], *plain[turn + 1 :]]
    yield "one_twice", [*plain[:turn], [[*expected[turn], expected[turn][-1]]], *plain[turn + 1 :]]
    yield "unknown_function", [*plain[:turn], [["no_such_function(a=1)"], *plain[turn]], *plain[turn + 1 :]]
    yield "another_s_calls", [plain[turn], *plain[1:]]


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_verdict_is_the_authors(category: str) -> None:
    found: set[tuple[str, bool]] = set()
    for case in list(load(f"bfcl:{category}"))[::8]:
        for name, said in variants(case):
            mine = score(case, conversation(case, said))
            assert (mine.value == 1.0) == authors_verdict(case, said, f"{category}_{name}"), (case["id"], name)
            found.add((name, mine.value == 1.0))
    assert {("as_expected", True), ("step_by_step", True), ("nothing", False), ("one_missing", False)} <= found
    assert ("as_expected", False) not in found


@pytest.fixture
def case() -> dict[str, Json]:
    return next(load("bfcl:multi_turn_base"))


def test_a_conversation_that_ended_early_fails(case: dict[str, Json]) -> None:
    said = [[list(turn)] for turn in case["expected_turns"]]
    failed = score(case, conversation(case, said[:2]))
    assert (failed.value, failed.reason) == (0.0, "the conversation ended in turn 2 of 4")
    assert score(case, []).reason == "the conversation ended in turn 0 of 4"


def test_a_failure_names_the_turn_and_what_is_wrong(case: dict[str, Json]) -> None:
    said = [[list(turn)] for turn in case["expected_turns"]]
    assert (
        "after turn 1 the state of GorillaFileSystem is not the expected one"
        in score(case, conversation(case, [[["ls()"]], *said[1:]])).reason
    )
    assert "turn 3 makes no call; it needs sort" in score(case, conversation(case, [*said[:2], [], said[3]])).reason
    other = [["cd(folder='temp')", "grep(file_name='final_report.pdf',pattern='nowhere')"]]
    assert "after turn 2 no call has returned" in score(case, conversation(case, [said[0], other, *said[2:]])).reason


def test_rows_without_services_are_skipped() -> None:
    assert score({"id": 1, "question": "q"}, []).status == "skipped"


@pytest.mark.parametrize("broken", [{"turn": 1}, [["cd("]], [["ls() or 1"]], ["ls()"]])
def test_expected_calls_that_cannot_be_read_are_an_error(case: dict[str, Json], broken: Any) -> None:
    expected = "skipped" if isinstance(broken, dict) else "error"
    assert score({**case, "expected_turns": broken}, []).status == expected


@pytest.mark.parametrize(
    ("call", "result"),
    [
        (ToolCall("add", {"a": 1, "b": 2}), '{"result": 3}'),
        (ToolCall("add", {"0": 1, "1": 2}), '{"result": 3}'),
        (ToolCall("add", {"a": ToolCall("other", {}), "b": 2}), "Error during execution: name 'other' is not defined"),
        (ToolCall("power", {"base": 10, "exponent": 10**12}), "Error during execution: exponent is at most 10000"),
        (ToolCall("logarithm", {"value": 2, "base": 3, "precision": 10**9}),
         f"Error during execution: precision is at most {LARGEST['precision']}"),
        (ToolCall("__init__", {}), "Error during execution: name '__init__' is not defined"),
        (ToolCall("_log", {}), "Error during execution: name '_log' is not defined"),
        (ToolCall("os.system", {"command": "ls"}), "Error during execution: name 'os' is not defined"),
        (ToolCall("eval", {"0": "1"}), "Error during execution: name 'eval' is not defined"),
        (ToolCall("add", {"a b": 1}), "Error during execution: 'a b' is not the name of an argument"),
        (ToolCall("add", {"class": 1}), "Error during execution: 'class' is not the name of an argument"),
    ],
    ids=["named", "placed", "nested-unknown", "huge-power", "huge-precision", "dunder", "private", "module", "builtin",
         "no-identifier", "keyword"],
)  # fmt: skip
def test_calls_are_carried_out_by_public_functions_alone(call: ToolCall, result: str) -> None:
    assert BfclServices(["MathAPI"], {}).call(call) == result
