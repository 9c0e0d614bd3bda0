"""The options that a text names: single letters on their own, and groups of them ("A, C and D")."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ringtrue.scoring.choice.words import AFTER_A, AFTER_LETTER, JOINS

MOST_MENTIONS = 80
"""A text that names more options than this is read at both ends."""

_EDGES = " \t\n()[]{}\"'$\\.<>_"
_ROMAN = re.compile(r"\W{1,4}(?:and |or |& )?(?:I{1,3}|IV|VI{0,3}|IX)\b|\s+only\b")
_NUMERALS = re.compile(r"\bI{2,3}\b")
_WORD = re.compile(r"(?:[ \t]+|[ \t]*\n(?=[a-z]))([A-Za-zÀ-ɏ]+(?:'[a-z]+)?)")


class Mention(NamedTuple):
    """Letters named together, from `start` to `end` of the text; brackets around them are outside."""

    start: int
    end: int
    letters: str
    bracketed: bool
    last: int
    """Where the last of the letters starts."""
    joined_by_comma: bool


# The letter comes first in both patterns, so that the engine looks only at letters; what must not come before it
# is asked afterwards, one character further back.
_CAPITAL = (
    r"([{labels}A-Z])"
    r"(?![A-Za-z0-9À-ɏ°^%@+])(?!#(?!#))(?!['&.](?!d[iı]r\b)[A-Za-z])(?!_[A-Za-z0-9{{(\\])(?!-[A-Za-z0-9])(?!\}}?\()"
    r"(?!\s?[=+×≈∈∪∩^∨∧⊃≡↔·⇒])(?!\s?\\(?!text))(?!/(?![A-Z]\b)[A-Za-z0-9])"
    r"(?<![A-Za-z0-9À-ɏ~¬].)(?<![A-Za-z]['&].)(?<![0-9°] .)(?<![Nn]/.)"
    r"(?:(?<![A-Za-z0-9][-.^_@].)|(?<=\b[Aa]nswer-.))"
    r"(?:(?<![A-Za-z]\(.)|(?<=[Oo]ption\(.)|(?<=[Aa]nswer\(.)|(?<=[Cc]hoice\(.)|(?<= is\(.))"
    r"(?:(?<![A-Za-z]\{{.)|(?<=text\{{.)|(?<=textbf\{{.)|(?<=mathrm\{{.)|(?<=mathbf\{{.))"
)
"""Capitals beyond the labels are seen too: "The answer is (E)" of four options commits to none."""

_SMALL = (
    r"([{labels}])(?=[)\]}}\"'.,;:<\n]|\s*$|\s(?:because|since|i think|i guess)\b|\sis\s(?:correct|right|the\b))"
    r"(?!\.[A-Za-z])"
    r"(?:(?<=[(\[{{\"'\n:>].)|(?<=[:(\[] .)|(?<=\bis .)|(?<=\boption .)|(?<=\bchoice .)|(?<=\banswer .)|(?<=\A.)"
    r"|(?<='s .)|(?<=ly .)|(?<=\bbe .)|(?<=\bwith .)|(?<=\bpick .)|(?<=\bchoose .)|(?<=\bselect .)"
    r"|(?<=\bits .)|(?<=\bguess .)|(?<=\bthink .)|(?<=\bsay .)|(?<=\bprob .)|(?<=\s.)(?=\)))"
)
"""A small letter stands for an option only where its surroundings close around it."""


@lru_cache(maxsize=64)
def _pattern(labels: str, lower: bool) -> re.Pattern[str]:
    template = _SMALL if lower else _CAPITAL
    return re.compile(template.format(labels=re.escape(labels.lower() if lower else labels)))


def find_mentions(text: str, labels: str, *, lower: bool = False) -> list[Mention]:
    """Every place that names options, in order; articles, pronouns, initials and formulas are not options."""
    singles = []
    for found in _pattern(labels, lower).finditer(text):
        letter = found[1].upper()
        start, end = found.span(1)
        bracketed = text[start - 1 : start] in ("(", "[") and text[end : end + 1] in (")", "]")
        if (text[start - 1 : start] == "$") != (text[end : end + 1] == "$"):
            # One end of a formula, not a letter between dollars.
            continue
        if letter in "AI" and not bracketed and _is_word(text, start, end, letter):
            continue
        singles.append((start, end, letter, bracketed))
    if len(singles) > MOST_MENTIONS:
        singles = singles[: MOST_MENTIONS // 4] + singles[-MOST_MENTIONS * 3 // 4 :]
    return _group_mentions(text, singles)


def _is_word(text: str, start: int, end: int, letter: str) -> bool:
    """Whether a lone A is an article, or a lone I a pronoun or a numeral."""
    following = _WORD.match(text, end, end + 40)
    said = following[1].lower() if following else ""
    if following and said not in AFTER_LETTER:
        # "A by-product" is an article again, and "A for effort" a grade.
        other = text[following.end() : following.end() + 1] == "-" or (said == "for" and not text[:start].strip())
        if letter != "A" or said not in AFTER_A or other:
            return True
    if letter == "I":
        if _NUMERALS.search(text):
            return True
        if following and following[1] not in ("is", "and", "or", "because", "since", "seems", "fits", "isn't"):
            return True
        return _ROMAN.match(text, end, end + 12) is not None
    return False


def _group_mentions(text: str, singles: list[tuple[int, int, str, bool]]) -> list[Mention]:
    groups: list[Mention] = []
    for start, end, letter, bracketed in singles:
        if groups:
            held = groups[-1]
            gap = text[held.end : start]
            if len(gap) <= 20:
                join = gap.strip(_EDGES)
                joins = gap == ";" or (join and "\n" not in gap and join.lower().replace(" ", "") in JOINS)
                if joins:
                    letters = held.letters.replace(letter, "") + letter
                    groups[-1] = Mention(held.start, end, letters, held.bracketed and bracketed, start, join == ",")
                    continue
        groups.append(Mention(start, end, letter, bracketed, start, False))
    return groups
