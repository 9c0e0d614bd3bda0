"""`WordCount`: the output is neither too short nor too long."""

from __future__ import annotations

from dataclasses import dataclass, field

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score
from ringtrue.require import require, require_count

_COUNTED_CHARS = 1_000_000


@dataclass(frozen=True)
class WordCount(TextCheck):
    """Passes if the output has `min_words` to `max_words` words; `min` and `max` are short for these."""

    default_name = "word_count"
    parts = ("word_count",)
    needs = "nothing but an output"
    formula = "1 if min_words <= len(output.split()) <= max_words, else 0"

    min_words: int = 0
    max_words: int = 10_000
    threshold: float = 1.0
    min: int | None = field(default=None, kw_only=True, repr=False)
    max: int | None = field(default=None, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        for long, short, default in (("min_words", "min", 0), ("max_words", "max", 10_000)):
            self._settle(long, short, default)
        require(
            self.min_words <= self.max_words,
            f"min_words must not exceed max_words; got {self.min_words} and {self.max_words}",
            parameter="min_words",
            value=self.min_words,
        )

    def _settle(self, long: str, short: str, default: int) -> None:
        # One truth: the short name hands its number over, and is gone.
        number, alias = getattr(self, long), getattr(self, short)
        require(
            alias is None or number in (None, default, alias),
            f"{short} is short for {long}; got {number!r} and {alias!r}",
            parameter=short,
            value=alias,
        )
        number = alias if alias is not None else default if number is None else number
        require_count(long, number, least=0)
        object.__setattr__(self, long, number)
        object.__setattr__(self, short, None)

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Full marks for a count within the bounds."""
        # One split more than is allowed says as much as all of them.
        words = len(text.split(None, min(self.max_words, len(text))))
        if self.min_words <= words <= self.max_words:
            return self.full_marks
        if words < self.min_words:
            return self.verdict(0.0, f"{words} words; at least {self.min_words} are asked for", words=words)
        if len(text) > _COUNTED_CHARS:
            return self.verdict(0.0, f"more than {self.max_words} words")
        words = len(text.split())
        return self.verdict(0.0, f"{words} words; at most {self.max_words} are allowed", words=words)
