"""`Contains`: the output says certain things."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ringtrue.evaluators.substrings import SubstringCheck


@dataclass(frozen=True)
class Contains(SubstringCheck):
    """Passes if the output contains all substrings, or any of them with `match_any`; case counts only on request."""

    default_name: ClassVar[str] = "contains"
    parts: ClassVar[tuple[str, ...]] = ("contains",)
    fault: ClassVar[str] = "missing"
    formula: ClassVar[str] = "found / substrings; with match_any, 1 if one is found, else 0"

    match_any: bool = field(default=False, kw_only=True)

    def at_fault(self, text: str) -> tuple[str, ...]:
        """The substrings that are missing; with `match_any`, none or all of them."""
        missing = tuple([given for folded, given in self.wanted_texts if folded not in text])
        return missing if not self.match_any or len(missing) == len(self.wanted_texts) else ()
