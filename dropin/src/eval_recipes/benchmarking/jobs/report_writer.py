"""Reports that a model writes about other reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eval_recipes.benchmarking.evaluation.asked import asking
from eval_recipes.benchmarking.jobs.analyst import Analyst
from eval_recipes.utils.llm import truncate_reports_to_token_limit
from ringtrue.errors import EvaluationError
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import TEXT, record
from ringtrue.models.structured.structured_model import Malformed


async def report(name: str, fields: Sequence[str], texts: Mapping[str, str], who: Analyst) -> dict[str, str]:
    """The texts of these fields, written by a model after one of the prompts beside this file.

    What the model reads stands inside fences. EvaluationError where it gives nothing usable, ConfigurationError where
    nobody can be asked.
    """
    question = prompt(name, __package__).question(texts, record(**dict.fromkeys(fields, TEXT)))
    async with asking(who["provider"]) as structured:
        outcome = await structured.ask(question, who["model"])
    if isinstance(outcome, Malformed):
        raise EvaluationError(f"no report ({outcome.kind}): {outcome.reason}")
    return {field: str(outcome.value[field]) for field in fields}


def joined(reports: Mapping[str, str]) -> str:
    """Reports under their titles, cut so that a model can read them all."""
    titled = [f"# {title}\n\n{text}" for title, text in reports.items()]
    return "\n\n".join(truncate_reports_to_token_limit(titled))
