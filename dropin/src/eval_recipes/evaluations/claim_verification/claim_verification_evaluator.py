"""`ClaimVerificationEvaluator`: the claims of a text, each compared with its sources."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, ClassVar

from pydantic import Field

from eval_recipes.evaluations.claim_verification.schemas import (
    InputClaimVerificationEvaluator,
    InputContext,
    OutputCitation,
    OutputClaimVerificationEvaluator,
    OutputClaimVerificationEvaluatorMetrics,
    OutputClaimVerificationStep,
    OutputSentenceSplittingStep,
)
from eval_recipes.recipe import Recipe
from eval_recipes.schemas import BaseEvaluatorConfig, EvaluationOutput
from ringtrue.evaluators import ClaimVerificationEvaluator as NativeClaimVerificationEvaluator
from ringtrue.evaluators import ClaimVerificationEvaluatorConfig as NativeClaimVerificationEvaluatorConfig
from ringtrue.evaluators import OutputClaimVerificationEvaluator as NativeOutput

__all__ = [
    "ClaimVerificationEvaluator",
    "ClaimVerificationEvaluatorConfig",
    "InputClaimVerificationEvaluator",
    "InputContext",
    "OutputCitation",
    "OutputClaimVerificationEvaluator",
    "OutputClaimVerificationEvaluatorMetrics",
    "OutputClaimVerificationStep",
    "OutputSentenceSplittingStep",
]


_USUAL = NativeClaimVerificationEvaluatorConfig()


class ClaimVerificationEvaluatorConfig(BaseEvaluatorConfig):
    """Models, thresholds in percent, and the tools whose results are no evidence.

    A `model` that was chosen extracts and verifies, unless the one or the other was chosen, too.
    """

    claim_extraction_model: str = str(_USUAL.claim_extraction_model)
    verification_model: str = str(_USUAL.verification_model)
    verification_reasoning_effort: str = "high"
    verification_threshold: float = 70
    is_open_domain_threshold: float = 50
    max_line_length: int = 200
    max_concurrency: int = 1
    ignore_tool_names: list[str] = Field(default_factory=list)

    _judged: ClassVar = NativeClaimVerificationEvaluatorConfig
    _following: ClassVar = ("claim_extraction_model", "verification_model")


class ClaimVerificationEvaluator(Recipe):
    """Supported claims / claims that need a source; a claim without a valid citation is never supported."""

    judged_class = NativeClaimVerificationEvaluator
    config_class = ClaimVerificationEvaluatorConfig

    async def run(
        self, input: InputClaimVerificationEvaluator
    ) -> AsyncGenerator[OutputClaimVerificationEvaluator | OutputClaimVerificationEvaluatorMetrics, None]:
        """Each claim as soon as it is verified, then the metrics; leaving early cancels all that is under way."""
        async with aclosing(self.judged.run(input.judged())) as found:
            async for one in found:
                if isinstance(one, NativeOutput):
                    yield OutputClaimVerificationEvaluator.of(one)
                else:
                    yield OutputClaimVerificationEvaluatorMetrics.model_validate(one, from_attributes=True)

    @classmethod
    def as_output(cls, found: Any) -> EvaluationOutput:
        """A result whose `metadata["claims"]` are the claims as `run` yields them."""
        output = super().as_output(found)
        claims = [OutputClaimVerificationEvaluator.of(one).model_dump() for one in output.metadata.get("claims", ())]
        return output.model_copy(update={"metadata": {**output.metadata, "claims": claims}})

    def _feedback(self, claims: Sequence[OutputClaimVerificationEvaluator]) -> str | None:
        """Return the feedback about claims for a generator; the public notebooks call it by this name."""
        alike: Any = [claim.model_copy(update={"citations": claim.evidence}) for claim in claims]
        feedback: str | None = self.judged.feedback(alike)
        return feedback
