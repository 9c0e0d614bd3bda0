"""`PreferenceAdherenceEvaluator`: the user's preferences, found in the conversation, and whether each was kept."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from eval_recipes.recipe import Recipe
from ringtrue.evaluators import InputUserPreferences as NativeInputUserPreferences
from ringtrue.evaluators import PreferenceAdherenceEvaluator as NativePreferenceAdherenceEvaluator
from ringtrue.records import Status


class InputUserPreferences(BaseModel):
    """A conversation as text, whole and up to the user's last message."""

    conversation_history_full: str
    conversation_history_beginning_turn: str


class ExtractedPreference(BaseModel):
    """A preference and the lines where it is, the first being 0."""

    start_line: int
    end_line: int
    preference: str


class ExtractedUserPreferences(BaseModel):
    """All preferences that were found."""

    preferences: list[ExtractedPreference]


class AdherenceToPreferences(BaseModel):
    """Whether one preference was kept, how probable that is (0 to 100), and why."""

    preference: str
    reasoning: str
    adherence_probability: float
    determination: str


class OutputPreferenceAdherenceEvaluator(BaseModel):
    """The result, 0 to 100; where `status` is not "scored" there is no score and `error` says why."""

    extracted_user_preferences: ExtractedUserPreferences
    adherence_to_preferences: list[AdherenceToPreferences]
    score: float
    status: Status = "scored"
    error: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict, repr=False)


class PreferenceAdherenceEvaluator(Recipe):
    """Preferences adhered to / preferences found."""

    judged_class = NativePreferenceAdherenceEvaluator

    async def run(self, input: InputUserPreferences) -> OutputPreferenceAdherenceEvaluator:
        """The result for a conversation that is given as text."""
        given = NativeInputUserPreferences(**dict(input))
        return OutputPreferenceAdherenceEvaluator.model_validate(await self.judged.run(given), from_attributes=True)
