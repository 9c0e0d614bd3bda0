"""`QuestionJudge`: questions to be answered with yes or no, each by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.llm_judge import material
from ringtrue.evaluators.judged.prompt import Prompt, prompt
from ringtrue.evaluators.judged.schemas import choice, record
from ringtrue.evaluators.judged.session import JudgeSession, value_of
from ringtrue.models.structured.question import Question
from ringtrue.models.structured.structured_model import NoValue, Outcome
from ringtrue.records import Json, Score, Trial
from ringtrue.require import require_count, require_share, require_that

VERDICT = record(answer=choice("yes", "no"))
Asked: TypeAlias = str | Sequence[str | bool]
"""A question that a good response answers with yes; or a pair of a question and whether yes is the good answer."""


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question, whether yes is the good answer, and what the judge said; None could not be read."""

    question: str
    expected: bool
    said: bool | None

    @property
    def good(self) -> bool:
        """Whether the answer is the good one."""
        return self.said is self.expected

    @property
    def word(self) -> str:
        """The judge's word."""
        return {True: "yes", False: "no", None: "neither yes nor no"}[self.said]


def put(
    one: Prompt, texts: Mapping[str, str], question: str, schema: Mapping[str, Json] | None, *, seed: str = ""
) -> Question:
    """The request that puts one question about these texts; each of them, and the question, is in its fence."""
    fields = "\n\n".join(f"{{{{{name}}}}}" for name in texts)
    return replace(one, user=f"{fields}\n\n{one.user}").question({**texts, "asked": question}, schema, seed=seed)


def share(answers: Sequence[AnsweredQuestion]) -> float | None:
    """Good answers / answers that are a yes or a no; None where these are fewer than half of the questions."""
    read = [answer for answer in answers if answer.said is not None]
    return sum(answer.good for answer in read) / len(read) if 2 * len(read) >= len(answers) and read else None


@dataclass(frozen=True, kw_only=True)
class QuestionJudgeConfig(BaseEvaluatorConfig):
    """The questions; one that a good response answers with no is given as `(question, False)`."""

    questions: Sequence[Asked] = ()
    threshold: float = 0.7
    max_concurrency: int = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        questions = self.questions
        listed = isinstance(questions, Sequence) and not isinstance(questions, (str, bytes)) and len(questions) > 0
        holds = listed and all(map(_is_question, questions))
        require_that(holds, "questions", questions, "a list of texts, or of pairs such as ('Is it rude?', False)")
        require_count("max_concurrency", self.max_concurrency)
        require_share("threshold", self.threshold)

    @property
    def pairs(self) -> list[tuple[str, bool]]:
        """Each question with whether yes is the good answer."""
        return [(one, True) if isinstance(one, str) else (str(one[0]), bool(one[1])) for one in self.questions]


class QuestionJudge(Judge):
    """The share of yes-or-no questions about a response that get the good answer.

    Each question is one request. Unreadable replies are counted and left out; if more than half are unreadable, the
    score is an error.
    """

    default_name = "question_judge"
    parts = ("question_score",)
    needs = "a question, an answer where there is one, and a response"
    formula = "good answers / answers"
    prompts = ("question_judge",)
    config_class = QuestionJudgeConfig
    unmeasured = {"answers": []}  # noqa: RUF012 - it is copied before it is handed out
    config: QuestionJudgeConfig

    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """Every question by itself."""
        texts = material(trial)
        words = prompt("question_judge")
        outcomes = await session.ask_all(
            put(words, texts, question, VERDICT, seed=f"{session.seed}|{position}")
            for position, (question, _) in enumerate(self.config.pairs)
        )
        pairs = zip(self.config.pairs, outcomes, strict=True)
        return self._score(
            [AnsweredQuestion(*pair, _is_yes(one, f"question {at}")) for at, (pair, one) in enumerate(pairs, 1)]
        )

    def _score(self, answers: Sequence[AnsweredQuestion]) -> Score:
        answer_records = [{"question": one.question, "expected": one.expected, "said": one.said} for one in answers]
        lost = sum(one.said is None for one in answers)
        value = share(answers)
        if value is None:
            reason = f"{lost} of {len(answers)} replies could not be read"
            return Score.error(reason, kind="unreadable", answers=answer_records)
        reason = "; ".join(f"{one.question} {one.word}" for one in answers if not one.good) or "all answers are good"
        return self.verdict(value, reason, answers=answer_records, unread=lost)


def _is_yes(outcome: Outcome, what: str) -> bool | None:
    if isinstance(outcome, NoValue) and outcome.kind == "unreadable":
        return None
    yes: bool = value_of(outcome, what).value["answer"] == "yes"
    return yes


def _is_question(one: object) -> bool:
    if isinstance(one, str):
        return bool(one.strip())
    pair = isinstance(one, Sequence) and len(one) == 2
    return pair and isinstance(one[0], str) and bool(one[0].strip()) and isinstance(one[1], bool)  # type: ignore[index]
