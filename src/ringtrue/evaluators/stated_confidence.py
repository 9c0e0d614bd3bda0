"""`StatedConfidence`: the confidence that a reply states for its answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score
from ringtrue.require import require_share

_STATED = re.compile(r"confidence[^0-9\n]{0,30}?(\d{1,3}(?:\.\d+)?)\s*%?", re.I)


@dataclass(frozen=True)
class StatedConfidence(TextCheck):
    """The last confidence a reply states, in [0, 1]; a reply that states none has the confidence `unstated`, or is
    skipped.
    """

    default_name = "stated_confidence"
    parts = ("confidence",)
    needs = "a reply with a line such as Confidence: 80%"
    formula = "the last number after the word confidence / 100; where there is none, `unstated`"

    threshold: float = 0.0
    unstated: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.unstated is not None:
            require_share("unstated", self.unstated)

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """The confidence stated last."""
        found = _STATED.findall(text)
        if found and float(found[-1]) <= 100:
            return self.verdict(float(found[-1]) / 100)
        why = "the reply states no confidence between 0% and 100%"
        return Score.skipped(why) if self.unstated is None else self.verdict(self.unstated, why)
