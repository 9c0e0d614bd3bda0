"""`ToolCallMade`: whether a system calls a function at all."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial
from ringtrue.scoring.tool_calls.read_calls import native_calls, read_calls


@dataclass(frozen=True)
class ToolCallMade(Check):
    """1.0 if at least one call is reported or written in the reply; which one, and with what, does not count."""

    default_name = "tool_call_made"
    parts = ("tool_call_made",)
    needs = "nothing but an output"
    formula = "1 if there is a call, else 0"
    matches = "the relevance check of the Berkeley Function-Calling Leaderboard"

    threshold: float = 1.0

    def grade(self, trial: Trial) -> Score:
        """Whether there is a call."""
        calls = native_calls(trial.output.tool_calls) or read_calls(trial.output.text)
        return self.verdict(float(bool(calls)), "" if calls else "no function is called", calls=len(calls))
