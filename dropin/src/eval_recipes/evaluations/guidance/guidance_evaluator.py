"""`GuidanceEvaluator`: how gracefully an assistant handles what it cannot do."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import BaseModel, Field

from eval_recipes.recipe import Recipe
from eval_recipes.schemas import BaseEvaluatorConfig
from ringtrue.evaluators import GuidanceEvaluator as NativeGuidanceEvaluator
from ringtrue.evaluators import GuidanceEvaluatorConfig as NativeGuidanceEvaluatorConfig
from ringtrue.evaluators import InputGuidanceEval as NativeInputGuidanceEval
from ringtrue.evaluators import generate_capability_manifest
from ringtrue.records import Status

__all__ = [
    "GuidanceEvaluator",
    "GuidanceEvaluatorConfig",
    "InputGuidanceEval",
    "IsInScopeReasoning",
    "OutputGuidanceEval",
    "generate_capability_manifest",
]


class GuidanceEvaluatorConfig(BaseEvaluatorConfig):
    """The assistant's capabilities, else generated; and the probability from which on a request is in scope."""

    capability_manifest: str | None = None
    in_scope_probability_threshold: float = 50

    _judged: ClassVar = NativeGuidanceEvaluatorConfig


class InputGuidanceEval(BaseModel):
    """A conversation as text, up to the user's last message and whole, and the assistant's tools."""

    conversation_history_beginning_turn: str
    conversation_history_full: str
    tools: list[Any] = Field(default_factory=list)


class IsInScopeReasoning(BaseModel):
    """Whether a request is in scope, 0 to 100, and why."""

    capabilities_analysis: str
    sufficient_capabilities: str
    in_scope_reasoning: str
    is_in_scope_probability: float


class OutputGuidanceEval(BaseModel):
    """The result, 0 to 100; where it is not applicable the score is 0, and `reasoning` and `status` say why."""

    is_in_scope_reasoning: IsInScopeReasoning
    applicable: bool
    reasoning: str
    score: float
    status: Status = "scored"
    metadata: dict[str, Any] = Field(default_factory=dict, repr=False)


class GuidanceEvaluator(Recipe):
    """Score the handling of a request beyond the assistant's capabilities; a request in scope is not applicable."""

    judged_class = NativeGuidanceEvaluator
    config_class = GuidanceEvaluatorConfig

    async def run(self, input: InputGuidanceEval) -> OutputGuidanceEval:
        """The result for a conversation that is given as text, its system message with it."""
        given = NativeInputGuidanceEval(**dict(input))
        return OutputGuidanceEval.model_validate(await self.judged.run(given), from_attributes=True)
