"""`CheckEvaluator` and `GEval`: a criterion in plain words, made into questions or graded as a whole."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from math import fsum
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.judging import Judging, Material
from multivon_eval.exceptions import JudgeUnavailable
from multivon_eval.judge import JudgeConfig
from ringtrue.evaluators.check import is_number
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.models.structured.json_in_text import found_objects

LONGEST_CRITERION, LONGEST_NAME, MOST_QUESTIONS = 300, 50, 10
ATTEMPTS = 2


class CheckEvaluator(Judging):
    """Questions that the judge makes of a criterion, once; or the `questions` given. All must be answered with yes."""

    def __init__(
        self,
        criterion: str,
        threshold: float = 0.7,
        num_questions: int = 3,
        questions: Sequence[str] | None = None,
        name: str = "",
        judge: JudgeConfig | None = None,
    ) -> None:
        super().__init__(threshold, judge)
        criterion = criterion.strip()
        if not criterion:
            raise ValueError("CheckEvaluator: criterion must be a non-empty string")
        given = None if questions is None else [question.strip() for question in questions if question.strip()]
        if given is not None and not given:
            raise ValueError("CheckEvaluator: questions list must not be empty")
        self._criterion = _cut(criterion, LONGEST_CRITERION, " ")
        self._num_questions = max(1, min(MOST_QUESTIONS, num_questions))
        self._questions = None if given is None else [(question, True) for question in given]
        self._used_fallback = False
        self.name = name or _cut(re.sub(r"[^a-z0-9]+", "_", criterion.lower()).strip("_"), LONGEST_NAME, "_") or "check"

    @property
    def criterion(self) -> str:
        """The criterion, of at most 300 characters."""
        return self._criterion

    @property
    def resolved_questions(self) -> list[str] | None:
        """The questions; None before there are any."""
        return None if self._questions is None else [question for question, _ in self._questions]

    def prepare(self, judge: JudgeConfig | None = None) -> None:
        """Have the questions made, unless there are some; where that fails twice, the criterion is the question."""
        import multivon_eval.evaluators.llm_judge as through  # which imports this module

        if self._questions is not None:
            return
        asked = through.resolve_judge(judge or self._judge_cfg)
        texts = Material(criterion=self._criterion, number=self._num_questions).texts
        words = through._as_prompt(prompt("check_questions", "multivon_eval").question(texts, None))
        for _ in range(ATTEMPTS):
            found = through._extract_json_array(through._call(words, asked, max(300, 60 * self._num_questions))) or []
            made = [one.strip() for one in found if isinstance(one, str) and one.strip()]
            if made:
                self._questions = [(question, True) for question in made[: self._num_questions]]
                return
        warnings.warn(
            f"the judge made no questions of {self._criterion!r}; as a fallback the criterion is the one question. "
            "questions=[...] takes your own",
            stacklevel=2,
        )
        self._questions, self._used_fallback = [(self._criterion, True)], True

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """One question after the other."""
        import multivon_eval.evaluators.llm_judge as through

        self.prepare()
        judge = through.resolve_judge(self._judge_cfg)
        score, lines = through._qag_eval(self._questions or [], through.described(case, output), judge)
        note = " [fallback: the criterion itself was asked]" if self._used_fallback else ""
        reason = "\n".join([f"Criterion: {self._criterion}{note}", *lines])
        return self._judged(judge, score, reason, used_fallback=self._used_fallback)


class GEval(Judging):
    """The mean of several grades, from 0.0 to 1.0, of a response by a criterion."""

    def __init__(
        self,
        criteria: str,
        name: str = "g_eval",
        threshold: float = 0.7,
        judge: JudgeConfig | None = None,
        runs: int = 2,
    ) -> None:
        super().__init__(threshold, judge)
        if not isinstance(criteria, str) or not criteria.strip():
            raise ValueError(f"GEval: criteria must be a text; got {criteria!r}")
        self.criteria, self.name, self._runs = criteria, name, max(1, runs)

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """One grade after the other; the first one's reason."""
        import multivon_eval.evaluators.llm_judge as through

        judge = through.resolve_judge(self._judge_cfg)
        texts = Material(input=case.input, response=output, criterion=self.criteria).texts
        grades = []
        for run in range(self._runs):
            question = prompt("rating", "multivon_eval").question(texts, None, seed=f"run {run}")
            grades.append(_grade(through._call(through._as_prompt(question), judge), judge))
        mean = fsum(score for score, _ in grades) / len(grades)
        return self._judged(judge, mean, grades[0][1], scores=[score for score, _ in grades])


def _grade(reply: str, judge: JudgeConfig) -> tuple[float, str]:
    for found in reversed(found_objects(reply)):
        score: Any = found.get("score")
        if is_number(score) and 0 <= score <= 1:
            return float(score), str(found.get("reason", ""))
    raise JudgeUnavailable("the judge's reply holds no score from 0.0 to 1.0", judge.provider, judge.model)


def _cut(text: str, most: int, between: str) -> str:
    """The text, or as many whole words of it as fit."""
    if len(text) <= most:
        return text
    return text[:most].rpartition(between)[0] or text[:most]
