"""The judges of conversations: the last response, seen with all that was said before."""

from __future__ import annotations

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.judging import Material
from multivon_eval.evaluators.llm_judge import Questioning, _qag_eval
from multivon_eval.judge import resolve_judge

__all__ = ["ConversationCompleteness", "ConversationRelevance", "KnowledgeRetention", "TurnConsistency"]


class Conversing(Questioning):
    """Questions about a conversation and the response that ends it."""

    needs = ("conversation",)

    def material(self, case: EvalCase, output: str) -> Material:
        """The conversation and the response."""
        return Material(conversation=case.conversation_str(), response=output)

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """One question after the other."""
        lacking = self._lacking(case)
        if lacking is not None:
            return lacking
        judge = resolve_judge(self._judge_cfg)
        score, lines = _qag_eval(self.questions, self.material(case, output), judge)
        return self._judged(judge, score, "\n".join(lines))


class ConversationRelevance(Conversing):
    """Whether the response belongs to the conversation."""

    name = "conversation_relevance"
    questions = (
        ("Is the response about what the conversation is about?", True),
        ("Does the response deal with what the user said or asked last?", True),
        ("Does the response overlook something said earlier that matters to it?", False),
        ("Would the response come as no surprise to somebody who followed the conversation?", True),
    )


class KnowledgeRetention(Conversing):
    """Whether the response remembers what the user said; where the user said nothing, there is nothing to forget."""

    name = "knowledge_retention"
    questions = (
        ("Is what the response says of the user's facts and wishes as the user told them?", True),
        ("Does the response contradict something that the user said earlier?", False),
        ("Does the response take into account what the user said about themselves earlier?", True),
    )

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """One question after the other."""
        if case.conversation and not any(turn.get("role") == "user" for turn in case.conversation):
            return self._result(1.0, "No user turns: there is nothing to remember")
        return super().evaluate(case, output)


class ConversationCompleteness(Conversing):
    """Whether the user has, in the end, what the user came for."""

    name = "conversation_completeness"
    questions = (
        ("Does the user have, after the response, what the user first asked for?", True),
        ("Is a question of the user still unanswered?", False),
        ("Could the conversation well end with the response?", True),
        ("Must the user ask again to get what the user came for?", False),
    )

    def material(self, case: EvalCase, output: str) -> Material:
        """What the user first asked for, the conversation and the response."""
        asked = [turn.get("content") for turn in case.conversation or () if turn.get("role") == "user"]
        return Material(goal=asked[0] if asked else case.input, conversation=case.conversation_str(), response=output)


class TurnConsistency(Conversing):
    """Whether the assistant stays with what it said before."""

    name = "turn_consistency"
    default_threshold = 0.8
    questions = (
        ("Does the response agree with everything the assistant said before?", True),
        ("Does the assistant take back or contradict something it said earlier, without saying so?", False),
        ("Does the assistant speak in the same role and tone as before?", True),
    )
