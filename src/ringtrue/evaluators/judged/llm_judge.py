"""`LLMJudge`: a rating from 1 to 5 by a model (seed 001)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ringtrue.dialects.dicts import trial_of
from ringtrue.dialects.transcripts import render, split_at_last_answer, turns_of_trial
from ringtrue.errors import EvaluationError
from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import TEXT, choice, record
from ringtrue.evaluators.judged.session import JudgeSession, value_of
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.client.prices import Prices
from ringtrue.models.client.urls import api_root
from ringtrue.models.model import Model
from ringtrue.models.structured.structured_model import StructuredModel
from ringtrue.records import Json, Score, Trial
from ringtrue.require import require_number, require_share
from ringtrue.sync import run_sync

SCHEMA = record(reasoning=TEXT, rating=choice(1, 2, 3, 4, 5))
NONE_GIVEN = "(none given)"


@dataclass(frozen=True, kw_only=True)
class LLMJudgeConfig(BaseEvaluatorConfig):
    """Which model rates, behind which address, with how much patience; the key is no setting."""

    model: str = "gpt-4"
    base_url: str = ""
    timeout: float = 60.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_number("timeout", self.timeout, above=0)


class LLMJudge(Judge):
    """`judge_score` = (rating - 1) / 4; a judge that cannot be reached or read is an error, never a number.

    `base_url` is an address or a model object; without it, and without a key, both come from the environment.
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
        base_url: str | Model | StructuredModel | None = None,
        model: str = "gpt-4",
        api_key: str | None = None,
        timeout: float = 60.0,
        *,
        name: str = "",
        threshold: float = 0.5,
        repeats: int = 1,
        repeat_within: float = 0.1,
    ) -> None:
        address = api_root(base_url) if isinstance(base_url, str) else ""
        given = None if base_url is None or isinstance(base_url, str) else base_url
        super().__init__(
            LLMJudgeConfig(model=model, base_url=address, timeout=timeout),
            model=given,
            name=name,
            repeats=repeats,
            repeat_within=repeat_within,
        )
        require_share("threshold", threshold)
        self._threshold = threshold
        self._key = api_key

    @property
    def threshold(self) -> float:
        """The value at which a response passes."""
        return self._threshold

    def structured_model(self) -> StructuredModel:
        """The judge's endpoint."""
        if self._structured_model is None:
            address = self.config.base_url or None
            endpoint = Endpoint.from_env(
                address, self._key, timeout_seconds=self.config.timeout, prices=Prices.from_env()
            )
            self._structured_model = StructuredModel(endpoint)
        return self._structured_model

    def settings(self) -> dict[str, Any]:
        """What decides the verdicts besides the model, and at which value a response passes."""
        return super().settings() | {"threshold": self._threshold}

    def _target(self) -> tuple[str, str]:
        return (self.config.base_url, self.config.model) if self.config.base_url else super()._target()

    def score(self, original: Mapping[str, Json], processed: Mapping[str, Json]) -> dict[str, float]:
        """The documented call; a judge that gave no rating raises an EvaluationError."""
        score = run_sync(self.measure(trial_of(original, processed)))
        if score.value is None:
            raise EvaluationError(score.reason)
        return {self.keys[0]: score.value}

    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """One question, one rating."""
        texts = material(trial)
        if not texts["response"] and trial.output.problem:
            return Score.skipped(trial.output.problem)
        answer = value_of(await session.ask(prompt("llm_judge").question(texts, SCHEMA, seed=session.seed)))
        rating, reasoning = answer.value["rating"], answer.value["reasoning"]
        value = (rating - 1) / 4
        return Score(value, "scored", value >= self.threshold, reasoning, metadata={"rating": rating})


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
