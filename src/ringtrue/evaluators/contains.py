"""`Contains` and `NotContains`: the output says certain things, or does not."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score
from ringtrue.require import require_that
from ringtrue.safetext import shorten
from ringtrue.scoring.fractions import least

_REMEMBERED = 1_000
_REASON_CHARS = 200


@dataclass(frozen=True)
class SubstringCheck(TextCheck):
    """A check that looks for texts in the output; its score is the fraction of them that are as they should be."""

    needs = "nothing but an output"
    fault: ClassVar[str]
    """What is wrong with a substring, in a word: the reason and the metadata name those that have it."""

    substrings: list[str] | tuple[str, ...]
    case_sensitive: bool = False
    threshold: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self.substrings
        listed = f"a list of texts, as in {type(self).__name__}({_list_example(given)})"
        require_that(isinstance(given, (list, tuple)), "substrings", given, listed)
        holds = bool(given) and all(isinstance(item, str) and item for item in given)
        require_that(holds, "substrings", given, "a list of one text or more, none of them empty")
        object.__setattr__(self, "substrings", tuple(given))

    @abstractmethod
    def at_fault(self, text: str) -> tuple[str, ...]:
        """The substrings that are not as they should be in a text that was folded as they were."""

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """The fraction of substrings without fault."""
        faults = self.at_fault(text if self.case_sensitive else text.casefold())
        return self._score(faults) if faults else self.full_marks

    def grade_texts(self, texts: Sequence[str], expected: Sequence[tuple[str, ...] | None]) -> list[Score]:
        """The scores of a column; a single substring is there or not, and either verdict is made once."""
        if len(self.wanted_texts) > 1:
            return super().grade_texts(texts, expected)
        ((needle, given),) = self.wanted_texts
        there, absent = self.grade_text(given, None), self.grade_text("", None)
        if self.case_sensitive:
            return [there if needle in text else absent for text in texts]
        return [there if needle in text.casefold() else absent for text in texts]

    @cached_property
    def wanted_texts(self) -> tuple[tuple[str, str], ...]:
        """Each substring as it is searched for, and as it was given."""
        return tuple((item if self.case_sensitive else item.casefold(), item) for item in self.substrings)

    @cached_property
    def _least(self) -> int:
        return least(len(self.substrings), self.threshold)

    @cached_property
    def _score(self) -> Any:
        # Few combinations of faults occur, many times each.
        return lru_cache(maxsize=_REMEMBERED)(self._faulty)

    def _faulty(self, faults: tuple[str, ...]) -> Score:
        total = len(self.substrings)
        right = total - len(faults)
        listed = ", ".join(map(repr, faults))
        listed = shorten(listed, _REASON_CHARS)
        return Score(
            right / total,
            status="scored",
            passed=right >= self._least,
            reason=f"{self.fault}: {listed}",
            metadata={self.fault: faults},
        )


def _list_example(given: object) -> str:
    return repr([given]) if isinstance(given, str) else "['text', ...]"


@dataclass(frozen=True)
class Contains(SubstringCheck):
    """Passes if the output contains all substrings, or any of them with `match_any`; case-insensitive unless
    `case_sensitive`."""

    default_name = "contains"
    parts = ("contains",)
    fault = "missing"
    formula = "found / substrings; with match_any, 1 if one is found, else 0"

    match_any: bool = field(default=False, kw_only=True)

    def at_fault(self, text: str) -> tuple[str, ...]:
        """The substrings that are missing; with `match_any`, none or all of them."""
        missing = tuple([given for folded, given in self.wanted_texts if folded not in text])
        return missing if not self.match_any or len(missing) == len(self.wanted_texts) else ()


@dataclass(frozen=True)
class NotContains(SubstringCheck):
    """Passes if the output contains none of the substrings; case-insensitive unless `case_sensitive`."""

    default_name = "not_contains"
    parts = ("not_contains",)
    fault = "found"
    formula = "absent / substrings"

    def at_fault(self, text: str) -> tuple[str, ...]:
        """The substrings that are there."""
        return tuple([given for folded, given in self.wanted_texts if folded in text])
