"""The judges of agents: of their calls, their steps, and what they came to."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from multivon_eval.case import AgentStep, EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.agent_judgments import PROTOCOL, evidence, judge_binary
from multivon_eval.evaluators.judge_questions import Questions
from multivon_eval.evaluators.judging import Judging, Material, asked
from multivon_eval.evaluators.llm_judge import VERDICT_TOKENS, _as_prompt, _lines
from multivon_eval.evaluators.llm_judge import _call as _judge_call_with
from multivon_eval.evaluators.tool_calls import ToolCallAccuracy
from multivon_eval.judge import JudgeConfig, resolve_judge
from multivon_eval.steps import call_text, calls_of, steps_text
from multivon_eval.values import part, shown
from ringtrue.evaluators.judged.config import require_count
from ringtrue.evaluators.judged.question_judge import Answered, share

__all__ = [
    "AgentMemoryEval",
    "PlanQuality",
    "StepFaithfulness",
    "TaskCompletion",
    "ToolArgumentAccuracy",
    "ToolCallAccuracy",
    "ToolCallNecessity",
    "TrajectoryEfficiency",
]


def _judge_call(prompt: str, max_tokens: int = VERDICT_TOKENS, judge: JudgeConfig | None = None) -> str:
    return _judge_call_with(prompt, resolve_judge(judge), max_tokens=max_tokens)


def _qag_eval(questions: Questions, material: Material, judge: JudgeConfig) -> tuple[float, list[str]]:
    """The share of questions with the good answer, and a line for each; every one of them needs an answer."""
    said = [_said(material, question, judge, expected) for question, expected in questions]
    answers = [Answered(*pair, verdict) for pair, verdict in zip(questions, said, strict=True)]
    return share(answers) or 0.0, _lines(answers)


def _said(material: Material, question: str, judge: JudgeConfig, expected: bool = True) -> bool:
    def call(prompt: str) -> str:
        return _judge_call_with(prompt, judge, max_tokens=VERDICT_TOKENS)

    return judge_binary(_as_prompt(asked(material.texts, question)), call, expected=expected)


class TraceJudging(Judging):
    """A check that asks a judge about an agent; what was asked and said is in `evaluation_evidence`."""

    def __init__(self, threshold: float | None = None, judge: JudgeConfig | None = None) -> None:
        super().__init__(threshold, judge)
        self.protocol = PROTOCOL

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """The judge's verdicts, or nothing where the case lacks what is judged."""
        lacking = self._lacking(case)
        if lacking is not None:
            return lacking
        with evidence() as found:
            result = self._measured(case, output)
        result.metadata["evaluation_evidence"] = found
        return result

    @abstractmethod
    def _measured(self, case: EvalCase, output: str) -> EvalResult:
        """The check of a case that has what is judged."""


class TraceQuestions(TraceJudging):
    """The share of questions about the whole run that get the good answer."""

    questions: ClassVar[Questions]

    def _measured(self, case: EvalCase, output: str) -> EvalResult:
        judge = resolve_judge(self._judge_cfg)
        score, lines = _qag_eval(self._questions(case), self.material(case, output), judge)
        return self._told(case, output, judge, score, lines)

    def _told(self, case: EvalCase, output: str, judge: JudgeConfig, score: float, lines: list[str]) -> EvalResult:
        return self._judged(judge, score, "\n".join(lines))

    def _questions(self, case: EvalCase) -> Questions:
        return self.questions

    def material(self, case: EvalCase, output: str) -> Material:
        """The task, the steps and the output."""
        steps = {"steps": steps_text(case.agent_trace)} if case.agent_trace else {}
        return Material(task=f"Task: {case.input}", **steps, output=output)


class TraceItems(TraceJudging):
    """The share of items of a trace that the judge accepts; a trace of more than `max_items` is skipped."""

    question: ClassVar[str]
    noun: ClassVar[str]
    needs = ("agent_trace",)

    def __init__(self, threshold: float | None = None, judge: JudgeConfig | None = None, *, max_items: int = 8) -> None:
        super().__init__(threshold, judge)
        require_count("max_items", max_items)
        self.max_items = max_items

    @abstractmethod
    def items(self, case: EvalCase) -> list[tuple[str, Material]]:
        """What is judged: each item's name, and what the judge is shown of it."""

    def _measured(self, case: EvalCase, output: str) -> EvalResult:
        items = self.items(case)
        if not items:
            return self._skipped(f"No {self.noun} in trace")
        if len(items) > self.max_items:
            return self._unmeasured(len(items))
        answers = [Answered(name, True, self._accepts(material)) for name, material in items]
        good = sum(answer.good for answer in answers)
        reason = "\n".join([f"{good}/{len(answers)} {self.noun}", *_lines(answers)])
        return self._judged(resolve_judge(self._judge_cfg), good / len(answers), reason)

    def _accepts(self, material: Material) -> bool:
        prompt = _as_prompt(asked(material.texts, self.question))
        return judge_binary(prompt, lambda text: _judge_call(text, VERDICT_TOKENS, self._judge_cfg))

    def _unmeasured(self, count: int) -> EvalResult:
        result = self._skipped(f"{count} {self.noun} are more than max_items={self.max_items}: none is judged")
        result.metadata |= {"requested_items": count, "measured_items": 0, "max_items": self.max_items}
        return result


class ToolArgumentAccuracy(TraceItems):
    """The share of calls whose arguments fit the tool and the task."""

    name = "tool_argument_accuracy"
    noun = "tool calls"
    question = "Are the arguments of this call well-formed, and the right ones for this tool and this task?"

    def items(self, case: EvalCase) -> list[tuple[str, Material]]:
        """Each call."""
        calls = calls_of(case.agent_trace or ())
        return [(call_text(call), Material(task=f"Task: {case.input}", call=call_text(call))) for call in calls]


class ToolCallNecessity(TraceItems):
    """The share of calls that the task needs, after all calls before them."""

    name = "tool_call_necessity"
    noun = "tool calls"
    question = "Does the task need this call, after what the earlier calls have already brought?"

    def items(self, case: EvalCase) -> list[tuple[str, Material]]:
        """Each call with those before it."""
        calls = calls_of(case.agent_trace or ())
        return [
            (
                call_text(call),
                Material(
                    task=f"Task: {case.input}",
                    earlier=steps_text([AgentStep(tool_calls=calls[:at])]) if at else "none",
                    call=f"Current tool call: {call_text(call)}",
                ),
            )
            for at, call in enumerate(calls)
        ]


class StepFaithfulness(TraceItems):
    """The share of steps that follow from the task and the steps before them."""

    name = "step_faithfulness"
    noun = "steps"
    question = "Does this step follow from the task and the earlier steps, making up and contradicting nothing?"

    def items(self, case: EvalCase) -> list[tuple[str, Material]]:
        """Each step with those before it."""
        steps = list(case.agent_trace or ())
        return [
            (
                f"step {at + 1}",
                Material(
                    task=f"Task: {case.input}",
                    earlier=steps_text(steps[:at]) if at else "none",
                    step=steps_text([step]),
                ),
            )
            for at, step in enumerate(steps)
        ]


class PlanQuality(TraceQuestions):
    """Whether the steps of an agent are a good plan: complete, ordered, without detours."""

    name = "plan_quality"
    needs = ("agent_trace",)
    questions = (
        ("Do the steps deal with everything that the task asks for?", True),
        ("Does each step come when what it needs is already there?", True),
        ("Could a step be left out without losing anything?", False),
        ("Does each step have a reason in the task or in what an earlier step found?", True),
        ("Would somebody who does such tasks often go about it in much the same way?", True),
    )


class TaskCompletion(TraceQuestions):
    """Whether the output is what the task asked for."""

    name = "task_completion"
    questions = (
        ("Does the output give what the task asks for?", True),
        ("Does the output meet each demand that the task makes?", True),
        ("Is the output whole, with nothing cut off or promised for later?", True),
        ("Did the agent give up, or end in an error?", False),
    )


class TrajectoryEfficiency(TraceQuestions):
    """Whether an agent came to its end without detours; 0.2 less where it did not cope with a tool that failed.

    A result with the word "error" in it counts as a failure.
    """

    name = "trajectory_efficiency"
    needs = ("agent_trace",)
    penalty: ClassVar[float] = 0.2
    recovery: ClassVar[str] = (
        "Some results of tools look like failures. Did the agent notice, and try again, take another way, or say so?"
    )
    questions = (
        ("Does every step bring the agent nearer to the end, with no detour and no step done twice?", True),
        ("Are there as many steps as a task of this size takes, and not many more?", True),
        ("Was a tool called again with the very same arguments?", False),
    )

    def _told(self, case: EvalCase, output: str, judge: JudgeConfig, score: float, lines: list[str]) -> EvalResult:
        results = [part(call, "result") for call in calls_of(case.agent_trace or ())]
        failures = sum(result is not None and "error" in shown(result).lower() for result in results)
        if failures:
            coped = _said(self.material(case, output), self.recovery, judge)
            score = score if coped else max(0.0, score - self.penalty)
            lines = [*lines, f"{'✓' if coped else '✗'} coped with {failures} suspected failure(s) of tools"]
        return self._judged(judge, score, "\n".join(lines))


class AgentMemoryEval(TraceQuestions):
    """Whether an agent uses what it knows from before, which is the context, and makes nothing up."""

    name = "agent_memory"
    needs = ("context",)
    questions = (
        ("Does the output use what is known from before, where that matters to the task?", True),
        ("Does the output claim to know something from before that is not there?", False),
        ("Where something known from before was changed later, does the output go by the change?", True),
    )

    def _questions(self, case: EvalCase) -> Questions:
        expected = ("Does the output say what the reference says, in whatever words?", True)
        return (*self.questions, expected) if case.expected_output else self.questions

    def material(self, case: EvalCase, output: str) -> Material:
        """What is known from before, the task, the reference where there is one, and the output."""
        reference = {"reference": case.expected_output} if case.expected_output else {}
        return Material(known=case.context_str(), task=f"Task: {case.input}", **reference, output=output)
