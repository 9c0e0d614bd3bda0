"""`RubricJudge`: which of the described levels a response reaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.llm_judge import material
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import TEXT, choice, record
from ringtrue.evaluators.judged.session import JudgeSession, value_of
from ringtrue.records import Score, Trial
from ringtrue.require import require_share, require_that


@dataclass(frozen=True, kw_only=True)
class RubricJudgeConfig(BaseEvaluatorConfig):
    """The levels by name, from the lowest to the highest, each with its description."""

    levels: Mapping[str, str] = field(default_factory=dict)
    threshold: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        levels = self.levels
        holds = isinstance(levels, Mapping) and len(levels) >= 2
        holds = holds and all(isinstance(one, str) and one.strip() for pair in levels.items() for one in pair)
        what = "a dict of two or more names with their descriptions, lowest first"
        require_that(holds, "levels", levels, what)
        require_share("threshold", self.threshold)


class RubricJudge(Judge):
    """The level a response reaches, the lowest being 0, the highest 1, those between at equal distances."""

    default_name = "rubric_judge"
    parts = ("rubric_score",)
    needs = "a question, an answer where there is one, and a response"
    formula = "position of the level / (levels - 1)"
    prompts = ("rubric_judge",)
    config_class = RubricJudgeConfig
    config: RubricJudgeConfig

    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """One question, one level."""
        texts = material(trial)
        names = list(self.config.levels)
        rubric = "\n".join(f"{name}: {description}" for name, description in self.config.levels.items())
        question = prompt("rubric_judge").question(
            {"rubric": rubric, **texts}, record(reasoning=TEXT, level=choice(*names)), seed=session.seed
        )
        answer = value_of(await session.ask(question)).value
        value = names.index(answer["level"]) / (len(names) - 1)
        return self.verdict(value, answer["reasoning"], level=answer["level"])
