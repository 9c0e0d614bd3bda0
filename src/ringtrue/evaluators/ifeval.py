"""`IFEval`: whether a response follows verifiable instructions, exactly as the official checker says."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Case, Score, Trial
from ringtrue.scoring.ifeval import InstructionError, check_response, instruction_ids


@dataclass(frozen=True)
class IFEval(Check):
    """The official IFEval verdicts on all 25 instruction types, strict and loose; no instructions: skipped.

    An instruction the official checker does not know, or whose arguments it would make up, is an error.
    """

    default_name = "ifeval"
    parts = (
        "prompt_strict",
        "prompt_loose",
        "instruction_strict",
        "instruction_loose",
        "instructions",
    )
    counts = frozenset(("instructions",))
    """The number of instructions, by which the metric `Pooled` weighs a prompt's share of them."""
    needs = "`instruction_id_list` and `kwargs`, one object per instruction"
    formula = (
        "strict = the response follows; loose = it follows as it is, or without its first line, last line or both, or "
        "one of these without asterisks; prompt = all instructions, instruction = the fraction of them, instructions = "
        "their number; the value is prompt_strict; the metadata has a verdict per instruction"
    )
    matches = "google-research instruction_following_eval (NLTK 3.8.1, langdetect 1.0.9)"

    threshold: float = 1.0

    def measure(self, trial: Trial) -> Score:
        """The score of one trial; where there is no usable output, no instruction is followed."""
        if trial.output.problem:
            return self._verdict(trial.case, "", trial.output.problem)
        return super().measure(trial)

    def grade(self, trial: Trial) -> Score:
        """The verdicts on every instruction of the case."""
        return self._verdict(trial.case, trial.output.text, "")

    def _verdict(self, case: Case, response: str, problem: str) -> Score:
        fields = case.fields
        prompt = fields.get("prompt")
        try:
            ids = instruction_ids(fields.get("instruction_id_list"))
            if not ids:
                return Score.skipped("there are no instructions to check")
            verdicts = check_response(ids, fields.get("kwargs"), response, prompt if isinstance(prompt, str) else None)
        except InstructionError as error:
            return Score.error(str(error), instruction=error.instruction)
        strict, loose = verdicts
        broken = [name for name, followed in zip(ids, strict, strict=True) if not followed]
        parts = {
            "prompt_strict": float(all(strict)),
            "prompt_loose": float(all(loose)),
            "instruction_strict": sum(strict) / len(strict),
            "instruction_loose": sum(loose) / len(loose),
            "instructions": float(len(ids)),
        }
        reason = problem or (f"not followed: {', '.join(broken)}" if broken else "")
        return self.verdict(parts["prompt_strict"], reason, parts, strict=strict, loose=loose)
