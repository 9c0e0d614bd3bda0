"""`ToolUsageEvaluator`: whether an assistant called the tools it should have called."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from pydantic import BaseModel, Field, model_validator

from eval_recipes.recipe import Recipe
from eval_recipes.schemas import BaseEvaluatorConfig
from ringtrue.evaluators import InputTool as NativeInputTool
from ringtrue.evaluators import InputToolUsageEvaluator as NativeInputToolUsageEvaluator
from ringtrue.evaluators import ToolUsageEvaluator as NativeToolUsageEvaluator
from ringtrue.evaluators import ToolUsageEvaluatorConfig as NativeToolUsageEvaluatorConfig
from ringtrue.records import Status


class ToolUsageEvaluatorConfig(BaseEvaluatorConfig):
    """From which probability on each tool, by name, counts as needed; 50 unless given."""

    tool_thresholds: dict[str, float] = Field(default_factory=dict)

    _judged: ClassVar = NativeToolUsageEvaluatorConfig


class InputTool(BaseModel):
    """A tool, as text, whether it was called, and from which probability on it should have been."""

    tool_name: str
    tool_text: str
    was_called: bool
    threshold: float = 50


class InputToolUsageEvaluator(BaseModel):
    """The tools and the conversation up to the moment of choice."""

    tools: list[InputTool]
    conversation_history_full: str

    @model_validator(mode="after")
    def _hold(self) -> Self:
        self.judged()
        return self

    def judged(self) -> NativeInputToolUsageEvaluator:
        """The input as ringtrue's evaluator takes it."""
        tools = [NativeInputTool(**dict(tool)) for tool in self.tools]
        return NativeInputToolUsageEvaluator(tools, self.conversation_history_full)


class ToolProbability(BaseModel):
    """The probability that one tool should be called, 0 to 100, and the reason."""

    tool_name: str
    reasoning: str
    probability: float


class ToolEvaluation(BaseModel):
    """One entry for each tool, in the order of the tools."""

    tool_evaluations: list[ToolProbability]


class OutputToolUsageEvaluator(BaseModel):
    """The result, 0 or 100; where `status` is not "scored" there is no score and `error` says why."""

    tool_evaluations: ToolEvaluation
    score: float
    status: Status = "scored"
    error: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict, repr=False)


class ToolUsageEvaluator(Recipe):
    """100 where nothing was called and nothing needed, or where a called tool was needed; else 0."""

    judged_class = NativeToolUsageEvaluator
    config_class = ToolUsageEvaluatorConfig

    async def run(self, input: InputToolUsageEvaluator) -> OutputToolUsageEvaluator:
        """The result where it is said which tools were called, and not read from a transcript."""
        return OutputToolUsageEvaluator.model_validate(await self.judged.run(input.judged()), from_attributes=True)
