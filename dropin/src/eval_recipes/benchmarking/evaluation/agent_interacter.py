"""`interact_with_agent`: the reply of a user to an agent that stopped to ask something."""

from __future__ import annotations

from pydantic import BaseModel

from eval_recipes.benchmarking.evaluation.asked import asking
from eval_recipes.benchmarking.schemas import CONTINUATION_MODEL, AnalysisProvider
from eval_recipes.utils.llm import truncate_reports_to_token_limit
from ringtrue.errors import EvaluationError
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import TEXT, record
from ringtrue.models.model import Model
from ringtrue.models.structured.structured_model import Malformed, StructuredModel

MAX_LOG_TOKENS = 80_000
_CHARS_PER_TOKEN = 16
"""More than tokens of logs have; what is cut by tokens is cut by characters first, which is fast."""
_YES_NO = {"type": "boolean"}


class ResponseToAgent(BaseModel):
    """What the model decides: whether the agent is done, whether it asks something, and what a user would say."""

    was_task_completed_reasoning: str
    is_agent_asking_for_answers_or_clarifications_reasoning: str
    was_task_completed: bool
    is_agent_asking_for_answers_or_clarifications: bool
    reply_to_agent: str


_SCHEMA = record(
    was_task_completed_reasoning=TEXT,
    is_agent_asking_for_answers_or_clarifications_reasoning=TEXT,
    was_task_completed=_YES_NO,
    is_agent_asking_for_answers_or_clarifications=_YES_NO,
    reply_to_agent=TEXT,
)


async def interact_with_agent(
    agent_log: str,
    task_instructions: str,
    provider: AnalysisProvider = "openai",
    model: str = CONTINUATION_MODEL,
    *,
    judge: Model | StructuredModel | None = None,
) -> str:
    """What a user replies to an agent that is not done and asks something; empty for any other.

    The model reads the end of the log. EvaluationError where it gives no usable answer.
    """
    end = agent_log[-MAX_LOG_TOKENS * _CHARS_PER_TOKEN :]
    (end,) = truncate_reports_to_token_limit([end], MAX_LOG_TOKENS)
    texts = {"task": task_instructions or "(none)", "log": end or "(empty)"}
    question = prompt("agent_interacter", __package__).question(texts, _SCHEMA)
    async with asking(provider, judge) as structured:
        outcome = await structured.ask(question, model)
    if isinstance(outcome, Malformed):
        raise EvaluationError(f"no decision on a reply to the agent ({outcome.kind}): {outcome.reason}")
    decided = ResponseToAgent.model_validate(outcome.value)
    asks = not decided.was_task_completed and decided.is_agent_asking_for_answers_or_clarifications
    return decided.reply_to_agent.strip() if asks else ""
