"""`Talk`: the state of a conversation between a simulated user and a system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from ringtrue.authoring.personas import Persona
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
        """The task that asks for the person's next message, and whether the goal is reached."""
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
        """The conversation as the player and the judge see it; no turn can forge another."""
        return render(turns(self.messages))


MOST_CHARS = 300
"""A longer reply has something to say, however it begins."""

_APOLOGY = (
    r"(?:(?:no|unfortunately|regrettably|i(?:'m| am)(?: so| very| really)? (?:sorry|afraid)|sorry|my apologies"
    r"|i apologi[sz]e|thank(?:s| you) for [^.!,]{1,60})[,.!:;]?(?: but| that| for [^.!,]{1,40}[.,])? ){0,3}"
)
_MODEL = r"(?:as an? (?:ai|artificial|language|assistant|virtual)[^,.]{0,60}, )?"
_UNABLE = (
    r"(?:can ?not|can't|could not|couldn't|will not|won't|am not able to|'m not able to|am unable to|'m unable to"
    r"|am not allowed to|'m not allowed to|must decline|have to decline|decline to|do not feel comfortable"
    r"|don't feel comfortable|refuse to)"
)
_REFUSAL = re.compile(
    rf"{_APOLOGY}{_MODEL}(?:(?:i|we) ?(?:really |simply |just )?{_UNABLE}(?! wait| help but| stress| thank| say enough)"
    r"|(?:that|this|it)(?:'s| is) (?:something|not something) (?:i|we) (?:can ?not|can't|can|won't|will not)\b"
    r"|(?:i|we) (?:do not|don't) (?:have (?:any |enough |specific |that |the |access)|know\b))"
)


def is_refusal(reply: str) -> bool:
    """Whether a reply is short and begins by saying that it will not, cannot or does not know."""
    text = " ".join(reply[: MOST_CHARS + 1].replace("\u2019", "'").lower().split())
    return len(reply.strip()) <= MOST_CHARS and _REFUSAL.match(text) is not None
