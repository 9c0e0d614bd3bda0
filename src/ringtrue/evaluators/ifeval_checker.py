"""`IFEvalChecker`: whether a response follows instructions of 19 types."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial
from ringtrue.require import require_choice
from ringtrue.scoring.ifeval import CHECKER_RULES, Arguments, InstructionError, argument_list, instruction_ids

_CHOICES = ("pass", "fail", "error")


@dataclass(frozen=True)
class IFEvalChecker(Check):
    """All instructions followed (`ifeval_strict`) and the fraction followed (`ifeval_loose`); none given: skipped.

    Unknown instructions pass unless `unknown` says otherwise; they are named in the metadata and warned about once.
    `IFEval` gives the official verdicts.
    """

    default_name = "ifeval_checker"
    parts = ("ifeval_strict", "ifeval_loose")
    needs = "`instruction_id_list` and `kwargs`, one object per instruction"
    formula = (
        "ifeval_strict = 1 if every instruction passes; ifeval_loose = passed / total; the value is ifeval_strict; "
        "counts compare as at least (default), at most, exactly, less than, more than; keywords ignore case; forbidden "
        "words are whole words"
    )
    skipped_reads_as = 1.0

    unknown: Literal["pass", "fail", "error"] = "pass"
    threshold: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_choice("unknown", self.unknown, _CHOICES)

    def grade(self, trial: Trial) -> Score:
        """Score the share of the case's instructions that the response follows."""
        fields = trial.case.fields
        prompt = fields.get("prompt")
        try:
            ids = instruction_ids(fields.get("instruction_id_list"))
            if not ids:
                return Score.skipped("there are no instructions to check")
            unknown = [name for name in dict.fromkeys(ids) if name not in CHECKER_RULES]
            if unknown and self.unknown == "error":
                return Score.error(f"unknown instructions: {', '.join(unknown)}", unknown=unknown)
            for name in unknown:
                _warn_once(name)
            arguments = argument_list(fields.get("kwargs"), ids)
            verdicts = [self._follows(item, trial.output.text, prompt) for item in arguments]
        except InstructionError as error:
            return Score.error(str(error), instruction=error.instruction)
        return self._verdict(ids, verdicts, unknown)

    def _follows(self, arguments: Arguments, response: str, prompt: object) -> bool:
        check = CHECKER_RULES.get(arguments.instruction)
        if check is None:
            return self.unknown == "pass"
        if arguments.instruction == "combination:repeat_prompt" and isinstance(prompt, str):
            arguments = arguments.with_default("prompt_to_repeat", prompt)
        return check(arguments, response)

    def _verdict(self, ids: Sequence[str], verdicts: list[bool], unknown: list[str]) -> Score:
        broken = [name for name, followed in zip(ids, verdicts, strict=True) if not followed]
        parts = {"ifeval_strict": float(not broken), "ifeval_loose": sum(verdicts) / len(verdicts)}
        reason = f"not followed: {', '.join(broken)}" if broken else ""
        metadata = {"unknown": unknown} if unknown else {}
        return self.verdict(parts["ifeval_strict"], reason, parts, followed=verdicts, **metadata)


@cache
def _warn_once(name: str) -> None:
    # A benchmark repeats an id on thousands of rows. A filter that makes errors of warnings changes no score.
    with suppress(UserWarning):
        warnings.warn(
            f"IFEvalChecker does not know the instruction {name!r}; it passes unless unknown='fail' or "
            "unknown='error'. IFEval knows all official ones",
            stacklevel=2,
        )
