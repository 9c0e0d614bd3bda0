"""`PairwiseJudge`: which of two responses is better, asked in both orders."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.dialects.coercion import plain_text
from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.llm_judge import material
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import TEXT, choice, record
from ringtrue.evaluators.judged.session import JudgeSession, value_of
from ringtrue.records import Case, Output, Score, Trial
from ringtrue.require import require_text

SCHEMA = record(reasoning=TEXT, better=choice("first", "second", "neither"))
_VALUE = {"first": 1.0, "second": 0.0, "neither": 0.5}


@dataclass(frozen=True, kw_only=True)
class PairwiseJudgeConfig(BaseEvaluatorConfig):
    """The field of a case that holds the other response."""

    baseline_field: str = "baseline"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_text("baseline_field", self.baseline_field)


class PairwiseJudge(Judge):
    """1 if the response beats the baseline in both orders, 0 if it loses in both, else 0.5.

    Verdicts that change with the order are a tie, and `order_disagreement` counts them.
    """

    default_name = "pairwise_judge"
    parts = ("win_rate", "order_disagreement")
    counts = frozenset(("order_disagreement",))
    needs = "a question, a response, and another response in the case's field 'baseline'"
    formula = "win 1, tie 0.5, loss 0"
    prompts = ("pairwise_judge",)
    config_class = PairwiseJudgeConfig
    config: PairwiseJudgeConfig

    async def compare(self, question: str, first: str, second: str, reference: str = "") -> Score:
        """The first response against the second; 1 means that the first is better."""
        case = Case(
            input=question, expected=(reference,) if reference else None, fields={self.config.baseline_field: second}
        )
        return await self.measure(Trial(case, Output(first)))

    def inapplicable(self, trial: Trial) -> str:
        """Without another response there is nothing to compare."""
        has_other = trial.case.fields.get(self.config.baseline_field) is not None
        return "" if has_other else f"the case has no {self.config.baseline_field!r} to compare with"

    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """Two questions, one for each order."""
        other = trial.case.fields[self.config.baseline_field]
        shared = material(trial)
        both = [shared.pop("response"), plain_text(other)]
        outcomes = await session.ask_all(
            prompt("pairwise_judge").question(
                {**shared, "first": first, "second": second}, SCHEMA, seed=f"{session.seed}|{order}"
            )
            for order, (first, second) in enumerate([both, both[::-1]])
        )
        forward, backward = [value_of(one, f"order {at + 1}").value for at, one in enumerate(outcomes)]
        straight, turned = _VALUE[forward["better"]], 1 - _VALUE[backward["better"]]
        value = straight if straight == turned else 0.5
        parts = {"win_rate": value, "order_disagreement": float(straight != turned)}
        reasonings = [forward["reasoning"], backward["reasoning"]]
        return self.verdict(value, reasonings[0], parts, orders=[straight, turned], reasonings=reasonings)
