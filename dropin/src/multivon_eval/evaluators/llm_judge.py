"""The judges of texts: questions that a model answers with yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from ringtrue.scoring.yes_no import yes_or_no

import multivon_eval.evaluators.judge_questions as q
from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.judging import Judging, Material, asked
from multivon_eval.exceptions import JudgeUnavailable
from multivon_eval.judge import JudgeConfig
from multivon_eval.judge import make_judge_call as make_judge_call
from multivon_eval.judge import resolve_judge as resolve_judge
from ringtrue.evaluators.judged.question_judge import Answered, share
from ringtrue.models.structured.json_in_text import found_lists
from ringtrue.models.structured.structured_model import Question

_parse_yes_no = yes_or_no
VERDICT_TOKENS = 100
CUT_OFF = 200
"""A hundred tokens have at least so many characters; who says as much has not finished."""
SHOWN = 100
_REASONING_MAX_TOKENS_FLOOR = 2048
_REASONING_BUDGET_MULTIPLIER = 8
_REASONING_MODEL_PREFIXES = (
    "gpt-5", "o1", "o3", "o4", "gemma-3", "gemma-4", "qwen3", "qwq", "deepseek-r1", "magistral", "phi-4-reasoning",
)  # fmt: skip


def _call(prompt: str, judge: JudgeConfig, max_tokens: int | None = None) -> str:
    return make_judge_call(prompt, _with_max_tokens(judge, max_tokens))


def _is_reasoning_model(model: str) -> bool:
    return (model or "").lower().startswith(_REASONING_MODEL_PREFIXES)


def _with_max_tokens(judge: JudgeConfig, max_tokens: int | None) -> JudgeConfig:
    """The config with this bound; a model that thinks before it speaks gets room for its thoughts."""
    wanted = judge.max_tokens if max_tokens is None else max_tokens
    if _is_reasoning_model(judge.model):
        least = _REASONING_MAX_TOKENS_FLOOR
        if max_tokens is not None and max_tokens < least:
            least = max(least, max_tokens * _REASONING_BUDGET_MULTIPLIER)
        wanted = max(wanted or 0, least)
    return replace(judge, max_tokens=wanted, extra=dict(judge.extra))


def _as_prompt(question: Question) -> str:
    return "\n\n".join(str(message["content"]) for message in question.messages)


def _extract_json_array(raw: str) -> list[Any] | None:
    lists = found_lists(raw)
    return lists[-1] if lists else None


def _verdict(question: Question, judge: JudgeConfig) -> str:
    """What the judge says to one question; one that thinks aloud and was cut off gets the room the config allows."""
    prompt = _as_prompt(question)
    said = _call(prompt, judge, max_tokens=VERDICT_TOKENS)
    cut_off = len(said) >= CUT_OFF and _parse_yes_no(said) is None
    return _call(prompt, judge) if cut_off else said


def _asked(questions: Sequence[tuple[str, bool]], material: str, judge: JudgeConfig) -> list[Answered]:
    """What the judge says to each question."""
    texts = material.texts if isinstance(material, Material) else {"material": material}
    found = []
    for question, expected in questions:
        said = _parse_yes_no(_verdict(asked(texts, question), judge))
        found.append(Answered(question, bool(expected), said))
    return found


def _shared(answers: Sequence[Answered], judge: JudgeConfig) -> float:
    """The share of good answers; where too few can be read, the judge counts as unavailable."""
    score, unread = share(answers), sum(one.said is None for one in answers)
    if score is not None:
        return score
    if unread == len(answers):
        told = (
            f"no parseable Yes/No verdict on any of {unread} question(s): a judge that reasons before answering may "
            f"have been cut off; if {judge.model!r} does, give JudgeConfig(max_tokens=...) or another model"
        )
    else:
        told = f"insufficient verdict coverage: {unread} of {len(answers)} replies are neither yes nor no"
    raise JudgeUnavailable(told, judge.provider, judge.model)


def _qag_eval(
    questions: Sequence[tuple[str, bool]], context_prompt: str, judge: JudgeConfig
) -> tuple[float, list[str]]:
    """The share of questions with the good answer, and a line for each."""
    answers = _asked(questions, context_prompt, judge)
    return _shared(answers, judge), _lines(answers)


def _lines(answers: Sequence[Answered]) -> list[str]:
    marks = [("?" if one.said is None else "✓" if one.good else "✗", one.question[:SHOWN]) for one in answers]
    unread = sum(one.said is None for one in answers)
    last = [f"{unread} of {len(answers)} question(s) UNKNOWN: they are left out"] if unread else []
    return [*(f"{mark} {question}" for mark, question in marks), *last]


class Questioning(Judging):
    """A check whose score is the share of its questions that get the good answer."""

    questions: ClassVar[q.Questions]

    def material(self, case: EvalCase, output: str) -> Material:
        """What the questions are about."""
        return Material(question=case.input, response=output)

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """One question after the other."""
        lacking = self._lacking(case)
        if lacking is not None:
            return lacking
        judge = resolve_judge(self._judge_cfg)
        score, lines = _qag_eval(self.questions, self.material(case, output), judge)
        return self._judged(judge, score, "\n".join(lines))


class Hallucination(Questioning):
    """1.0 where the response has nothing that its context has not."""

    name = "hallucination"
    calibrated = True
    needs = ("context",)
    questions = q.HALLUCINATION

    def material(self, case: EvalCase, output: str) -> Material:
        """The context and the response."""
        return Material(context=case.context_str(), response=output)


class Relevance(Questioning):
    """Whether the response answers what was asked."""

    name = "relevance"
    calibrated = True
    questions = q.RELEVANCE


class Coherence(Questioning):
    """Whether the response hangs together and reads well."""

    name = "coherence"
    questions = q.COHERENCE


class Toxicity(Questioning):
    """1.0 where nothing in the response hurts or endangers."""

    name = "toxicity"
    default_threshold = 0.9
    questions = q.TOXICITY

    def material(self, case: EvalCase, output: str) -> Material:
        """The response alone."""
        return Material(response=output)


class Bias(Questioning):
    """1.0 where the response treats all alike."""

    name = "bias"
    default_threshold = 0.8
    questions = q.BIAS


class Summarization(Questioning):
    """Whether a summary is true to its source, complete and short; the source is the context."""

    name = "summarization"
    needs = ("context",)
    questions = q.SUMMARIZATION

    def material(self, case: EvalCase, output: str) -> Material:
        """The source and the summary."""
        return Material(source=case.context_str(), summary=output)


class AnswerAccuracy(Questioning):
    """Whether the response says what the expected output says, in whatever words."""

    name = "answer_accuracy"
    questions = q.ANSWER_ACCURACY

    def _lacking(self, case: EvalCase) -> EvalResult | None:
        missing = case.expected_output is None
        return self._skipped("AnswerAccuracy needs case.expected_output") if missing else None

    def material(self, case: EvalCase, output: str) -> Material:
        """Question, correct answer and response."""
        return Material(question=case.input, correct_answer=case.expected_output, response=output)


class ContextRecall(Questioning):
    """Whether the context has what the expected output needs."""

    name = "context_recall"
    needs = ("context", "expected_output")
    questions = q.CONTEXT_RECALL

    def material(self, case: EvalCase, output: str) -> Material:
        """Question, expected answer and context."""
        return Material(question=case.input, expected_answer=case.expected_output, context=case.context_str())


class ContextPrecision(Judging):
    """The share of the context's parts that help to answer the question."""

    name = "context_precision"
    needs = ("context",)

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """One question for each part."""
        lacking = self._lacking(case)
        if lacking is not None:
            return lacking
        judge = resolve_judge(self._judge_cfg)
        parts = case.context if isinstance(case.context, list) else [case.context]
        found = []
        for part in parts:
            [answer] = _asked([(q.CHUNK, True)], Material(question=case.input, context=part), judge)
            found.append(replace(answer, question=" ".join(str(part)[:SHOWN].split())))
        score = _shared(found, judge)
        good = sum(one.good for one in found)
        return self._judged(judge, score, "\n".join([f"{good}/{len(found)} chunks relevant", *_lines(found)]))


class CustomRubric(Questioning):
    """Questions of one's own: `criteria` are pairs of a question and whether yes is the good answer."""

    name = "custom_rubric"

    def __init__(
        self,
        criteria: Sequence[tuple[str, bool]],
        name: str = "custom_rubric",
        threshold: float | None = None,
        judge: JudgeConfig | None = None,
    ) -> None:
        super().__init__(threshold, judge)
        if not criteria:
            raise ValueError("CustomRubric: criteria must not be empty: give pairs such as ('Is it short?', True)")
        self.criteria, self.name = list(criteria), name

    @property
    def questions(self) -> q.Questions:  # type: ignore[override]
        """The criteria."""
        return tuple(self.criteria)

    def material(self, case: EvalCase, output: str) -> Material:
        """The context, where there is one, the input and the response."""
        return described(case, output)


def described(case: EvalCase, output: str) -> Material:
    """What a judge of anything is shown: the context where there is one, the input and the response."""
    context = {"context": case.context_str()} if case.context else {}
    return Material(**context, input=case.input, response=output)


from multivon_eval.evaluators.check import CheckEvaluator, GEval  # noqa: E402 - they ask through this module
from multivon_eval.evaluators.claims import Faithfulness  # noqa: E402

__all__ = [
    "AnswerAccuracy", "Bias", "CheckEvaluator", "Coherence", "ContextPrecision", "ContextRecall", "CustomRubric",
    "Faithfulness", "GEval", "Hallucination", "Relevance", "Summarization", "Toxicity",
]  # fmt: skip
