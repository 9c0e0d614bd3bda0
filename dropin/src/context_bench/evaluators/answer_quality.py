"""`AnswerQuality`, as ringtrue has it."""

from ringtrue.evaluators import AnswerQuality

__all__ = ["AnswerQuality"]
