"""Audits by scripted auditors: what they call, and what becomes of it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from ringtrue.dialects.evaluation_output import EvaluationOutput
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluator, SemanticTestEvaluatorConfig
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.sandbox import Container

RUBRIC = {
    "file_exists": "20 points boolean - does the file exist?",
    "uses_recursion": "40 points boolean - does it use recursion?",
    "works_correctly": "40 points boolean - does it produce correct results?",
    "score": "number (0-100) - total score based on criteria above",
}
FREE = {"quality": "string - how good is it?", "score": "number (0-100)"}
FIBONACCI = "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nprint(fib(10))\n"
FILLED = {
    "evidence": "It prints 55.",
    "rubric": {"file_exists": True, "uses_recursion": True, "works_correctly": False},
}
NO_SANDBOX = Container("an-engine-nobody-has")


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"id": "a", "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}


def calls(*made: dict[str, Any], **fields: Any) -> Reply:
    given = {"text": "", "finish_reason": "tool_calls", "input_tokens": 100, "output_tokens": 10, "cost": 0.01}
    return Reply(**given | {"tool_calls": list(made), "model": "m"} | fields)


def action(tool: str, **arguments: Any) -> dict[str, Any]:
    """The same for a model that cannot call tools."""
    return {"thought": "", "tool": tool, "path": ".", "start_line": 1, "pattern": "", "command": "", **arguments}


def freely(score: Any) -> dict[str, Any]:
    return {"evidence": "seen", "rubric": {"quality": "fine", "score": score}}


DONE = calls(call("finish"))


def config(folder: Path, **settings: Any) -> SemanticTestEvaluatorConfig:
    given = {"working_dir": folder, "steps": "1. Run it", "rubric": RUBRIC, "context": "Write fib.py"}
    return SemanticTestEvaluatorConfig(**given | settings)


def audit(folder: Path, *replies: Any, model: Any = None, sandbox: Any = None, **settings: Any) -> EvaluationOutput:
    evaluator = SemanticTestEvaluator(
        config(folder, **settings), model=model or scripted_judge(replies), sandbox=sandbox
    )
    return asyncio.run(evaluator.run(working_dir=folder))


def seen(result: EvaluationOutput, step: int = 0) -> str:
    """What a step of an audit gave."""
    return str(result.metadata["audit"][step]["result"])


def content(request: Request) -> str:
    return "\n".join(str(message.get("content")) for message in request.messages)
