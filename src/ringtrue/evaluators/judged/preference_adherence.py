"""`PreferenceAdherenceEvaluator`: the user's preferences, found in the conversation, and whether each was kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ringtrue.dialects.transcripts import render, turns_of_trial, up_to_last_user
from ringtrue.evaluators.judged.feedback import feedback
from ringtrue.evaluators.judged.judge import Judge, plain
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import LINE, PERCENT, TEXT, choice, record, several
from ringtrue.evaluators.judged.scored_output import ScoredOutput
from ringtrue.evaluators.judged.session import JudgeSession, NoVerdict, value_of
from ringtrue.models.structured.structured_model import Answer, NoValue
from ringtrue.records import Json, Score, Trial

Determination: TypeAlias = Literal["adhered", "did_not_adhere", "not_applicable"]

EXTRACTION = record(preferences=several(record(start_line=LINE, end_line=LINE, preference=TEXT)))
ADHERENCE = record(
    reasoning=TEXT,
    determination=choice("adhered", "did_not_adhere", "not_applicable"),
    adherence_probability=PERCENT,
)


@dataclass(frozen=True)
class InputUserPreferences:
    """A conversation as text, whole and up to the user's last message."""

    conversation_history_full: str
    conversation_history_beginning_turn: str


@dataclass(frozen=True)
class ExtractedPreference:
    """A preference and the lines where it is, the first being 0."""

    start_line: int
    end_line: int
    preference: str


@dataclass(frozen=True)
class ExtractedUserPreferences:
    """All preferences that were found."""

    preferences: list[ExtractedPreference] = field(default_factory=list)


@dataclass(frozen=True)
class AdherenceToPreferences:
    """Whether one preference was kept, how probable that is (0 to 100), and why."""

    preference: str
    reasoning: str
    adherence_probability: float
    determination: Determination


@dataclass(frozen=True)
class OutputPreferenceAdherenceEvaluator(ScoredOutput):
    """The result: each preference, and whether the answer adhered to it."""

    extracted_user_preferences: ExtractedUserPreferences
    adherence_to_preferences: list[AdherenceToPreferences]


class PreferenceAdherenceEvaluator(Judge):
    """Preferences adhered to / preferences found; `applicable_rate` leaves out those that did not apply."""

    default_name = "preference_adherence"
    parts = ("preference_adherence", "applicable_rate")
    needs = "a transcript"
    formula = "adhered / total"
    prompts = ("preference_extraction", "preference_adherence")
    unmeasured = {"extracted_user_preferences": {"preferences": []}, "adherence_to_preferences": []}  # noqa: RUF012

    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """One question that finds the preferences, then one for each of them."""
        story = turns_of_trial(trial)
        return await self._judge_preferences(render(up_to_last_user(story)), render(story), session)

    async def run(self, input: InputUserPreferences) -> OutputPreferenceAdherenceEvaluator:
        """Evaluate a conversation that is given as text."""
        beginning, whole = input.conversation_history_beginning_turn, input.conversation_history_full
        score = await self._direct(lambda session: self._judge_preferences(beginning, whole, session))
        found = score.metadata.get("extracted_user_preferences", {}).get("preferences", [])
        adherence = score.metadata.get("adherence_to_preferences", [])
        return OutputPreferenceAdherenceEvaluator.of(
            score,
            extracted_user_preferences=ExtractedUserPreferences([ExtractedPreference(**one) for one in found]),
            adherence_to_preferences=[AdherenceToPreferences(**one) for one in adherence],
        )

    async def _judge_preferences(self, beginning: str, whole: str, session: JudgeSession) -> Score:
        found = await self._extract(beginning, session)
        metadata: dict[str, Json] = {"extracted_user_preferences": plain(found), "adherence_to_preferences": []}
        if not found.preferences:
            return Score.skipped("no preference was found", **metadata)
        outcomes = await session.ask_all(
            prompt("preference_adherence").question(
                {"conversation": whole, "preference": one.preference},
                ADHERENCE,
                check=_contradiction,
                seed=f"{session.seed}|{position}",
            )
            for position, one in enumerate(found.preferences)
        )
        adherence = [
            AdherenceToPreferences(preference=one.preference, **outcome.value)
            for one, outcome in zip(found.preferences, outcomes, strict=True)
            if isinstance(outcome, Answer)
        ]
        metadata["adherence_to_preferences"] = plain(adherence)
        failed = [(at, one) for at, one in enumerate(outcomes) if isinstance(one, NoValue)]
        if failed:
            adhered, total = sum(one.determination == "adhered" for one in adherence), len(outcomes)
            metadata["unjudged"] = [
                {"preference": found.preferences[at].preference, "reasoning": one.reason} for at, one in failed
            ]
            metadata["bounds"] = [adhered / total, (adhered + len(failed)) / total]
            session.note(**metadata)
            raise NoVerdict(failed[0][1], f"preference {failed[0][0] + 1} of {total}")
        return score_of_preferences(adherence, metadata)

    async def _extract(self, beginning: str, session: JudgeSession) -> ExtractedUserPreferences:
        lines = beginning.splitlines() or [""]
        numbered = "\n".join(f"{number}: {line}" for number, line in enumerate(lines))
        question = prompt("preference_extraction").question(
            {"conversation": numbered},
            EXTRACTION,
            check=lambda value: _misplaced_line(value, len(lines)),
            seed=session.seed,
        )
        value = value_of(await session.ask(question), "the user's preferences").value
        unique = {one["preference"].strip().casefold(): one for one in reversed(value["preferences"])}
        return ExtractedUserPreferences([ExtractedPreference(**one) for one in reversed(unique.values())])


def score_of_preferences(adherence: Sequence[AdherenceToPreferences], metadata: Mapping[str, Json]) -> Score:
    """The score of judged preferences; if none had an occasion it is not applicable."""
    adhered = sum(one.determination == "adhered" for one in adherence)
    applicable = sum(one.determination != "not_applicable" for one in adherence)
    if not applicable:
        return Score.skipped("no preference had an occasion in the last turn", **metadata)
    broken = [one for one in adherence if one.determination == "did_not_adhere"]
    items = [{"preference": one.preference, "reasoning": one.reasoning} for one in broken]
    value = adhered / len(adherence)
    return Score(
        value,
        status="scored",
        passed=value >= 0.5,
        reason=f"{adhered} of {len(adherence)} preferences kept, {len(adherence) - applicable} without an occasion",
        parts={"preference_adherence": value, "applicable_rate": adhered / applicable},
        metadata={**metadata, "feedback": feedback("The answer does not keep to these preferences:", items)},
    )


def _misplaced_line(value: Json, lines: int) -> str:
    for at, one in enumerate(value["preferences"]):
        if not one["start_line"] <= one["end_line"] < lines:
            return f"'preferences[{at}]' does not name lines from 0 to {lines - 1}, the first before the last"
        if not one["preference"].strip():
            return f"'preferences[{at}].preference' is empty"
    return ""


def _contradiction(value: Json) -> str:
    determination, probability = value["determination"], value["adherence_probability"]
    if (determination == "adhered" and probability < 50) or (determination == "did_not_adhere" and probability > 50):
        return f"'determination' is {determination!r} and 'adherence_probability' is {probability:g}, which contradict"
    return ""
