"""`ToolCallMatch`: whether the calls a system makes are the expected ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Json, Score, Trial
from ringtrue.scoring.tool_calls.call_match import mismatch
from ringtrue.scoring.tool_calls.read_calls import native_calls, read_calls


@dataclass(frozen=True)
class ToolCallMatch(Check):
    """1.0 if the calls made, in any order, are the expected ones; where none is expected, making none is right."""

    default_name = "tool_call_match"
    parts = ("tool_call_match",)
    needs = (
        "`expected_calls`: per call an object, function -> argument -> list of accepted values (an empty string among "
        "them: it may be left out); `tools` with the functions' parameters, for required arguments and types"
    )
    formula = (
        "1 if every expected call has a partner of its own among the calls made and none is left over; strings are "
        "equal without case, blanks and ,./-_*^; an integer may stand for a float; calls are those the endpoint "
        "reported, else those written in the reply as Python or JSON"
    )
    matches = "the AST checker of the Berkeley Function-Calling Leaderboard, for Python"

    threshold: float = 1.0

    def grade(self, trial: Trial) -> Score:
        """Whether the calls reported or written are the expected ones."""
        expected = trial.case.fields.get("expected_calls")
        if not isinstance(expected, list):
            return Score.skipped("there are no expected calls to compare with")
        if not all(_is_call(item) for item in expected):
            return Score.error("expected_calls is not a list of {function: {argument: [accepted values]}}")
        said = native_calls(trial.output.tool_calls) or read_calls(trial.output.text)
        tools = trial.case.fields.get("tools")
        reason = mismatch(said, expected, tools if isinstance(tools, list) else ())
        return self.verdict(float(not reason), reason, calls=len(said))


def _is_call(item: Json) -> bool:
    if not isinstance(item, Mapping) or len(item) != 1:
        return False
    arguments = next(iter(item.values()))
    return isinstance(arguments, Mapping) and all(isinstance(values, list) for values in arguments.values())
