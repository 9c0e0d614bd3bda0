"""Programs scored by `CodeExecution`: a task, its right answer, and the score of any answer."""

from __future__ import annotations

from typing import Any

from ringtrue.dialects.dicts import trial_of
from ringtrue.evaluators.code_execution import CodeExecution
from ringtrue.records import Score
from support.cheats import TEST

RIGHT = "def solve(a, b):\n    return a + b\n"
SOLVE: dict[str, Any] = {"test": TEST, "entry_point": "solve"}


def measured(evaluator: CodeExecution, original: dict[str, Any], response: str) -> Score:
    return evaluator.measure(trial_of(original, {"response": response}))
