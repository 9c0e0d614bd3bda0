"""`FinalAnswer`: whether what a reply calls its answer is the expected one, as BIG-Bench Hard reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score
from ringtrue.safetext import shorten

_ANNOUNCED = ("answer is", "Answer is", "ANSWER IS", "Answer Is")
_OPTION = re.compile(r"\(([A-Z])\)")
_SHOWN = 200


@dataclass(frozen=True)
class FinalAnswer(TextCheck):
    """1.0 if the text after the last "answer is", or the whole reply without one, is an expected answer as written."""

    default_name = "final_answer"
    parts = ("final_answer",)
    needs = "one or more answers as they are to be written; (A) for an option"
    formula = (
        "the text after the last 'answer is', blanks, quotation marks, asterisks and the final period aside, equals an "
        "answer; where that is an option such as (A), the first option after those words, or at the start of a reply "
        "without them, is it, unless others are named along with it; case counts"
    )
    matches = "BIG-Bench Hard's extraction and exact match"

    threshold: float = 1.0

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Whether the final answer is one of the expected ones."""
        wanted = [answer.strip() for answer in expected or () if answer.strip()]
        if not wanted:
            return Score.skipped("there is no answer to compare with")
        said, announced = final_answer(text)
        right = any(_same(said, answer, announced) for answer in wanted)
        shown = shorten(said, _SHOWN)
        return self.verdict(float(right), "" if right else f"the final answer is {shown!r}", extracted=shown)


def final_answer(reply: str) -> tuple[str, bool]:
    """Return the text after the last "answer is" of a reply, else the whole reply, undecorated; and which of them."""
    at = max(map(reply.rfind, _ANNOUNCED))
    said = reply[at + len(_ANNOUNCED[0]) :] if at >= 0 else reply
    return said.strip().strip("*:\"'` \n").removesuffix(".").strip("*\"'` \n"), at >= 0


def _same(said: str, answer: str, announced: bool) -> bool:
    if _OPTION.fullmatch(answer):
        option = _OPTION.search(said) if announced else _OPTION.match(said)
        if not option:
            return said.strip("().").strip() == answer[1]
        return option[0] == answer and not _several(said[option.end() :])
    return said == answer.removesuffix(".")


def _several(rest: str) -> bool:
    """Whether what follows an option names another one along with it, as in "(A) or (B)"."""
    joined = rest.lstrip(" ,/&\n")
    joined = joined.removeprefix("and ").removeprefix("or ").lstrip()
    return joined != rest and bool(_OPTION.match(joined))
