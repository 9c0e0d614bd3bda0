"""`AnswerQuality`, as ringtrue has it."""

from ringtrue.evaluators.answer_quality import AnswerQuality

__all__ = ["AnswerQuality"]
