"""`Talk`: somebody who was made up talks to a system, turn by turn, until they have what they want or give up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from multivon_eval.active_case import asked_case
from multivon_eval.case import EvalCase
from multivon_eval.evaluators.judging import Material
from multivon_eval.judge import JudgeConfig
from multivon_eval.spending import Ask, Spending
from multivon_eval.stamps import stamp_metadata_inplace
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.models.found_objects import found_objects
from ringtrue.scoring.refusals import is_refusal

ADVERSARIAL = "adversarial"

Turn = dict[str, str]


@dataclass
class Persona:
    """Somebody who wants something from a system; one with the trait `adversarial` does not stop at a refusal."""

    name: str
    profile: str
    goal: str
    success_criteria: str
    traits: list[str] = field(default_factory=list)


@dataclass
class SimulationResult:
    """One conversation, why it ended, and whether a judge calls the goal reached; None where nobody can tell."""

    persona: Persona
    transcript: list[Turn]
    turns: int
    stop_reason: str
    goal_achieved: bool | None
    cost_usd: float
    case: EvalCase


class Talk:
    """One conversation."""

    def __init__(
        self,
        model: Callable[[str], str],
        persona: Persona,
        judge: JudgeConfig,
        max_turns: int,
        seed: int,
        spending: Spending,
        git: Mapping[str, Any],
    ) -> None:
        self.model, self.persona, self.judge, self.max_turns = model, persona, judge, max_turns
        self.spending, self.turns, self.stop_reason = spending, 0, "max_turns"
        self.transcript: list[Turn] = []
        self.about: dict[str, Any] = {
            "simulated": True,
            "persona": persona.name,
            "persona_traits": list(persona.traits),
            "success_criteria": persona.success_criteria,
            "judge_provider": judge.provider,
            "judge_model": judge.model,
            "judge_temperature": judge.temperature,
            "seed": seed,
        }
        stamp_metadata_inplace(self.about, authored_by="simulator", git=git)

    def result(self) -> SimulationResult:
        """The conversation, held."""
        before = self.spending.total
        with asked_case(self.about):
            while self.turns < self.max_turns and self._goes_on():
                pass
        achieved = None if self.stop_reason == "driver_error" else self._achieved()
        self.about |= {"stop_reason": self.stop_reason, "goal_achieved": achieved}
        case = EvalCase(self.persona.goal, conversation=self.transcript, metadata=self.about)
        cost = round(self.spending.total - before, 6)
        return SimulationResult(self.persona, self.transcript, self.turns, self.stop_reason, achieved, cost, case)

    def _goes_on(self) -> bool:
        """One message and one reply; whether another may follow."""
        if self.spending.exhausted:
            return self._stop("budget_exceeded")
        try:
            said = self._message()
        except Exception as error:  # whatever the judge does, it is this conversation's end alone
            return self._stop("driver_error", f"{type(error).__name__}: {error}")
        if said is None:
            return self._stop("driver_error", "the judge gave malformed JSON twice")
        message, reached = said
        if reached:
            return self._stop("goal_reached")
        self.transcript.append({"role": "user", "content": message})
        try:
            reply = str(self.model(_told(self.transcript)))
        except Exception as error:  # the function is the user's
            return self._stop("driver_error", f"model_fn raised {type(error).__name__}: {error}")
        self.transcript.append({"role": "assistant", "content": reply})
        self.turns += 1
        if not is_refusal(reply):
            return True
        if any(ADVERSARIAL in trait.lower() for trait in self.persona.traits):
            self.about["refusals_observed"] = self.about.get("refusals_observed", 0) + 1
            return True
        return self._stop("assistant_refused")

    def _stop(self, reason: str, error: str = "") -> bool:
        self.stop_reason = reason
        self.about |= {"driver_error": error} if error else {}
        return False

    def _message(self) -> tuple[str, bool] | None:
        """What the persona says next, and whether the goal is reached; None where the judge cannot say it, twice."""
        one = self.persona
        person = f"{one.name}: {one.profile}\ntraits: {', '.join(one.traits)}\ngoal: {one.goal}\n"
        progress = f"{self.turns} of {self.max_turns} turns are done; seed: {self.about['seed']}"
        texts = Material(
            person=f"{person}success: {one.success_criteria}", conversation=_told(self.transcript), progress=progress
        ).texts
        for _ in range(2):
            for found in self._asked("persona_turn", texts):
                message, reached = found.get("message"), found.get("goal_reached") is True
                if reached or (isinstance(message, str) and message.strip()):
                    return str(message or ""), reached
        return None

    def _achieved(self) -> bool | None:
        if not self.transcript or self.spending.exhausted:
            return None
        wanted = f"{self.persona.goal}\nsuccess: {self.persona.success_criteria}"
        texts = Material(wanted=wanted, conversation=_told(self.transcript)).texts
        try:
            found = [one.get("goal_achieved") for one in self._asked("persona_verdict", texts)]
        except Exception:  # a judge that cannot be asked has no verdict
            return None
        return found[-1] if found and isinstance(found[-1], bool) else None

    def _asked(self, name: str, texts: Mapping[str, str]) -> list[dict[str, Any]]:
        return objects(self.spending.asked, self.judge, name, texts)


def objects(ask: Ask, judge: JudgeConfig, name: str, texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """The JSON objects in what the judge replies to a prompt."""
    system, user = prompt(name, "multivon_eval").question(texts, None).messages
    return found_objects(ask(judge, str(system["content"]), str(user["content"])))


def _told(transcript: list[Turn]) -> str:
    return EvalCase("", conversation=transcript).conversation_str()
