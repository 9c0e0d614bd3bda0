"""The documented checks: ringtrue's, with multivon-eval's parameters and results."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from multivon_eval.evaluators.base import Check
from ringtrue import evaluators as ringtrue
from ringtrue.records import Json, Score, Trial

DECIMALS = 4
"""Scores of overlap are rounded so before they meet the threshold."""
SHOWN = 80
"""Up to this many characters of a text are in a reason."""


class NotEmpty(Check, ringtrue.NotEmpty):
    """Passes if there is something to read."""


class Expecting(Check):
    """A check that is skipped, and names the field, where a case has no expected output."""

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """The score against what is expected."""
        if expected is None:
            return Score.skipped("the case has no expected_output to compare with")
        score: Score = super().grade_text(text, expected)  # type: ignore[misc]
        return score


class ExactMatch(Expecting, ringtrue.ExactMatch):
    """Passes if the output is the expected one; else the reason shows both, as they were compared."""

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Full marks if an expected output is met."""
        score = super().grade_text(text, expected)
        if score.passed or not expected:
            return replace(score, reason="Exact match") if score.passed else score
        wanted, said = (one.strip() if self.case_sensitive else one.strip().casefold() for one in (expected[0], text))
        return replace(score, reason=f"expected {wanted[:SHOWN]!r}, got {said[:SHOWN]!r}")


class Contains(Check, ringtrue.Contains):
    """Passes if the output contains the substrings; the reason says which are there, or which are not."""

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """The fraction of substrings that are there; with `match_any`, whether one is."""
        score = super().grade_text(text, expected)
        if not self.match_any:
            missing = score.metadata.get("missing")
            return replace(score, reason=f"Missing: {list(missing)}" if missing else "All substrings found")
        folded = text if self.case_sensitive else text.casefold()
        found = [given for wanted, given in self.wanted_texts if wanted in folded]
        return replace(score, reason=f"Found: {found}" if found else f"None found of {list(self.substrings)}")


class RegexMatch(Check, ringtrue.RegexMatch):
    """Passes if the pattern matches somewhere; a bad pattern is Python's own `re.error`."""

    def __post_init__(self) -> None:
        if isinstance(self.pattern, str):
            re.compile(self.pattern, self.flags)
        super().__post_init__()


class JSONSchemaEval(Check, ringtrue.JSONSchemaEval):
    """Passes if the output is JSON that conforms to the schema."""


class WordCount(Check, ringtrue.WordCount):
    """Passes if the output has as many words as it should; where both names of a bound are given, the long one wins."""

    def __post_init__(self) -> None:
        for long, short, default in (("min_words", "min", 0), ("max_words", "max", 10_000)):
            if getattr(self, long) not in (None, default):
                object.__setattr__(self, short, None)
        super().__post_init__()


class Latency(Check, ringtrue.Latency):
    """Passes if the output came in time; the reason says how long it took."""

    def grade(self, trial: Trial) -> Score:
        """Full marks in time; skipped where no latency is known."""
        score, seconds = super().grade(trial), trial.output.latency_seconds
        return replace(score, reason=f"took {seconds * 1_000:,.0f} ms") if seconds and not score.reason else score


class MaxLatency(Latency, ringtrue.MaxLatency):
    """`Latency` under another name."""


class Rounded(Check):
    """A check whose score is rounded to four decimals, and then compared with the threshold."""

    def verdict(
        self, value: float, reason: str = "", parts: Mapping[str, float] | None = None, **metadata: Json
    ) -> Score:
        """The rounded value's verdict."""
        score: Score = super().verdict(round(value, DECIMALS), reason, parts, **metadata)  # type: ignore[misc]
        return score


@dataclass(frozen=True)
class BLEU(Expecting, Rounded, ringtrue.BLEU):
    """Sentence BLEU of words between blanks, in lower case, without smoothing."""

    tokenize: str = field(default="none", kw_only=True)
    smooth: str = field(default="none", kw_only=True)
    lowercase: bool = field(default=True, kw_only=True)


class ROUGE(Expecting, Rounded, ringtrue.ROUGE):
    """ROUGE-L F1."""


class StartsWith(Check, ringtrue.StartsWith):
    """Passes if the output starts with the prefix."""
