"""One conversation of a made-up person with a function: ringtrue's `Talk`, with multivon-eval's judge and words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ringtrue.prompts.stamps import stamp_metadata_inplace
from ringtrue.systems.asked_case import asked_case

from multivon_eval.case import EvalCase
from multivon_eval.judge import JudgeConfig
from multivon_eval.spending import Spending
from ringtrue.authoring.personas import Persona as Persona
from ringtrue.authoring.talk import Talk

_STOPS = {
    "refused": "assistant_refused",
    "player_error": "driver_error",
    "system_error": "driver_error",
    "budget": "budget_exceeded",
}
"""How a conversation ended -> what that is called here."""


@dataclass
class SimulationResult:
    """One conversation, why it ended, and whether a judge calls the goal reached; None where nobody can tell."""

    persona: Persona
    transcript: list[dict[str, str]]
    turns: int
    stop_reason: str
    goal_achieved: bool | None
    cost_usd: float
    case: EvalCase


def held(
    model: Callable[[str], str],
    persona: Persona,
    judge: JudgeConfig,
    max_turns: int,
    seed: int,
    spending: Spending,
    git: Mapping[str, Any],
) -> SimulationResult:
    """A conversation, held; nothing raises."""
    about: dict[str, Any] = {
        "simulated": True,
        "persona": persona.name,
        "persona_traits": list(persona.traits),
        "success_criteria": persona.success_criteria,
        "judge_provider": judge.provider,
        "judge_model": judge.model,
        "judge_temperature": judge.temperature,
        "seed": seed,
    }
    stamp_metadata_inplace(about, authored_by="simulator", git=git)
    talk, before = Talk(persona, max_turns, seed), spending.total
    with asked_case(about):
        while not talk.ending:
            _goes_on(talk, model, judge, spending)
    if talk.can_be_judged and not spending.exhausted:
        with suppress(Exception):  # a judge that cannot be asked has no verdict
            talk.judge(talk.goal().read(spending.asked(judge, *talk.goal().spelled())))
    reason = _STOPS.get(talk.ending, talk.ending)
    about |= {"driver_error": talk.problem} if talk.problem else {}
    about |= {"refusals_observed": talk.refusals} if talk.refusals and persona.persistent else {}
    about |= {"stop_reason": reason, "goal_achieved": talk.achieved}
    case = EvalCase(persona.goal, conversation=talk.messages, metadata=about)
    cost = round(spending.total - before, 6)
    return SimulationResult(persona, talk.messages, talk.turns, reason, talk.achieved, cost, case)


def _goes_on(talk: Talk, model: Callable[[str], str], judge: JudgeConfig, spending: Spending) -> None:
    """One message and one reply."""
    line = talk.line()
    try:
        if spending.exhausted:
            talk.end("budget")
        elif not any(talk.play(line.read(spending.asked(judge, *line.spelled()))) for _ in range(2)):
            talk.end("player_error", "the judge gave malformed JSON twice")
    except Exception as error:  # whatever the judge does, it is this conversation's end alone
        talk.end("player_error", f"{type(error).__name__}: {error}")
    if not talk.ending:
        try:
            talk.hear(str(model(EvalCase("", conversation=talk.messages).conversation_str())))
        except Exception as error:  # the function is the user's
            talk.end("system_error", f"model_fn raised {type(error).__name__}: {error}")
