"""`CheckCriteriaEvaluator`: one independent judgement per criterion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from ringtrue.dialects.transcripts import render, split_at_last_answer, turns_of_trial
from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.evaluators.judged.feedback import feedback
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import NUMBER_0_1, TEXT, choice, record
from ringtrue.evaluators.judged.session import JudgeSession, NoVerdict
from ringtrue.models.structured.logprobs import likelihood
from ringtrue.models.structured.structured_model import Answer, NoValue, Outcome
from ringtrue.records import Json, Score, Trial
from ringtrue.require import is_number, require_count, require_percent, require_texts, require_that

SCHEMA = record(reasoning=TEXT, met=choice("yes", "no"), probability=NUMBER_0_1)


@dataclass(frozen=True, kw_only=True)
class CheckCriteriaEvaluatorConfig(BaseEvaluatorConfig):
    """The criteria, their weights (equal by default), and the percentage below which a criterion appears in the
    feedback."""

    criteria: Sequence[str] = ()
    passed_threshold: float = 75
    max_concurrency: int = 8
    weights: Sequence[float] | None = None
    use_logprobs: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        require_texts("criteria", self.criteria)
        require_percent("passed_threshold", self.passed_threshold)
        require_count("max_concurrency", self.max_concurrency)
        weights = self.weights
        holds = weights is None or (
            isinstance(weights, (list, tuple))
            and len(weights) == len(self.criteria)
            and all(is_number(one) and one >= 0 for one in weights)
            and sum(weights) > 0
        )
        what = f"one number of at least 0 for each of the {len(self.criteria)} criteria"
        require_that(holds, "weights", weights, what)


class CheckCriteriaEvaluator(Judge):
    """The mean probability, over the criteria, that the last answer meets each of them.

    If the endpoint returns log-probabilities, they give the probability of a criterion; otherwise the model states it.
    """

    default_name = "check_criteria"
    parts = ("check_criteria",)
    needs = "a transcript, or input and output"
    formula = "sum(weight * probability) / sum(weight)"
    prompts = ("check_criteria",)
    config_class = CheckCriteriaEvaluatorConfig
    unmeasured = {"criteria_evaluations": []}  # noqa: RUF012 - it is copied before it is handed out
    config: CheckCriteriaEvaluatorConfig

    @property
    def threshold(self) -> float:  # type: ignore[override]
        """The config's threshold, on [0, 1]."""
        return self.config.passed_threshold / 100

    def inapplicable(self, trial: Trial) -> str:
        """Without criteria an answer that is not there fails none."""
        none = "there are no criteria: write check_criteria(criteria=['It is polite']), or --criterion 'It is polite'"
        return "" if self.config.criteria else none

    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """One question for each criterion."""
        criteria = list(self.config.criteria)
        before, answer = split_at_last_answer(turns_of_trial(trial))
        conversation = render(turn for turn in before if turn.role != "system")
        outcomes = await session.ask_all(
            prompt("check_criteria").question(
                {"conversation": conversation, "answer": answer, "criterion": criterion},
                SCHEMA,
                check=_contradiction,
                logprobs=self.config.use_logprobs,
                seed=f"{session.seed}|{position}",
            )
            for position, criterion in enumerate(criteria)
        )
        return self._score(criteria, outcomes)

    def _score(self, criteria: list[str], outcomes: Sequence[Outcome]) -> Score:
        pairs = list(zip(criteria, outcomes, strict=True))
        evaluations = [self._evaluation(criterion, one) for criterion, one in pairs if not isinstance(one, NoValue)]
        metadata: dict[str, Json] = {"criteria_evaluations": evaluations}
        failed = [(at, one) for at, one in enumerate(outcomes) if isinstance(one, NoValue)]
        weights = self.config.weights or [1.0] * len(criteria)
        judged = [weight for weight, (_, one) in zip(weights, pairs, strict=True) if not isinstance(one, NoValue)]
        known = fsum(weight * one["probability"] for weight, one in zip(judged, evaluations, strict=True))
        value = known / fsum(weights)
        if failed:
            at, first = failed[0]
            what = f"criterion {at + 1} of {len(criteria)}"
            metadata["unjudged"] = [{"criterion": criteria[at], "reasoning": one.reason} for at, one in failed]
            metadata["bounds"] = [value, value + 1 - fsum(judged) / fsum(weights)]
            return Score.error(str(NoVerdict(first, what)), kind=first.kind, **metadata)
        low = [one for one in evaluations if one["probability"] < self.threshold]
        metadata["feedback"] = feedback(
            "The answer does not meet these criteria:",
            [{"criterion": one["criterion"], "reasoning": one["reasoning"]} for one in low],
        )
        reason = "; ".join(f"{one['criterion']}: {one['probability']:.2f}" for one in evaluations)
        return self.verdict(min(1.0, value), reason, **metadata)

    def _evaluation(self, criterion: str, outcome: Answer) -> dict[str, Json]:
        read = likelihood(outcome.reply, outcome.start, "met", ("yes", "no")) if self.config.use_logprobs else None
        return {
            "criterion": criterion,
            "reasoning": outcome.value["reasoning"],
            "probability": outcome.value["probability"] if read is None else read,
            "source": "stated" if read is None else "logprobs",
        }


def _contradiction(value: Json) -> str:
    met, probability = value["met"], value["probability"]
    if (met == "yes" and probability < 0.5) or (met == "no" and probability > 0.5):
        return f"'met' is {met!r} and 'probability' is {probability:g}, which contradict each other"
    return ""
