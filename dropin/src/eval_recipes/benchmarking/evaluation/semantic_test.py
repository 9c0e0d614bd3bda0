"""`semantic_test`: an auditor looks through what an agent made and fills in a rubric."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from eval_recipes.benchmarking.evaluation.asked import asking
from eval_recipes.benchmarking.schemas import ANALYSIS_MODEL, AnalysisProvider, SemanticTestResult
from ringtrue.errors import EvaluationError
from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluator, SemanticTestEvaluatorConfig
from ringtrue.models.model import Model
from ringtrue.models.structured.structured_model import StructuredModel

OUTPUT = "audit_output"
_LOGS = "agent_logs"
_LOGS_TOLD = f"\n\nThe agent's own logs, which are no part of what it delivered, are below {_LOGS}/."


async def semantic_test(
    steps: str,
    rubric: dict[str, Any],
    context: str,
    working_dir: Path,
    agent_log_hint: str | None = None,
    *,
    provider: AnalysisProvider = "openai",
    model: str = ANALYSIS_MODEL,
    judge: Model | StructuredModel | None = None,
) -> SemanticTestResult:
    """The score from 0 to 100 that an auditor of a copy of the folder gives, and the rest of the rubric as metadata.

    A rubric without `score` is a ValueError, a folder that is not there a FileNotFoundError, an audit without a verdict
    an EvaluationError. `agent_log_hint` names a folder with the agent's logs, which the auditor sees, too. The
    completed rubric is also written to `audit_output/rubric.json`.
    """
    folder = Path(working_dir)
    logs = Path(agent_log_hint).expanduser() if agent_log_hint else None
    beside = {_LOGS: logs} if logs is not None and logs.is_dir() else {}
    config = SemanticTestEvaluatorConfig(
        provider=provider,
        model=model,
        working_dir=folder,
        steps=steps + (_LOGS_TOLD if beside else ""),
        rubric=rubric,
        context=context,
        exclude=(OUTPUT,),
        beside=beside,
    )
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no folder to audit: {str(folder)!r}")
    async with asking(provider, judge) as structured:
        found = await SemanticTestEvaluator(config, model=structured).run()
    if not found.applicable:
        raise EvaluationError(str(found.metadata.get("error") or found.metadata.get("reason")))
    completed = found.metadata["rubric"]
    _write(folder / OUTPUT, completed)
    told = {name: value for name, value in completed.items() if name != "score"}
    return SemanticTestResult(score=completed["score"], metadata=told)


def _write(folder: Path, completed: dict[str, Any]) -> None:
    """Keep a completed rubric beside what was audited; what lies there already is not followed."""
    with suppress(OSError):  # the result counts, and not its copy
        folder.mkdir(exist_ok=True)
        if folder.is_symlink():
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with open(os.open(folder / "rubric.json", flags, 0o644), "wb") as file:
            file.write(orjson.dumps(completed, option=orjson.OPT_INDENT_2))
