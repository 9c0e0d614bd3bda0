"""context-bench's import path, answered by ringtrue."""

from __future__ import annotations

from importlib import import_module

from _ringtrue_dropin import refuse_to_shadow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from context_bench.results import EvalResult as EvalResult
    from context_bench.results import EvalRow as EvalRow
    from context_bench.runner import evaluate as evaluate
    from context_bench.systems.claude_cli import ClaudeCLI as ClaudeCLI
    from context_bench.systems.openai_proxy import OpenAIProxy as OpenAIProxy

refuse_to_shadow("context-bench")

_PLACES = {
    "ClaudeCLI": "context_bench.systems.claude_cli",
    "EvalResult": "context_bench.results",
    "EvalRow": "context_bench.results",
    "OpenAIProxy": "context_bench.systems.openai_proxy",
    "evaluate": "context_bench.runner",
}

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'context_bench' has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return __all__
