"""`LLMJudge`: a rating from 1 to 5 by a model (seed 001)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ringtrue.dialects.dicts import trial_of
from ringtrue.dialects.transcripts import render, split_at_last_answer, turns_of_trial
from ringtrue.errors import EvaluationError
from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import TEXT, choice, record
from ringtrue.evaluators.judged.session import JudgeSession, value_of
from ringtrue.models.function_model import ModelFunction
from ringtrue.models.model import Model
from ringtrue.models.structured.structured_model import StructuredModel
from ringtrue.records import Json, Score, Trial
from ringtrue.require import require, require_share
from ringtrue.sync import run_sync

SCHEMA = record(reasoning=TEXT, rating=choice(1, 2, 3, 4, 5))
NONE_GIVEN = "(none given)"


@dataclass(frozen=True, kw_only=True)
class LLMJudgeConfig(BaseEvaluatorConfig):
    """The model that rates, its address, and its time-outs; the key is not a setting."""

    model: str = "gpt-4"


class LLMJudge(Judge):
    """`judge_score` = (rating - 1) / 4; a judge that cannot be reached or read is an error, never a number.

    `base_url` is a URL; `model` is a name, an Endpoint or a function of the prompt. The environment provides what is
    missing.
    """

    default_name = "llm_judge"
    parts = ("judge_score",)
    needs = "a question, an answer where there is one, and a response"
    formula = "(rating - 1) / 4"
    prompts = ("llm_judge",)
    config_class = LLMJudgeConfig
    config: LLMJudgeConfig

    def __init__(
        self,
        base_url: str | Model | StructuredModel | ModelFunction | None = None,
        model: str | Model | StructuredModel | ModelFunction = "gpt-4",
        api_key: str | None = None,
        timeout: float | None = None,
        *,
        name: str = "",
        threshold: float = 0.5,
        repeats: int = 1,
        repeat_within: float = 0.1,
    ) -> None:
        both = base_url is not None and not isinstance(base_url, str) and not isinstance(model, str)
        require(not both, "two models were given, as base_url and as model", parameter="model", value=model)
        given = model if base_url is None or isinstance(base_url, str) else base_url
        super().__init__(
            LLMJudgeConfig(model=model) if isinstance(model, str) else None,
            model=given,
            base_url=base_url if isinstance(base_url, str) else "",
            api_key=api_key,
            timeout=timeout,
            name=name,
            repeats=repeats,
            repeat_within=repeat_within,
        )
        require_share("threshold", threshold)
        self._threshold = threshold

    @property
    def threshold(self) -> float:  # type: ignore[override]
        """The value at which a response passes."""
        return self._threshold

    def settings(self) -> dict[str, Any]:
        """The settings that decide the verdicts besides the model, and the value at which a response passes."""
        return super().settings() | {"threshold": self._threshold}

    def score(self, original: Mapping[str, Json], processed: Mapping[str, Json]) -> dict[str, float]:
        """Rate a response; a judge that gave no rating raises an EvaluationError."""
        score = run_sync(self.measure(trial_of(original, processed)))
        if score.value is None:
            raise EvaluationError(score.reason)
        return {self.keys[0]: score.value}

    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """One question, one rating."""
        texts = material(trial)
        question = replace(prompt("llm_judge").question(texts, SCHEMA, seed=session.seed), bare=bare_rating)
        answer = value_of(await session.ask(question))
        rating, reasoning = answer.value["rating"], answer.value["reasoning"]
        return self.verdict((rating - 1) / 4, reasoning, rating=rating)


def bare_rating(text: str) -> Json:
    """The verdict of a reply that is one digit from 1 to 5 and nothing else, else None."""
    said = text.strip()
    return {"reasoning": "", "rating": int(said)} if said in ("1", "2", "3", "4", "5") else None


def material(trial: Trial) -> dict[str, str]:
    """Question, reference and response of a trial, as a judge of single responses reads them."""
    case = trial.case
    references = "\n\n".join(answer for answer in case.expected or () if answer)
    question = "\n\n".join(text for text in (case.context, case.input) if text)
    response = trial.output.text
    if not question or not response:
        before, answer = split_at_last_answer(turns_of_trial(trial))
        question, response = question or render(before), response or answer
    return {"question": question or NONE_GIVEN, "reference": references or NONE_GIVEN, "response": response}
