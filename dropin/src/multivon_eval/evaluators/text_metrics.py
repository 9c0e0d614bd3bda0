"""Similarity in characters: `Levenshtein` and `ChrfScore`."""

from __future__ import annotations

from dataclasses import replace
from math import fsum
from typing import Any

from rapidfuzz.distance import Levenshtein as Edits

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.evaluators.deterministic import Expecting
from ringtrue import evaluators as ringtrue
from ringtrue.errors import ConfigurationError
from ringtrue.records import Score
from ringtrue.scoring.overlap.chrf import Chrf

__all__ = ["ChrfScore", "Levenshtein"]


class Levenshtein(Expecting, ringtrue.Levenshtein):
    """Edit similarity to the expected output; two empty texts are equal."""

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """1.0 where both are empty, else the similarity."""
        if not text and expected == ("",):
            return self.verdict(1.0, "both texts are empty")
        return super().grade_text(text, expected)


class ChrfScore(Evaluator):
    """chrF of the expected output, sacreBLEU's; letter case and white space count only on request."""

    name = "chrf"

    def __init__(
        self,
        max_n: int = 6,
        beta: float = 2.0,
        threshold: float = 0.5,
        case_sensitive: bool = False,
        include_whitespace: bool = False,
    ) -> None:
        super().__init__(threshold)
        if not isinstance(max_n, int) or max_n < 1:
            raise ConfigurationError(f"max_n must be >= 1, got {max_n!r}", parameter="max_n", value=max_n)
        self.max_n, self.beta = max_n, beta
        self.case_sensitive, self.include_whitespace = case_sensitive, include_whitespace
        options: dict[str, Any] = {"beta": beta, "lowercase": not case_sensitive, "whitespace": include_whitespace}
        self._check = ringtrue.ChrF(threshold, char_order=max_n, **options)
        self._chrf = Chrf(max_n, **options)

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """chrF, and what it is made of as the reason; two empty texts are equal."""
        if case.expected_output is None:
            return self._skipped("the case has no expected_output to compare with")
        found = EvalResult.of(self._check.evaluate(case, output))
        if not isinstance(output, str) or not isinstance(case.expected_output, str):
            return found
        if not case.expected_output and not (output if self.include_whitespace else output.strip()):
            return self._result(1.0, "both texts are empty")
        return replace(found, reason=f"{found.reason} ({self._made_of(output, case.expected_output)})")

    def _made_of(self, text: str, reference: str) -> str:
        counts = self._chrf.counts(text, (reference,))
        usable = [(n, order) for n, order in enumerate(counts, 1) if order.hypothesis and order.reference]
        precision = fsum(order.shared / order.hypothesis for _, order in usable) / max(1, len(usable))
        recall = fsum(order.shared / order.reference for _, order in usable) / max(1, len(usable))
        return f"orders={[n for n, _ in usable]}, β={self.beta}, avg_p={precision:.3f}, avg_r={recall:.3f}"


def _levenshtein_distance(a: str, b: str) -> int:
    return Edits.distance(a, b)


def _char_ngrams(s: str, n: int) -> list[str]:
    return [s[start : start + n] for start in range(len(s) - n + 1)]
