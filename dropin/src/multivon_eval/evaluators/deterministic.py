"""The documented checks: ringtrue's, with multivon-eval's parameters and results."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from multivon_eval.evaluators.base import Check
from ringtrue import evaluators as ringtrue
from ringtrue.records import Score

DECIMALS = 4
"""Scores of overlap are rounded so before they meet the threshold."""


class NotEmpty(Check, ringtrue.NotEmpty):
    """Passes if there is something to read."""


class ExactMatch(Check, ringtrue.ExactMatch):
    """Passes if the output is the expected one."""


class Contains(Check, ringtrue.Contains):
    """Passes if the output contains the substrings."""


class RegexMatch(Check, ringtrue.RegexMatch):
    """Passes if the pattern matches somewhere; a bad pattern is Python's own `re.error`."""

    def __post_init__(self) -> None:
        if isinstance(self.pattern, str):
            re.compile(self.pattern, self.flags)
        super().__post_init__()


class JSONSchemaEval(Check, ringtrue.JSONSchemaEval):
    """Passes if the output is JSON that conforms to the schema."""


class WordCount(Check, ringtrue.WordCount):
    """Passes if the output has as many words as it should."""


class Latency(Check, ringtrue.Latency):
    """Passes if the output came in time."""


class MaxLatency(Check, ringtrue.MaxLatency):
    """`Latency` under another name."""


class Rounded(Check):
    """A check whose score is rounded to four decimals, and then compared with the threshold."""

    def verdict(self, value: float, reason: str = "", **more: object) -> Score:
        """The rounded value's verdict."""
        return super().verdict(round(value, DECIMALS), reason, **more)  # type: ignore[misc]


@dataclass(frozen=True)
class BLEU(Rounded, ringtrue.BLEU):
    """Sentence BLEU of words between blanks, in lower case, without smoothing."""

    tokenize: str = field(default="none", kw_only=True)
    smooth: str = field(default="none", kw_only=True)
    lowercase: bool = field(default=True, kw_only=True)


class ROUGE(Rounded, ringtrue.ROUGE):
    """ROUGE-L F1."""


class StartsWith(Check, ringtrue.StartsWith):
    """Passes if the output starts with the prefix."""
