"""A suite run against a model by its name."""

from __future__ import annotations

import inspect
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport


_OWN = ("system_prompt", "temperature", "max_tokens", "client")
"""The options that are an adapter's; all others are those of `run`."""


class AdapterRuns:
    """What an `EvalSuite` asks of models that have an adapter."""

    run: Any

    def run_with_openai(self, model: str = "gpt-4o", **options: Any) -> EvalReport:
        """`run` with an `OpenAIAdapter`; `system_prompt`, `temperature`, `max_tokens` and `client` are its own."""
        from multivon_eval.adapters import OpenAIAdapter

        return self._run_with(OpenAIAdapter, model, options, _OWN)

    def run_with_anthropic(self, model: str = "claude-haiku-4-5-20251001", **options: Any) -> EvalReport:
        """`run` with an `AnthropicAdapter`; `system_prompt`, `temperature`, `max_tokens` and `client` are its own."""
        from multivon_eval.adapters import AnthropicAdapter

        return self._run_with(AnthropicAdapter, model, options, _OWN)

    def run_with_litellm(self, model: str, **options: Any) -> EvalReport:
        """`run` with a `LiteLLMAdapter`; whatever `run` does not know, such as `api_base`, goes to litellm."""
        from multivon_eval.adapters import LiteLLMAdapter

        known = inspect.signature(self.run).parameters
        return self._run_with(LiteLLMAdapter, model, options, [name for name in options if name not in known])

    def _run_with(self, adapter: Any, model: str, options: dict[str, Any], own: Collection[str]) -> EvalReport:
        settings = {name: options.pop(name) for name in list(options) if name in own}
        report: EvalReport = self.run(adapter(model, **settings), **options)
        return report
