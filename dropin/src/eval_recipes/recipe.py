"""`Recipe`: one of ringtrue's judged evaluators, made and asked as eval-recipes documents it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from eval_recipes.schemas import BaseEvaluatorConfig, EvaluationOutput, judged_config
from ringtrue.errors import ConfigurationError
from ringtrue.models import Model, StructuredModel


class Recipe:
    """An evaluation with a config of its own.

    Who is asked is looked up in the environment at the first call, unless `model` is one of ringtrue's model objects.
    """

    judged_class: ClassVar[Any]
    config_class: ClassVar[type[BaseEvaluatorConfig]] = BaseEvaluatorConfig

    def __init__(
        self, config: BaseEvaluatorConfig | None = None, *, model: Model | StructuredModel | None = None
    ) -> None:
        self.config: Any = self.default() if config is None else config
        self.judged: Any = self.judged_class(self.settings(self.config), model=model)

    @classmethod
    def default(cls) -> BaseEvaluatorConfig:
        """The config of an evaluation that was given none."""
        return cls.config_class()

    @classmethod
    def settings(cls, config: BaseEvaluatorConfig | None) -> Any:
        """A config as ringtrue's evaluator takes it; a plain BaseEvaluatorConfig says who is asked, and no more."""
        if config is None:
            config = cls.default()
        if type(config) is BaseEvaluatorConfig and cls.config_class is not BaseEvaluatorConfig:
            config = cls.default().model_copy(update=config.model_dump(exclude_unset=True))
        if not isinstance(config, cls.config_class):
            raise ConfigurationError(
                f"{cls.__name__} needs config={cls.config_class.__name__}(...); got {type(config).__name__}",
                parameter="config",
                value=config,
            )
        return judged_config(config, cls.judged_class.config_class)

    async def evaluate(self, messages: Sequence[Any], tools: Sequence[Any] | None = None) -> EvaluationOutput:
        """The result for a transcript and the assistant's tools, in either API's shape."""
        return self.as_output(await self.judged.evaluate(messages, tools))

    @classmethod
    def as_output(cls, found: Any) -> EvaluationOutput:
        """Return the result of ringtrue's evaluator as the documented model."""
        return EvaluationOutput.model_validate(found, from_attributes=True)
