"""`TurnInstructions`: whether every reply of a conversation follows its instructions, by IFEval's checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial
from ringtrue.scoring.ifeval import InstructionError, check_response, instruction_ids


@dataclass(frozen=True)
class TurnInstructions(Check):
    """The mean over turns of the mean of the four IFEval accuracies, as Multi-IF reports; each turn's beside it.

    The replies are the assistant's messages of the output, one for each of the case's `turn_instructions`.
    """

    default_name = "turn_instructions"
    parts = ("turn_instructions", "first_reply", "last_reply")
    needs = "`turn_instructions`: per turn `prompt`, `instruction_id_list` and `kwargs`; a conversation"
    formula = (
        "a reply's accuracy = mean of prompt strict, prompt loose, instruction strict and instruction loose; "
        "turn_instructions = their mean over turns; a reply that is missing follows nothing"
    )

    threshold: float = 1.0

    def grade(self, trial: Trial) -> Score:
        """The accuracies turn by turn."""
        asked = [turn for turn in trial.case.fields.get("turn_instructions") or () if isinstance(turn, Mapping)]
        if not asked:
            return Score.skipped("there are no instructions to check")
        said = [str(one.get("content") or "") for one in trial.output.messages if one.get("role") == "assistant"]
        said = said or [trial.output.text]
        try:
            found = [_accuracy(turn, said[at] if at < len(said) else "") for at, turn in enumerate(asked)]
        except InstructionError as error:
            return Score.error(str(error), instruction=error.instruction)
        known = [value for value in found if value is not None]
        if not known:
            return Score.skipped("there are no instructions to check")
        parts = {"turn_instructions": fmean(known), "first_reply": known[0], "last_reply": known[-1]}
        return self.verdict(parts["turn_instructions"], "", parts)


def _accuracy(turn: Mapping[str, Any], reply: str) -> float | None:
    ids = instruction_ids(turn.get("instruction_id_list"))
    if not ids:
        return None
    strict, loose = check_response(ids, turn.get("kwargs"), reply, str(turn.get("prompt") or "") or None)
    return fmean([float(all(strict)), float(all(loose)), sum(strict) / len(strict), sum(loose) / len(loose)])
