"""`ShortAnswerJudge`: whether a short answer is correct, incorrect, or not attempted."""

from __future__ import annotations

from dataclasses import replace

from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.llm_judge import NONE_GIVEN
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import TEXT, choice, record
from ringtrue.evaluators.judged.session import JudgeSession, value_of
from ringtrue.records import Score, Trial

GRADES = ("correct", "incorrect", "not_attempted")
SCHEMA = record(reasoning=TEXT, grade=choice(*GRADES))
NOTES = "grading_notes"


class ShortAnswerJudge(Judge):
    """One grade of three against the reference answer, as SimpleQA grades; the value is 1 for correct, else 0.

    The question is judged without its context. An empty response is not attempted, and no judge is asked. A case's
    `grading_notes` say how its kind of question is graded.
    """

    default_name = "short_answer_judge"
    parts = GRADES
    needs = "a question, one or more answers, and a response; `grading_notes` where there are any"
    formula = "1 for the grade that was given, 0 for the others; the value is correct"
    prompts = ("short_answer_judge",)

    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """One question, one grade."""
        case = trial.case
        references = [answer for answer in case.expected or () if answer]
        if not references:
            return Score.skipped("there is no answer to compare with")
        texts = {
            "notes": str(case.fields.get(NOTES) or NONE_GIVEN),
            "question": str(case.fields.get("bare_question") or case.input or NONE_GIVEN),
            "reference": "\n\n".join(references),
            "response": trial.output.text,
        }
        answer = value_of(await session.ask(prompt("short_answer_judge").question(texts, SCHEMA, seed=session.seed)))
        grade = answer.value["grade"]
        return self.verdict(float(grade == "correct"), answer.value["reasoning"], _parts_of(grade), grade=grade)

    def _without_answer(self, problem: str) -> Score:
        return replace(super()._without_answer(problem), parts=_parts_of("not_attempted"))


def _parts_of(grade: str) -> dict[str, float]:
    return {name: float(name == grade) for name in GRADES}
