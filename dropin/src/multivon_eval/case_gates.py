"""What a case that was made must have before it is kept: ringtrue's gates, with multivon-eval's names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from multivon_eval.case import EvalCase
from ringtrue.authoring.case_gates import EXPECTATIONS as EXPECTATIONS
from ringtrue.authoring.case_gates import SAME, MakingReport, Taken, lacking, shared_words, words_of
from ringtrue.authoring.case_gates import Sieve as Sieve
from ringtrue.authoring.weaknesses import beginnings

if TYPE_CHECKING:
    from multivon_eval.hardness import HardnessReport
    from multivon_eval.judge import JudgeConfig

__all__ = [
    "JACCARD_DUPLICATE_THRESHOLD", "GateResult", "GenerationReport", "digest_inputs", "gate_duplicate",
    "gate_hardness", "gate_well_formed", "token_jaccard",
]  # fmt: skip

JACCARD_DUPLICATE_THRESHOLD = SAME
token_jaccard, _input_tokens = shared_words, words_of


@dataclass
class GateResult:
    """Whether a case may pass a gate, and why not."""

    gate: str
    passed: bool
    reason: str = ""


@dataclass
class GenerationReport(MakingReport):
    """What became of the cases that were made: each was accepted or dropped for one reason."""

    hardness_skipped: bool = True
    hardness_skip_reason: str = "no --validate-cases / baseline model"
    hardness_band: tuple[float, float] = (0.5, 1.0)
    n_batches: int = 0
    kind: str = ""

    def dropped(self) -> list[str]:
        """How many were dropped, by reason."""
        low, high = self.hardness_band
        hard = f"{self.dropped_hardness} outside hardness band [{low}, {high}] or unmeasured"
        return super().dropped() + ([] if self.hardness_skipped else [hard])


def gate_well_formed(case: EvalCase) -> GateResult:
    """A case has an input, and an expected output or words that say what is expected."""
    reason = lacking(case)
    return GateResult("well_formed", not reason, reason)


def gate_duplicate(case: EvalCase, accepted: Iterable[EvalCase]) -> GateResult:
    """A case asks what no accepted case asks: neither the same text, nor nearly the same words."""
    reason = Taken(other.input for other in accepted).twin(case.input)
    return GateResult("duplicate", not reason, reason)


def gate_hardness(
    cases: Sequence[EvalCase],
    baseline_model: Callable[[str], str],
    *,
    n_shots: int = 3,
    hardness_band: tuple[float, float] = (0.5, 1.0),
    judge: JudgeConfig | None = None,
) -> tuple[list[EvalCase], list[HardnessReport]]:
    """The cases that a model fails about as often as is wanted, and how often it failed each."""
    from multivon_eval import auto  # which is made of gates

    return auto.validate_adversarial_cases(
        cases, baseline_model, n_shots=n_shots, hardness_band=hardness_band, judge=judge
    )


def digest_inputs(cases: Sequence[EvalCase], *, max_words: int = 8, max_entries: int = 60) -> str:
    """The beginnings of the last inputs, one a line."""
    return beginnings((case.input for case in cases), max_words, max_entries)
