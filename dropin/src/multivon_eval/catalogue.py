"""What the drop-in has, as plain values, for programs that plan a run."""

from __future__ import annotations

import inspect
from typing import Any

import multivon_eval
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.judge_endpoints import PROVIDERS
from multivon_eval.templates import list_templates
from ringtrue.scoring.personal_data.search import JURISDICTIONS


def catalogue() -> dict[str, Any]:
    """Evaluators with their names and first sentences, jurisdictions, providers and templates."""
    found = [_entry(name) for name in multivon_eval.__all__ if _is_evaluator(getattr(multivon_eval, name))]
    return {
        "package": "multivon-eval",
        "version": multivon_eval.__version__,
        "evaluators": found,
        "evaluator_count": len(found),
        "pii_jurisdictions": sorted(JURISDICTIONS),
        "judge_providers": sorted(PROVIDERS),
        "templates": list_templates(),
    }


def _is_evaluator(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, Evaluator) and value is not Evaluator


def _entry(name: str) -> dict[str, str]:
    kind = getattr(multivon_eval, name)
    spoken = getattr(kind, "default_name", None) or kind.name
    return {
        "name": name,
        "import": f"from multivon_eval import {name}",
        "evaluator_id": str(spoken) if isinstance(spoken, str) and spoken else name.lower(),
        "doc": (inspect.getdoc(kind) or "").split("\n")[0],
    }
