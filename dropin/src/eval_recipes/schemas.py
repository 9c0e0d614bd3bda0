"""The inputs and outputs of every evaluation: `BaseEvaluatorConfig`, `EvaluationOutput`, `EvaluatorProtocol`."""

from __future__ import annotations

import warnings
from dataclasses import fields
from typing import Any, ClassVar, Literal, Protocol, Self, runtime_checkable

from pydantic import BaseModel, Field, model_validator

from ringtrue.evaluators import BaseEvaluatorConfig as NativeConfig

Provider = Literal["openai", "azure_openai"]


class EvaluationOutput(BaseModel):
    """One evaluation's result: `score` is 0 to 100; where it is not applicable, 0, and `metadata` says why."""

    eval_name: str
    applicable: bool
    score: float
    feedback: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)


class BaseEvaluatorConfig(BaseModel):
    """The model to ask: a provider whose address and key are in the environment, and the name of a model, any name."""

    provider: Provider = "openai"
    model: str = "gpt-5"

    _judged: ClassVar[type[NativeConfig]] = NativeConfig
    _following: ClassVar[tuple[str, ...]] = ()
    """The settings that follow `model` unless they were given."""

    @model_validator(mode="before")
    @classmethod
    def _warn_of_strangers(cls, given: Any) -> Any:
        # Programs with an unused setting keep working, but a misspelt one must not pass in silence.
        if isinstance(given, dict) and cls.model_config.get("extra", "ignore") == "ignore":
            known = {*cls.model_fields, *(item.alias for item in cls.model_fields.values())}
            for name in given:
                if name not in known:
                    warnings.warn(f"{cls.__name__} has no setting {name!r}; it is left out", UserWarning, stacklevel=4)
        return given

    @model_validator(mode="after")
    def _hold(self) -> Self:
        judged_config(self, self._judged)
        return self


def judged_config(config: BaseEvaluatorConfig, kind: type[NativeConfig]) -> Any:
    """The settings of ringtrue's evaluator that a config holds; a value that cannot be raises a ConfigurationError."""
    silent = {name for name in config._following if name not in config.model_fields_set}
    known = (item.name for item in fields(kind) if item.name in type(config).model_fields)
    return kind(**{name: getattr(config, name) for name in known if name not in silent})


@runtime_checkable
class EvaluatorProtocol(Protocol):
    """The interface of a custom evaluator: a class made with an optional config, which judges messages and tools."""

    def __init__(self, config: BaseEvaluatorConfig | None = None) -> None: ...

    async def evaluate(self, messages: Any, tools: Any) -> EvaluationOutput: ...
