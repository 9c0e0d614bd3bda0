"""`IFBench`: whether a response follows IFBench's verifiable instructions."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Json, Score, Trial
from ringtrue.scoring.ifbench import check_instructions
from ringtrue.scoring.ifeval import InstructionError, instruction_ids

APPROXIMATE = {
    "words:start_verb": "verbs are found by a list, not by the authors' tagger",
    "words:odd_even_syllables": "syllables are counted by groups of vowels, not by the authors' dictionary",
}
"""The instructions whose check is not exactly the authors', and the caveat of scores that rest on it."""


@dataclass(frozen=True)
class IFBench(Check):
    """The verdicts on IFBench's 58 instructions, strict and loose; no instructions: skipped.

    Two checks replace tools that the authors use: a list of verbs for a tagger, groups of vowels for a dictionary of
    syllables. A score that rests on one of them carries a caveat.
    """

    default_name = "ifbench"
    main = "ifbench_prompt_loose"
    parts = (
        "ifbench_prompt_strict",
        "ifbench_prompt_loose",
        "ifbench_instruction_strict",
        "ifbench_instruction_loose",
        "ifbench_instructions",
    )
    counts = frozenset(("ifbench_instructions",))
    needs = "`instruction_id_list` and `kwargs`, one object per instruction"
    formula = (
        "strict = the response follows; loose = it or one of seven variants of it does, as for ifeval; prompt = all "
        "instructions, instruction = the fraction of them; the value is the loose one of the prompt"
    )
    matches = (
        "allenai/IFBench as opencompass 0.5.4 has it, but for start_verb and odd_even_syllables; person_names and the "
        "places of keywords as the authors correct them in 2026"
    )
    max_chars = 500_000

    threshold: float = 1.0

    def grade(self, trial: Trial) -> Score:
        """The verdicts on every instruction of the case."""
        fields = trial.case.fields
        try:
            ids = instruction_ids(fields.get("instruction_id_list"))
            if not ids:
                return Score.skipped("there are no instructions to check")
            strict, loose = check_instructions(ids, fields.get("kwargs") or (), trial.output.text)
        except InstructionError as error:
            return Score.error(str(error), instruction=error.instruction)
        broken = [name for name, followed in zip(ids, loose, strict=True) if not followed]
        numbers = (all(strict), all(loose), sum(strict) / len(ids), sum(loose) / len(ids), len(ids))
        parts = dict(zip(self.parts, map(float, numbers), strict=True))
        reason = f"not followed: {', '.join(broken)}" if broken else ""
        metadata: dict[str, Json] = {"strict": strict, "loose": loose}
        if caveat := "; ".join(dict.fromkeys(APPROXIMATE[name] for name in ids if name in APPROXIMATE)):
            metadata["caveat"] = caveat
        return self.verdict(parts[self.main], reason, parts, **metadata)
