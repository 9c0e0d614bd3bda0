"""`TurnRatings`: a rating from 1 to 10 for each reply of a conversation, as MT-Bench rates."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from ringtrue.dialects.transcripts import Turn, render, turns
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.llm_judge import NONE_GIVEN
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import TEXT, choice, record
from ringtrue.evaluators.judged.session import JudgeSession, value_of
from ringtrue.models.structured.question import Question
from ringtrue.records import Score, Trial

SCHEMA = record(reasoning=TEXT, rating=choice(*range(1, 11)))


class TurnRatings(Judge):
    """The mean over replies of rating / 10; each reply is rated with the conversation before it.

    A case's `turn_references` are reference replies, one for each reply.
    """

    default_name = "turn_ratings"
    parts = ("turn_rating", "first_turn", "last_turn")
    needs = "a conversation; `turn_references` where there are any"
    formula = "mean of rating / 10 over the assistant's replies"
    prompts = ("turn_ratings",)

    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """One question for each reply."""
        story = _story(trial)
        places = [place for place, turn in enumerate(story) if turn.role == "assistant" and turn.text.strip()]
        if not places:
            return Score.skipped(trial.output.problem or "there is no reply to rate")
        references = trial.case.fields.get("turn_references") or ()
        outcomes = await session.ask_all(
            _question(story, place, str(references[at]) if at < len(references) else "", f"{session.seed}|{at}")
            for at, place in enumerate(places)
        )
        said = [value_of(one, f"reply {at}").value for at, one in enumerate(outcomes, 1)]
        ratings = [one["rating"] for one in said]
        value = fmean(ratings) / 10
        parts = {"turn_rating": value, "first_turn": ratings[0] / 10, "last_turn": ratings[-1] / 10}
        return self.verdict(value, said[-1]["reasoning"], parts, ratings=ratings)


def _story(trial: Trial) -> Sequence[Turn]:
    if trial.output.messages:
        return turns(trial.output.messages)
    asked = trial.case.messages or [{"role": "user", "content": trial.case.input}]
    return turns([*asked, {"role": "assistant", "content": trial.output.text}])


def _question(story: Sequence[Turn], place: int, reference: str, seed: str) -> Question:
    texts = {"conversation": render(story[:place]), "reference": reference or NONE_GIVEN, "reply": story[place].text}
    return prompt("turn_ratings").question(texts, SCHEMA, seed=seed)
