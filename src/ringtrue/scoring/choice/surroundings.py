"""The sentence around a named option."""

from __future__ import annotations

import re
from typing import NamedTuple

from ringtrue.scoring.choice import words as w
from ringtrue.scoring.choice.mentions import Mention

_REACH = 160
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[^\w\s]")
_CALLED = re.compile(r"\b(?:option|choice|statement) \W?$|^\s{0,4}\d{1,2}\) ", re.IGNORECASE)
_WORDY = re.compile(r"[^\W_]")
_STARTS = (". ", "? ", "! ", "; ")
_CLOSERS = frozenset(")]}\"'$*_>")
_STOPS = frozenset(",.;:!?-–—(|<\\…/&→")
_HEADED = re.compile(r"\W{0,6}(?:(?:option|choice|statement|answer) \W?)?([A-Z])\b", re.IGNORECASE)
_CONTRASTS = frozenset(("but", "however", "yet", "whereas", "though"))


class Surroundings(NamedTuple):
    """A mention's own sentence, cut in two at the mention, in lower-case tokens."""

    before: str
    left: list[str]
    """The clause before the mention; what comes before a "but" is another clause."""
    right: list[str]
    ending: str
    """The character that ends the sentence: `.`, `?`, a newline, or nothing."""
    contrast: bool
    """The clause contradicts a negated one: "not A but"."""
    turned: bool
    """The clause contradicts another one: "torn between A and B, but"."""
    opens_line: bool
    opens_sentence: bool
    listed: bool
    """The mention is a cell of a table, or one bullet among others."""
    closed: bool
    """No word that belongs to the mention follows it."""
    alone: bool
    """Nothing follows the mention on its line."""
    continues: bool
    """The line above is headed by the option before this one: the mention continues a list of the options."""


def surroundings(text: str, mention: Mention) -> Surroundings:
    """The sentence around a mention; a heading line above it ("Answer:") belongs to it."""
    before, opens_line, opens, listed = _before(text, mention.start)
    left = _TOKEN.findall(before.lower())
    contrast = turned = False
    for at in range(len(left) - 1, -1, -1):
        if left[at] in _CONTRASTS and left[max(0, at - 1)] not in ("anything", "nothing"):
            contrast = bool(w.NEGATORS.intersection(left[:at]))
            left = left[at + 1 :]
            turned = True
            break
    after, ending = _after(text, mention.end)
    right = _TOKEN.findall(after.lower())
    while right and right[0] in _CLOSERS:
        del right[0]
    closed = not right or right[0] in _STOPS or right[0] in w.REASONS or right[:2] == ["and", "not"] or _parts(right)
    continues = _continues_list(text, mention)
    alone = not continues and _is_alone(text, mention.end)
    return Surroundings(
        before, left, right, ending, contrast, turned, opens_line, opens, listed, closed, alone, continues
    )


def _parts(right: list[str]) -> bool:
    """Whether the sentence ends with words that add nothing: "so it's A then", "B I think"."""
    said = 2 if "_".join(right[:2]) in w.ASIDES else int(right[0] in w.PARTINGS)
    return said > 0 and (len(right) == said or right[said] in _STOPS)


def _before(text: str, start: int) -> tuple[str, bool, bool, bool]:
    window = text[max(0, start - _REACH) : start]
    line = window.rfind("\n")
    cut = max(line, *(at + 1 if (at := window.rfind(mark)) >= 0 else -1 for mark in _STARTS))
    before = window[cut + 1 :]
    opens = _WORDY.search(_CALLED.sub("", before)) is None and (cut >= 0 or start <= _REACH)
    opens_line = opens and cut == line
    listed = opens_line and "|" in before
    if opens_line:
        above = window[: line + 1].rstrip().rpartition("\n")[2].lstrip()
        mark = before.strip()
        listed = listed or (mark in ("-", "•", "+") and above.startswith(mark))
        if above and not listed and _announces(above):
            before = f"{above} {before}"
    return before, opens_line, opens, listed


def _after(text: str, end: int) -> tuple[str, str]:
    after = text[end : end + _REACH]
    stop = min((at for mark in ("\n", *_STARTS) if (at := after.find(mark)) >= 0), default=len(after))
    if stop == len(after) and after and after[-1] in ".?!" and end + stop == len(text):
        stop -= 1
    return after[:stop], after[stop : stop + 1]


def _announces(line: str) -> bool:
    """Whether a line is a heading for what is below it."""
    return line.endswith((":", " is", "=", "-", "—")) or (
        len(line) < 40 and bool(w.ANSWER_NOUNS.intersection(_TOKEN.findall(line.lower())[-3:]))
    )


def _is_alone(text: str, end: int) -> bool:
    line_end = text.find("\n", end)
    rest = text[end : line_end if line_end >= 0 else len(text)]
    if len(rest) > 40 or _WORDY.search(rest):
        return False
    return not (rest.rstrip().endswith(":") and line_end >= 0 and text[line_end:].strip())


def _continues_list(text: str, mention: Mention) -> bool:
    above = text[max(0, mention.start - 4 * _REACH) : mention.start].rpartition("\n")[0].rpartition("\n")[2]
    headed = _HEADED.match(above)
    return headed is not None and ord(headed[1]) + 1 == ord(mention.letters[0])
