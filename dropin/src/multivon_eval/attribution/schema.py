"""A prompt at a call, and what became of it."""

from ringtrue.prompts.record import PromptDiff as PromptDiff
from ringtrue.prompts.record import PromptRecord as PromptRecord
