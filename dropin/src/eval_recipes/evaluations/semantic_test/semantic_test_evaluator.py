"""`SemanticTestEvaluator`: an auditor looks through a folder and fills in a rubric."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, NoReturn

from eval_recipes.recipe import Recipe
from eval_recipes.schemas import BaseEvaluatorConfig, EvaluationOutput
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import SemanticTestEvaluator as NativeSemanticTestEvaluator
from ringtrue.evaluators import SemanticTestEvaluatorConfig as NativeSemanticTestEvaluatorConfig


class SemanticTestEvaluatorConfig(BaseEvaluatorConfig):
    """The audited folder, its steps, its rubric, and the task that was set."""

    working_dir: Path
    steps: str
    rubric: dict[str, Any]
    context: str

    _judged: ClassVar = NativeSemanticTestEvaluatorConfig


class SemanticTestEvaluator(Recipe):
    """The score of a rubric that an auditor filled in after looking through a copy of a folder."""

    judged_class = NativeSemanticTestEvaluator
    config_class = SemanticTestEvaluatorConfig

    @classmethod
    def default(cls) -> NoReturn:
        """There is none."""
        raise ConfigurationError(
            "SemanticTestEvaluator needs config=SemanticTestEvaluatorConfig(working_dir=, steps=, rubric=, context=)",
            parameter="config",
        )

    async def run(self, working_dir: Path, steps: str, rubric: dict[str, Any], context: str) -> EvaluationOutput:
        """The result for this folder, these steps, this rubric and this task, whatever the config says."""
        return self.as_output(
            await self.judged.run(working_dir=working_dir, steps=steps, rubric=rubric, context=context)
        )
