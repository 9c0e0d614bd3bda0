"""Calls and prompt tokens of every judged evaluation, against the public implementations' formulas on the same input.

    python benchmarks/judged_calls.py

Judges are scripted. Ours are counted from what was sent: every message with its instructions. The public formula gives
how many calls there are and which texts each carries; those are counted bare, and once more with our own instructions
in each call, since theirs are not published as a number. Schemas are counted on neither side.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ringtrue.dialects.tools import tools_of
from ringtrue.dialects.transcripts import render, split_at_last_answer, turns, up_to_last_user
from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator
from ringtrue.evaluators.judged.guidance import GuidanceEvaluator
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.preference_adherence import PreferenceAdherenceEvaluator
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluator
from ringtrue.evaluators.judged.tool_usage import ToolUsageEvaluator
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.scripted import ScriptedModel
from ringtrue.models.tokens import count

sys.path.insert(0, str(Path(__file__).parent / "claims"))
from claim_losses import Cost, cost_of, public_cost, verified
from claim_set import fifteen

SYSTEM = "You help with travel. Be brief. Avoid emojis. You cannot book anything yourself."
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": about,
            "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
        },
    }
    for name, about in (("search", "Search the web for pages"), ("calculator", "Work out an expression"))
]
QUESTION = "Book me a train from Paris to Lyon on Friday and tell me how long it takes."
ANSWER = "I cannot book trains. The fastest ones take about two hours. Shall I look up Friday's timetable?"
MESSAGES = [
    {"role": "system", "content": SYSTEM},
    {"role": "user", "content": "Hello, I am planning a week in France, and I like short answers."},
    {"role": "assistant", "content": "Welcome! Which cities are on your list?"},
    {"role": "user", "content": QUESTION},
    {"role": "assistant", "content": ANSWER},
]
CRITERIA = ["It says what it cannot do", "It offers a next step", "It has no emojis"]
PREFERENCES = ["Be brief.", "Avoid emojis.", "Short answers."]
MANIFEST = "## Can\n- search the web\n- work out expressions\n\n## Cannot\n- book anything"
RUBRIC = {"file_exists": "100 points boolean - is there a file?", "score": "number (0-100)"}

Carried = Sequence[tuple[str, Sequence[str]]]
"""One entry for each public call: the prompt of ours that stands for its instructions, and the texts it carries."""


class Compared(NamedTuple):
    """What an evaluation took, and what the public formula says; without one, None."""

    name: str
    ours: Cost
    public: Cost | None


def public(calls: Carried) -> Cost:
    """The cost of the public implementation's calls."""
    bare = sum(count(text).count for _, texts in calls for text in texts)
    instructions = sum(count(prompt(name).system).count for name, _ in calls)
    return Cost(len(calls), bare, bare + instructions)


REPLIES: dict[str, Any] = {
    "check_criteria": {"reasoning": "", "met": "yes", "probability": 1},
    "guidance_scope": {
        "capabilities_analysis": "",
        "sufficient_capabilities": "",
        "in_scope_reasoning": "",
        "is_in_scope_probability": 3,
    },
    "guidance_grace": {"reasoning": "", "score": 90},
    "preference_extraction": {
        "preferences": [{"start_line": 1, "end_line": 1, "preference": one} for one in PREFERENCES]
    },
    "preference_adherence": {"reasoning": "", "determination": "adhered", "adherence_probability": 90},
    "tool_usage": {
        "tool_evaluations": [{"tool": number, "reasoning": "", "probability": 10} for number in (1, 2)],
    },
    "llm_judge": {"reasoning": "", "rating": 4},
}


def judge() -> ScriptedModel:
    """A judge with one reply for each prompt; a question without a schema asks for the manifest."""

    def reply(request: Request) -> Any:
        bound = request.parameters.get("response_format")
        return MANIFEST if bound is None else REPLIES[bound["json_schema"]["name"]]

    return scripted_judge(reply)


def transcripts() -> list[Compared]:
    """The evaluations that read one transcript."""
    story = turns(MESSAGES)
    before, answer = split_at_last_answer(story)
    whole, beginning = render(story), render(up_to_last_user(story))
    unsystematic = render(turn for turn in before if turn.role != "system")
    names = "\n".join(f"{tool.name}: {tool.description}" for tool in tools_of(TOOLS))
    full = "\n".join(tool.text() for tool in tools_of(TOOLS))
    numbered = "\n".join(f"{at:>4}→{line}" for at, line in enumerate(beginning.splitlines()))
    plan: list[tuple[Any, Carried]] = [
        (
            CheckCriteriaEvaluator(criteria=CRITERIA, model=judge()),
            [("check_criteria", (unsystematic, answer, criterion)) for criterion in CRITERIA],
        ),
        (
            GuidanceEvaluator(model=judge()),
            [
                ("capability_manifest", (unsystematic, names)),
                ("guidance_scope", (unsystematic, MANIFEST)),
                ("guidance_grace", (whole, MANIFEST)),
            ],
        ),
        (
            PreferenceAdherenceEvaluator(model=judge()),
            [
                ("preference_extraction", (numbered,)),
                *(("preference_adherence", (whole, preference)) for preference in PREFERENCES),
            ],
        ),
        (ToolUsageEvaluator(model=judge()), [("tool_usage", (beginning, full))]),
        (LLMJudge(judge()), [("llm_judge", (QUESTION, ANSWER))]),
    ]
    return [asyncio.run(_compared(evaluator, calls)) for evaluator, calls in plan]


async def _compared(evaluator: Any, calls: Carried) -> Compared:
    result = await evaluator.evaluate(MESSAGES, TOOLS)
    if result.status != "scored":
        raise SystemExit(f"{evaluator.name}: {result.metadata}")
    return Compared(evaluator.name, cost_of(evaluator.structured_model().model.asked), public(calls))


def claims() -> Compared:
    """Claim verification of a fifteen-sentence answer."""
    example = fifteen()
    _, metrics, requests = asyncio.run(verified(example))
    if metrics.status != "scored":
        raise SystemExit(metrics.reason)
    return Compared("claim_verification", cost_of(requests), public_cost(example))


def audit() -> Compared:
    """An audit of a folder with one file: a look at the list, a look at the file, the end, the verdict."""

    def made(tool: str, **arguments: Any) -> Reply:
        call = {"id": tool, "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}
        return Reply("", tool_calls=[call], finish_reason="tool_calls")

    filled = {"evidence": "It is there.", "rubric": {"file_exists": True}}
    model = scripted_judge([made("list", path="."), made("read", path="fib.py"), made("finish"), filled])
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "fib.py").write_text("def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n")
        evaluator = SemanticTestEvaluator(
            working_dir=folder, steps="1. Look for fib.py", rubric=RUBRIC, context="Write fib.py", model=model
        )
        result = asyncio.run(evaluator.run())
    if result.status != "scored":
        raise SystemExit(str(result.metadata))
    return Compared("semantic_test", cost_of(model.asked), None)


def main() -> None:
    print("| evaluation | public calls | ours | public tokens, bare | with instructions | ours |")
    print("|---|---|---|---|---|---|")
    for name, ours, theirs in [*transcripts(), claims(), audit()]:
        said = (
            f"{theirs.calls} | {ours.calls} | {theirs.tokens:,} | {theirs.instructed:,}"
            if theirs
            else (f"no formula | {ours.calls} | no formula | no formula")
        )
        print(f"| {name} | {said} | {ours.tokens:,} |")


if __name__ == "__main__":
    main()
