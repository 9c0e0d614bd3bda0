"""`Trail`: what an audit looked at, as a conversation with tools and as one text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ringtrue.dialects.transcripts import Turn, as_chat, render
from ringtrue.evaluators.judged.audit.tools import Call
from ringtrue.evaluators.judged.fences import FencedText, neutralise
from ringtrue.jsontext import json_text
from ringtrue.records import Json

NOTHING = "(nothing yet)"
_MAX_ARGUMENT_CHARS = 1_000
_LEFT_OUT = "(left out to save room; look again if it matters)"


@dataclass
class Trail:
    """The turns of an audit: in each step its calls, then their results."""

    turns: list[Turn] = field(default_factory=list)
    steps: int = 0

    def add(self, calls: Sequence[Call], results: Sequence[str]) -> None:
        """One more step."""
        self.steps += 1
        names = [f"call_{self.steps}_{at}" for at in range(len(calls))]
        for name, call in zip(names, calls, strict=True):
            self.turns.append(Turn("assistant", _spoken(call), "call", call.tool, name, self.steps))
        for name, call, result in zip(names, calls, results, strict=True):
            self.turns.append(Turn("tool", result, "result", call.tool, name, self.steps))

    def text(self, room: int) -> str:
        """Everything as one text; of results, the latest that have room."""
        return render(self._shown_turns(room)) or NOTHING

    def calls(self) -> list[str]:
        """The arguments of all calls."""
        return [turn.text for turn in self.turns if turn.kind == "call"]

    def results(self, room: int) -> dict[str, str]:
        """The results by the names of their calls; the latest that have room."""
        return {turn.call_id: turn.text for turn in self._shown_turns(room) if turn.kind == "result"}

    def messages(self, sealed: FencedText) -> list[dict[str, Json]]:
        """Everything as messages that follow a first question; each result is inside its fence."""
        asked_so_far = []
        for turn in self.turns:
            if turn.kind == "result":
                turn = replace(turn, text=f"{sealed.blocks[turn.call_id]}\n\n{sealed.closing_line}")
            asked_so_far.append(turn)
        return as_chat(asked_so_far)

    def summary(self) -> list[Json]:
        """The audit in short, for the metadata of its score."""
        results = {turn.call_id: turn.text for turn in self.turns if turn.kind == "result"}
        return [
            {"step": turn.item, "tool": turn.tool, "arguments": turn.text, "result": results[turn.call_id][:200]}
            for turn in self.turns
            if turn.kind == "call"
        ]

    def _shown_turns(self, room: int) -> list[Turn]:
        shown: list[Turn] = []
        for turn in reversed(self.turns):
            if turn.kind == "result":
                room -= len(turn.text)
                if room < 0:
                    turn = replace(turn, text=_LEFT_OUT)
            shown.append(turn)
        return shown[::-1]


def _spoken(call: Call) -> str:
    """The arguments of a call as JSON; the auditor may have copied them from what it audits."""
    safe = {name: value for name, value in call.arguments.items() if isinstance(value, (str, int, float))}
    return json_text(
        {name: neutralise(one)[:_MAX_ARGUMENT_CHARS] if isinstance(one, str) else one for name, one in safe.items()}
    )
