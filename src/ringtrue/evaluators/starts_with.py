"""`StartsWith` and `EndsWith`: the output begins or ends as it should."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score
from ringtrue.require import require_that


@dataclass(frozen=True)
class StartsWith(TextCheck):
    """Passes if the output starts with the prefix; case-insensitive unless `case_sensitive`.

    Leading white space of the output and of the prefix does not count, unless the prefix is only white space.
    """

    default_name = "starts_with"
    parts = ("starts_with",)
    needs = "nothing but an output"
    formula = "1 if output.lstrip() starts with the prefix (case-folded), else 0"

    prefix: str
    case_sensitive: bool = False
    threshold: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_that(
            isinstance(self.prefix, str) and bool(self.prefix), "prefix", self.prefix, "text that is not empty"
        )

    @cached_property
    def _start(self) -> str:
        bare = self.prefix.lstrip() or self.prefix
        return bare if self.case_sensitive else bare.casefold()

    @cached_property
    def _differs(self) -> Score:
        return self.verdict(0.0, f"the output does not start with {self.prefix[:100]!r}")

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Full marks for the prefix."""
        start = self._start
        # Folding case never shortens a text: as many characters as the prefix has are enough to fold.
        begin = (text if start.isspace() else text.lstrip())[: len(start)]
        if (begin if self.case_sensitive else begin.casefold()).startswith(start):
            return self.full_marks
        return self._differs


@dataclass(frozen=True)
class EndsWith(TextCheck):
    """Passes if the output ends with the suffix; case-insensitive unless `case_sensitive`.

    Trailing white space of the output and of the suffix does not count, unless the suffix is only white space.
    """

    default_name = "ends_with"
    parts = ("ends_with",)
    needs = "nothing but an output"
    formula = "1 if output.rstrip() ends with the suffix (case-folded), else 0"

    suffix: str
    case_sensitive: bool = False
    threshold: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_that(
            isinstance(self.suffix, str) and bool(self.suffix), "suffix", self.suffix, "text that is not empty"
        )

    @cached_property
    def _end(self) -> str:
        bare = self.suffix.rstrip() or self.suffix
        return bare if self.case_sensitive else bare.casefold()

    @cached_property
    def _differs(self) -> Score:
        return self.verdict(0.0, f"the output does not end with {self.suffix[-100:]!r}")

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Full marks for the suffix."""
        end = self._end
        # Folding case never shortens a text: as many characters as the suffix has are enough to fold.
        close = (text if end.isspace() else text.rstrip())[-len(end) :]
        if (close if self.case_sensitive else close.casefold()).endswith(end):
            return self.full_marks
        return self._differs
