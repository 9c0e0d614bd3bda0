"""`ToolUsageEvaluator`: whether an assistant called the tools it should have called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ringtrue.dialects.tools import Tool, tools_of
from ringtrue.dialects.transcripts import render, since_last_user, turns_of_trial, up_to_last_user
from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.evaluators.judged.feedback import feedback
from ringtrue.evaluators.judged.judge import Judge, plain
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import PERCENT, TEXT, choice, fraction_in, record, several
from ringtrue.evaluators.judged.scored_output import ScoredOutput
from ringtrue.evaluators.judged.session import JudgeSession, value_of
from ringtrue.evaluators.judged.tool_calls import Calls, calls_of
from ringtrue.models.usage import Usage
from ringtrue.records import Json, Score, Trial
from ringtrue.require import require, require_percent, require_that

THRESHOLD = 50.0


@dataclass(frozen=True, kw_only=True)
class ToolUsageEvaluatorConfig(BaseEvaluatorConfig):
    """The probability, in percent, at which each tool counts as needed, by name; 50 by default."""

    tool_thresholds: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        mapped = isinstance(self.tool_thresholds, Mapping)
        require_that(mapped, "tool_thresholds", self.tool_thresholds, "a dict of numbers")
        for name, threshold in self.tool_thresholds.items():
            require_percent(f"tool_thresholds[{name!r}]", threshold)


@dataclass(frozen=True)
class InputTool:
    """A tool as text, whether it was called, and the probability at which it should have been called."""

    tool_name: str
    tool_text: str
    was_called: bool
    threshold: float = THRESHOLD

    def __post_init__(self) -> None:
        require_percent("threshold", self.threshold)


@dataclass(frozen=True)
class InputToolUsageEvaluator:
    """The tools and the conversation up to the moment of choice."""

    tools: Sequence[InputTool]
    conversation_history_full: str

    def __post_init__(self) -> None:
        names = [tool.tool_name for tool in self.tools]
        unique = len(set(names)) == len(names)
        require(unique, f"two tools have the same name among {names!r}", parameter="tools", value=names)


@dataclass(frozen=True)
class ToolProbability:
    """The probability that one tool should be called, 0 to 100, and the reason."""

    tool_name: str
    reasoning: str
    probability: float


@dataclass(frozen=True)
class ToolEvaluation:
    """One entry for each tool, in the order of the tools."""

    tool_evaluations: list[ToolProbability] = field(default_factory=list)


@dataclass(frozen=True)
class OutputToolUsageEvaluator(ScoredOutput):
    """The result: 0 or 100, and the probability that each tool should be called."""

    tool_evaluations: ToolEvaluation


class ToolUsageEvaluator(Judge):
    """100 where nothing was called and nothing needed, or where a called tool was needed; else 0.

    Beside it: precision and recall of the calls, how many went to tools that were not declared, and the share of calls
    whose arguments fit the tool's schema.
    """

    default_name = "tool_usage"
    parts = ("tool_usage", "tool_precision", "tool_recall", "undeclared_calls", "argument_validity")
    counts = frozenset(("undeclared_calls",))
    needs = "a transcript and the assistant's tools"
    formula = "nothing called: all below their threshold; else: any called one at its threshold or above"
    prompts = ("tool_usage",)
    config_class = ToolUsageEvaluatorConfig
    answers = "text or calls"
    unmeasured = {"tool_evaluations": {"tool_evaluations": []}}  # noqa: RUF012 - it is copied before it is handed out
    config: ToolUsageEvaluatorConfig

    def inapplicable(self, trial: Trial) -> str:
        """Without tools none can be needed."""
        return "" if _declared_tools(trial) else "the assistant has no tools"

    def skipped_metadata(self, why: str) -> dict[str, Json]:
        """In place of the evaluations, why there are none."""
        return {"tool_evaluations": why}

    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """One question about all tools; the calls themselves are looked at by code."""
        declared = _declared_tools(trial)
        story = turns_of_trial(trial)
        if not any(turn.text.strip() for turn in up_to_last_user(story)):
            return Score.skipped("the transcript says nothing that a tool could be needed for")
        calls = calls_of(since_last_user(story), declared)
        tools = [
            InputTool(
                tool.name, tool.text(), tool.name in calls.names, self.config.tool_thresholds.get(tool.name, THRESHOLD)
            )
            for tool in declared
        ]
        return await self._judge_tools(tools, render(up_to_last_user(story)), calls, session)

    async def run(self, input: InputToolUsageEvaluator) -> OutputToolUsageEvaluator:
        """Evaluate with the tools that were called as an argument, not read from a transcript."""
        if not input.tools:
            nothing = Score.skipped("there are no tools", **Usage().metadata())
            return OutputToolUsageEvaluator.of(nothing, tool_evaluations=ToolEvaluation())
        called = frozenset(tool.tool_name for tool in input.tools if tool.was_called)
        score = await self._direct(
            lambda session: self._judge_tools(input.tools, input.conversation_history_full, Calls(called), session)
        )
        rated = score.metadata.get("tool_evaluations", {}).get("tool_evaluations", [])
        found = ToolEvaluation([ToolProbability(**one) for one in rated])
        return OutputToolUsageEvaluator.of(score, tool_evaluations=found)

    async def _judge_tools(
        self, tools: Sequence[InputTool], conversation: str, calls: Calls, session: JudgeSession
    ) -> Score:
        numbers = range(1, len(tools) + 1)
        listed = [_listed_tool(number, tool) for number, tool in zip(numbers, tools, strict=True)]
        # Numbers stand for the tools: a schema that held their names would carry foreign text outside the fences.
        entry = record(tool=choice(*numbers), reasoning=TEXT, probability=PERCENT)
        question = prompt("tool_usage").question(
            {"tools": "\n\n".join(listed), "conversation": conversation},
            record(tool_evaluations=several(entry, len(tools))),
            check=lambda value: _problem(len(tools), value),
            seed=session.seed,
        )
        value = value_of(await session.ask(question)).value
        entries = sorted(value["tool_evaluations"], key=lambda one: int(one["tool"]))
        rated = [
            ToolProbability(tool.tool_name, one["reasoning"], one["probability"])
            for tool, one in zip(tools, entries, strict=True)
        ]
        return score_of_tools(tools, ToolEvaluation(rated), calls)


def score_of_tools(tools: Sequence[InputTool], rated: ToolEvaluation, calls: Calls) -> Score:
    """The score of probabilities against calls, with its parts; a part without a denominator is absent."""
    needed = {
        tool.tool_name
        for tool, one in zip(tools, rated.tool_evaluations, strict=True)
        if one.probability >= tool.threshold
    }
    called = {tool.tool_name for tool in tools if tool.was_called}
    value = float(bool(needed & called)) if called or calls.undeclared else float(not needed)
    parts = {"tool_usage": value}
    attempted = len(called) + len(set(calls.undeclared))
    if attempted:
        parts["tool_precision"] = len(needed & called) / attempted
    if needed:
        parts["tool_recall"] = len(needed & called) / len(needed)
    parts["undeclared_calls"] = float(len(calls.undeclared))
    if calls.checked:
        parts["argument_validity"] = 1 - len(calls.invalid) / calls.checked
    metadata: dict[str, Json] = {
        "tool_evaluations": plain(rated),
        "called": sorted(called),
        "undeclared": list(calls.undeclared),
        "invalid_arguments": [{"tool": name, "problem": problem} for name, problem in calls.invalid],
        "feedback": _feedback(value, needed, called, rated),
    }
    reason = f"needed: {', '.join(sorted(needed)) or 'none'}; called: {', '.join(sorted(called)) or 'none'}"
    return Score(value, status="scored", passed=value == 1.0, reason=reason, parts=parts, metadata=metadata)


def _declared_tools(trial: Trial) -> tuple[Tool, ...]:
    return tuple(tools_of(trial.case.tools or trial.case.fields.get("tools")))


def _listed_tool(number: int, tool: InputTool) -> str:
    # A bar before each line of the tool's own words: none of them can pass for the heading of another tool.
    own = f"{tool.tool_name}\n{tool.tool_text}".splitlines()
    return "\n".join([f"tool {number}:", *(f"| {line}" for line in own)])


def _feedback(value: float, needed: set[str], called: set[str], rated: ToolEvaluation) -> str | None:
    if value == 1.0:
        return None
    introduction = "These tools should have been called:" if needed else "No tool should have been called:"
    named = needed or called
    items = [
        {"tool": one.tool_name, "reasoning": one.reasoning} for one in rated.tool_evaluations if one.tool_name in named
    ]
    return feedback(introduction, items) or "No tool should have been called, and a tool that does not exist was."


def _problem(count: int, value: Json) -> str:
    entries = value["tool_evaluations"]
    rated = {one["tool"] for one in entries}
    missing = [number for number in range(1, count + 1) if number not in rated]
    if missing:
        return f"'tool_evaluations' leaves out tool {missing[0]} of {count}"
    return fraction_in("probability", [one["probability"] for one in entries])
