"""`NotContains`: the output does not say certain things."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ringtrue.evaluators.substrings import SubstringCheck


@dataclass(frozen=True)
class NotContains(SubstringCheck):
    """Passes if the output contains none of the substrings; case counts only on request."""

    default_name: ClassVar[str] = "not_contains"
    parts: ClassVar[tuple[str, ...]] = ("not_contains",)
    fault: ClassVar[str] = "found"
    formula: ClassVar[str] = "absent / substrings"

    def at_fault(self, text: str) -> tuple[str, ...]:
        """The substrings that are there."""
        return tuple([given for folded, given in self.wanted_texts if folded in text])
