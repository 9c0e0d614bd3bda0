"""`NotEmpty`: there is something to read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score

# Not white space, not a control character, and not one of the characters that Unicode says show nothing by themselves.
_VISIBLE = re.compile(
    r"[^\s\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e0fff]"
)


@dataclass(frozen=True)
class NotEmpty(TextCheck):
    """Passes if the output has a visible character: not white space, a control character or an invisible one."""

    default_name = "not_empty"
    parts = ("not_empty",)
    needs = "nothing but an output"
    formula = "1 if a character is visible, else 0; zero-width characters and fillers are not visible"

    threshold: float = 1.0

    @cached_property
    def _empty(self) -> Score:
        return self.verdict(0.0, "the output is empty")

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Full marks at the first visible character."""
        if "!" <= text[:1] <= "~" or _VISIBLE.search(text):
            return self.full_marks
        return self._empty
