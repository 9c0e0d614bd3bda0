"""`CheckCriteriaEvaluator`: one independent judgement per criterion."""

from __future__ import annotations

from typing import ClassVar

from eval_recipes.recipe import Recipe
from eval_recipes.schemas import BaseEvaluatorConfig
from ringtrue.evaluators import CheckCriteriaEvaluator as NativeCheckCriteriaEvaluator
from ringtrue.evaluators import CheckCriteriaEvaluatorConfig as NativeCheckCriteriaEvaluatorConfig


class CheckCriteriaEvaluatorConfig(BaseEvaluatorConfig):
    """The criteria, and the percentage below which one is fed back."""

    criteria: list[str]
    passed_threshold: float = 75
    max_concurrency: int = 1

    _judged: ClassVar = NativeCheckCriteriaEvaluatorConfig


class CheckCriteriaEvaluator(Recipe):
    """The mean probability, over the criteria, that the last answer meets each of them; without criteria, none."""

    judged_class = NativeCheckCriteriaEvaluator
    config_class = CheckCriteriaEvaluatorConfig

    @classmethod
    def default(cls) -> CheckCriteriaEvaluatorConfig:
        """No criteria."""
        return CheckCriteriaEvaluatorConfig(criteria=[])
