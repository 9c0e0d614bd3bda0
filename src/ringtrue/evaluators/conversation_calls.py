"""`ConversationCalls`: whether the calls of a conversation did to simulated services what the expected ones do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Json, Score, Trial
from ringtrue.scoring.tool_calls.bfcl_services import conversation_problem
from ringtrue.scoring.tool_calls.read_calls import ToolCall, read_calls
from ringtrue.scoring.tool_calls.steps import calls_of


@dataclass(frozen=True)
class ConversationCalls(Check):
    """1.0 if after every turn the services are in the expected state and have returned the expected results.

    The calls are those of the assistant's messages of the output; they are carried out again, beside the expected ones.
    """

    default_name = "conversation_calls"
    parts = ("conversation_calls",)
    needs = (
        "`expected_turns`: per turn a list of calls in Python syntax; `environment`: the services; the `turns` asked; "
        "the output's messages; the package bfcl-eval"
    )
    formula = (
        "1 if all turns were held and after each that expects calls, calls were made, the services' state equals that "
        "after the expected calls, and the results so far hold all of the turn's expected results, else 0"
    )
    matches = "the multi-turn checker of bfcl-eval 2026.3.23"

    threshold: float = 1.0

    def grade(self, trial: Trial) -> Score:
        """The verdict of the authors' checks."""
        fields = trial.case.fields
        expected, environment = fields.get("expected_turns"), fields.get("environment")
        if not isinstance(expected, list) or not isinstance(environment, Mapping):
            return Score.skipped("there are no expected calls and no services to compare with")
        truth = [_expected_calls(turn) for turn in expected]
        if None in truth:
            return Score.error("expected_turns is not a list of turns, each a list of calls in Python syntax")
        held = steps_of(trial.output.messages, fields.get("turns") or (), in_text=fields.get("calls_in") == "text")
        if len(held) != len(truth):
            return self.verdict(0.0, f"the conversation ended in turn {len(held)} of {len(truth)}")
        scenario = {name: value for name, value in environment.items() if name != "name"}
        reason = conversation_problem(scenario, held, [turn for turn in truth if turn is not None])
        return self.verdict(float(not reason), reason, calls=sum(len(step) for turn in held for step in turn))


def steps_of(
    messages: Sequence[Mapping[str, Json]], turns: Sequence[Json], *, in_text: bool
) -> list[list[list[ToolCall]]]:
    """The calls that a conversation makes, step by step, for each of the given turns of the user that it holds."""
    asked = [turn.get("content") for turn in turns if isinstance(turn, Mapping) and turn.get("role") == "user"]
    found: list[list[list[ToolCall]]] = []
    for message in messages:
        role = message.get("role")
        if role == "user" and len(found) < len(asked) and message.get("content") == asked[len(found)]:
            found.append([])
        elif role == "assistant" and found:
            calls = calls_of(message, in_text=in_text)
            found[-1] += [calls] if calls else []
    return found


def _expected_calls(turn: Json) -> list[ToolCall] | None:
    if not isinstance(turn, list):
        return None
    read = [read_calls(str(call)) for call in turn]
    return [calls[0] for calls in read] if all(len(calls) == 1 for calls in read) else None
