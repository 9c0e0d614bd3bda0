"""`Talk`: the state of a conversation between a simulated user and a system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ringtrue.authoring.personas import Persona
from ringtrue.authoring.refusals import is_refusal
from ringtrue.authoring.writing import Item, WritingTask
from ringtrue.dialects.transcripts import render, turns
from ringtrue.evaluators.judged.schemas import TEXT

BOOLEAN = {"type": "boolean"}

Ending = Literal["", "goal_reached", "max_turns", "refused", "player_error", "system_error", "budget"]
"""Why a conversation ended; empty while it lasts."""


class Talk:
    """A conversation: `line` is what the player is asked for, `play` takes it, `hear` takes the system's reply."""

    def __init__(self, persona: Persona, max_turns: int, seed: int = 0) -> None:
        self.persona, self.max_turns, self.seed = persona, max_turns, seed
        self.messages: list[dict[str, str]] = []
        self.turns = self.refusals = 0
        self.ending: Ending = "" if max_turns else "max_turns"
        self.problem = ""
        self.achieved: bool | None = None

    def line(self) -> WritingTask:
        """What the person says next, and whether the goal is reached."""
        progress = f"{self.turns} of {self.max_turns} turns are done; seed: {self.seed}"
        texts = {"person": self.persona.description(), "conversation": self.transcript(), "progress": progress}
        return WritingTask("turn", texts, {"message": TEXT, "goal_reached": BOOLEAN})

    def play(self, items: Sequence[Item]) -> bool:
        """Take what the player wrote; whether it could be used. The goal that is reached ends the conversation."""
        for item in items:
            message, reached = item.get("message"), item.get("goal_reached") is True
            if reached:
                self.ending = "goal_reached"
                return True
            if isinstance(message, str) and message.strip():
                self.messages.append({"role": "user", "content": message})
                return True
        return False

    def hear(self, reply: str) -> None:
        """Take the system's reply; a refusal ends the conversation, unless the person is adversarial."""
        self.messages.append({"role": "assistant", "content": reply})
        self.turns += 1
        if is_refusal(reply):
            self.refusals += 1
            if not self.persona.persistent:
                self.ending = "refused"
                return
        if self.turns >= self.max_turns:
            self.ending = "max_turns"

    def end(self, ending: Ending, problem: str = "") -> None:
        """End the conversation for a reason that lies outside it."""
        self.ending, self.problem = ending, problem

    @property
    def can_be_judged(self) -> bool:
        """Whether something was said, and nothing broke."""
        return bool(self.messages) and self.ending not in ("player_error", "system_error")

    def goal(self) -> WritingTask:
        """Whether the person got what was wanted."""
        wanted = f"{self.persona.goal}\nsuccess: {self.persona.success_criteria}"
        return WritingTask("goal", {"wanted": wanted, "conversation": self.transcript()}, {"goal_achieved": BOOLEAN})

    def judge(self, items: Sequence[Item]) -> None:
        """Take the verdict; what is neither yes nor no is none."""
        said = items[-1].get("goal_achieved") if items else None
        self.achieved = said if isinstance(said, bool) else None

    def transcript(self) -> str:
        """The conversation as the player and the judge see it; no text can forge a turn."""
        return render(turns(self.messages))
