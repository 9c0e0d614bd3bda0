"""What a case that was made must have before it is kept: a question, an expectation, and no twin."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from unicodedata import normalize

from multivon_eval.case import EvalCase

if TYPE_CHECKING:
    from multivon_eval.hardness import HardnessReport
    from multivon_eval.judge import JudgeConfig

__all__ = [
    "JACCARD_DUPLICATE_THRESHOLD", "GateResult", "GenerationReport", "digest_inputs", "gate_duplicate",
    "gate_hardness", "gate_well_formed", "token_jaccard",
]  # fmt: skip

JACCARD_DUPLICATE_THRESHOLD = 0.85
"""Inputs that share so much of their words are one question."""
EXPECTATIONS = ("expected_behavior", "expected_behaviour", "expected_response", "expected")
"""Where metadata may say in words what is expected."""
_WORD = re.compile(r"\w+")


@dataclass
class GateResult:
    """Whether a case may pass a gate, and why not."""

    gate: str
    passed: bool
    reason: str = ""


@dataclass
class GenerationReport:
    """What became of the cases that were made: each was accepted or dropped for one reason."""

    requested: int
    generated: int = 0
    accepted: int = 0
    dropped_malformed: int = 0
    dropped_duplicate: int = 0
    dropped_hardness: int = 0
    hardness_skipped: bool = True
    hardness_skip_reason: str = "no --validate-cases / baseline model"
    hardness_band: tuple[float, float] = (0.5, 1.0)
    n_batches: int = 0
    kind: str = ""
    dropped_unverified: int = 0
    spans_missing: int = 0

    def summary_line(self) -> str:
        """The counts in a line."""
        low, high = self.hardness_band
        dropped = [f"{self.dropped_duplicate} duplicates", f"{self.dropped_malformed} malformed"]
        dropped += [f"{self.dropped_unverified} unverified"] if self.dropped_unverified else []
        hard = f"{self.dropped_hardness} outside hardness band [{low}, {high}] or unmeasured"
        dropped += [] if self.hardness_skipped else [hard]
        spans = f" ({self.spans_missing} accepted without a source span)" if self.spans_missing else ""
        return f"generated {self.generated}, accepted {self.accepted} — dropped {', '.join(dropped)}{spans}"


def gate_well_formed(case: EvalCase) -> GateResult:
    """A case has an input, and an expected output or words that say what is expected."""
    if not isinstance(case.input, str) or not case.input.strip():
        return GateResult("well_formed", False, "the input is empty")
    said = [case.expected_output, *(case.metadata.get(name) for name in EXPECTATIONS)]
    if any(isinstance(text, str) and text.strip() for text in said):
        return GateResult("well_formed", True)
    return GateResult("well_formed", False, "nothing is expected: neither expected_output nor expected_behavior")


def gate_duplicate(case: EvalCase, accepted: Iterable[EvalCase]) -> GateResult:
    """A case asks what no accepted case asks: neither the same text, nor nearly the same words."""
    text = one_line(case.input)
    words = _input_tokens(text)
    for other in accepted:
        if one_line(other.input) == text:
            return GateResult("duplicate", False, "the input is identical to that of an accepted case")
        shared = token_jaccard(words, _input_tokens(other.input))
        if shared >= JACCARD_DUPLICATE_THRESHOLD:
            return GateResult(
                "duplicate", False, f"the input shares its words with an accepted case: Jaccard {shared:.2f}"
            )
    return GateResult("duplicate", True)


def admit(case: EvalCase, accepted: list[EvalCase], report: GenerationReport, *, malformed: bool) -> bool:
    """Put a case to those accepted, unless it is malformed or asks what one of them asks; the report counts which."""
    if malformed:
        report.dropped_malformed += 1
    elif not gate_duplicate(case, accepted).passed:
        report.dropped_duplicate += 1
    else:
        accepted.append(case)
        return True
    return False


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
    lines = []
    for case in list(cases)[-max_entries:]:
        words = (case.input or "").split()
        lines.append(f"- {' '.join(words[:max_words])}{' …' if len(words) > max_words else ''}")
    return "\n".join(lines)


def token_jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of words that two texts have in common; two texts without words are equal."""
    return len(one & other) / len(one | other) if one | other else 1.0


def one_line(text: str) -> str:
    """A text with its white space as single blanks."""
    return " ".join(normalize("NFC", text or "").split())


def _input_tokens(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall((text or "").casefold()))
