"""`evaluate`: several evaluations of one transcript."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from eval_recipes.evaluations.check_criteria.check_criteria_evaluator import CheckCriteriaEvaluator
from eval_recipes.evaluations.claim_verification.claim_verification_evaluator import ClaimVerificationEvaluator
from eval_recipes.evaluations.guidance.guidance_evaluator import GuidanceEvaluator
from eval_recipes.evaluations.preference_adherence.preference_adherence_evaluator import PreferenceAdherenceEvaluator
from eval_recipes.evaluations.semantic_test.semantic_test_evaluator import SemanticTestEvaluator
from eval_recipes.evaluations.tool_usage.tool_usage_evaluator import ToolUsageEvaluator
from eval_recipes.recipe import Recipe
from eval_recipes.schemas import BaseEvaluatorConfig, EvaluationOutput, EvaluatorProtocol
from ringtrue import assess

RECIPES: dict[str, type[Recipe]] = {
    "check_criteria": CheckCriteriaEvaluator,
    "claim_verification": ClaimVerificationEvaluator,
    "guidance": GuidanceEvaluator,
    "preference_adherence": PreferenceAdherenceEvaluator,
    "semantic_test": SemanticTestEvaluator,
    "tool_usage": ToolUsageEvaluator,
}


async def evaluate(
    messages: Sequence[Any],
    tools: Sequence[Any],
    evaluations: Sequence[str | type[EvaluatorProtocol]],
    evaluation_configs: Mapping[str, BaseEvaluatorConfig] | None = None,
    max_concurrency: int = 1,
) -> list[EvaluationOutput]:
    """The result of each evaluation, in the order asked for; one that fails says so in its own `metadata["error"]`.

    Configs are keyed by the name of a built-in evaluation or of a custom class. An unknown name raises before the first
    call.
    """
    if not evaluations:
        return []
    configs: dict[str, Any] = {}
    given = dict(evaluation_configs or {})
    for item in evaluations:
        name = item if isinstance(item, str) else getattr(item, "__name__", "")
        recipe = _recipe(item)
        if recipe is not None:
            configs[name] = recipe.settings(given.get(name))
        elif name in given:
            configs[name] = given[name]
    for name in given:
        if name not in configs and name not in RECIPES:
            warnings.warn(f"evaluation_configs has {name!r}, which is none of the evaluations", stacklevel=2)
    found = await assess(messages, tools, evaluations, configs, max_concurrency)
    return [_evaluation_output(item, one) for item, one in zip(evaluations, found, strict=True)]


def _recipe(item: Any) -> type[Recipe] | None:
    return RECIPES.get(item) if isinstance(item, str) else None


def _evaluation_output(item: Any, found: Any) -> EvaluationOutput:
    """A result as the documented model; one that is such a model already stays what it is."""
    return found if isinstance(found, EvaluationOutput) else (_recipe(item) or Recipe).as_output(found)
