"""`semantic_test_comparison`: a blind ranking of what several agents made of one task."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

from ringtrue.evaluators.judged.folder_ranking import FolderRanking, FolderRankingConfig

from eval_recipes.benchmarking.evaluation.asked import asking
from eval_recipes.benchmarking.evaluation.semantic_test import OUTPUT
from eval_recipes.benchmarking.schemas import ANALYSIS_MODEL, AnalysisProvider, ComparisonResult
from ringtrue.errors import EvaluationError
from ringtrue.models.model import Model
from ringtrue.models.structured.structured_model import StructuredModel


async def semantic_test_comparison(
    original_task: str,
    directories: list[Path],
    guidelines: str | None = None,
    log_file: Path | None = None,
    *,
    run: int | None = None,
    seed: str = "",
    provider: AnalysisProvider = "openai",
    model: str = ANALYSIS_MODEL,
    judge: Model | StructuredModel | None = None,
) -> ComparisonResult:
    """The folders by index, best first, as a judge ranks copies of them under names that say nothing.

    The ranking is a permutation: a judge that leaves a folder out is asked again, then it is an EvaluationError. Fewer
    than two folders are a ValueError. `run` counts the rankings of one comparison, from 0: over them each folder is
    shown first equally often, in whatever order they are given; without it the order is drawn. What the judge looked
    at goes into `log_file`.
    """
    config = FolderRankingConfig(provider=provider, model=model, guidelines=guidelines or "", exclude=(OUTPUT,))
    drawn = seed if run is not None else secrets.token_hex(8)
    try:
        async with asking(provider, judge) as structured:
            found = await FolderRanking(config, model=structured).rank(
                original_task, directories, run=run or 0, seed=drawn
            )
    except EvaluationError as error:
        _log(log_file, {"error": str(error)})
        raise
    _log(log_file, {**found.metadata, "names": dict(found.names), "ranking": found.order, "reasoning": found.reasoning})
    return ComparisonResult(reasoning=found.reasoning, rankings=list(found.order), anonymous_to_index=dict(found.names))


def _log(file: Path | None, told: dict[str, Any]) -> None:
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(told, indent=2, default=str) + "\n", encoding="utf-8")
