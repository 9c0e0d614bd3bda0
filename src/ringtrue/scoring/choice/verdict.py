"""The meaning of the words after an option: "B is correct", "C fails", "D: incorrect"."""

from __future__ import annotations

import re

from ringtrue.scoring.choice import words as w
from ringtrue.scoring.choice.leadup import is_denied, is_hypothetical
from ringtrue.scoring.choice.mentions import Mention
from ringtrue.scoring.choice.stance import (
    HYPOTHETICAL,
    MEDIUM,
    NAMED,
    NEGATED,
    PUT_ASIDE,
    STRONG,
    UNSURE,
    WEAK,
    Stance,
)
from ringtrue.scoring.choice.surroundings import Surroundings

_TAKEN = Stance(STRONG, "verdict")
_MARKS = frozenset(":-–—|→=>")
_CONTRARY = re.compile(r"\b(?:not|none|no|but|n?either|wrong|incorrect|false)\b|n't\b", re.IGNORECASE)
_EXCEPTED = re.compile(
    r"\b(?:all|every|everything|each)\b[^,.;]{0,40}\b(?:except|but|besides|other than|apart from|save)(?: for)?"
    r"(?: option| choice| answer)? \W?$",
    re.IGNORECASE,
)
_LINE_END = re.compile(r"[-–—:(]\s{0,3}(correct|incorrect|wrong|right|true|false|yes|no)\W{0,5}$|([✓✔✅✗✘❌])\W{0,5}$")
_LINE_START = re.compile(
    r"[\s>•+-]{0,9}(?:([✓✔✅☑√]|\[[xX✓✔]\]|\([xX]\))|[✗✘❌☐]|\[ ?\])[\s:([]{0,4}(?:option |choice )?\W?", re.I
)
_REPLIED = re.compile(r"\W{0,4}\?\W{1,4}(yes|correct|right|no|nope|wrong|incorrect)\b", re.IGNORECASE)
_DEMONSTRATIVES = frozenset(("this", "is", "that", "it", "also", "clearly", "option", "the"))
_NOUNS = frozenset(("answer", "choice", "option", "one", "statement"))
_JUDGED = frozenset((*",.;:!)", "answer", "choice", "option", "one", "statement", "because", "since"))
_FALSE_ONE = re.compile(r"\b[A-J] is (?:false|incorrect|wrong)\b")
_APPEARANCES = w.DOUBTS | {"seems", "looks", "appears", "sounds", "feels"}


def stance_after(text: str, mention: Mention, around: Surroundings) -> Stance:
    """The stance that the rest of the sentence takes towards an option."""
    tokens = around.right
    if not tokens:
        return NAMED
    if w.AGAINST.intersection(tokens[:4]) and _EXCEPTED.search(around.before):
        return Stance(STRONG, "exception")
    token = tokens[0]
    if not token.isascii():
        if token.startswith(w.FAULTS_UNSPACED):
            return PUT_ASIDE
        if token.startswith(w.VERDICTS_UNSPACED):
            return _TAKEN
    # A single letter that follows is the label of the next option: "B) no C) yes".
    ends = len(tokens) == 1 or (len(tokens[1]) == 1 and tokens[1].isalpha() and text[mention.end] in "):")
    if ends and token in ("yes", "no", "✓", "✗", "✅", "❌"):
        return Stance(WEAK, "marked") if token in w.AFFIRMED else PUT_ASIDE
    if token in _MARKS or (token in w.AFFIRMED and text[mention.end : mention.end + 1] in ")."):
        return _verdict_after_mark(tokens)
    if " ".join(tokens[:3]) in w.PRAISES or _it_is(tokens):
        return _TAKEN
    at = 0
    if token == "," and tokens[1:2] in (["which"], ["that"]):
        at = 2
    elif token in w.NAMES:
        at = 1
    found = _verdict(tokens, at, text, mention, around)
    if found.level >= MEDIUM and is_denied(around.left):
        return NEGATED
    return found


def _it_is(tokens: list[str]) -> bool:
    """Whether "it is" after an option makes it the answer, and nothing else is said of it: "C it is"."""
    for said in (["it", "is"], ["it", "must", "be"]):
        if tokens[: len(said)] == said:
            following = tokens[len(said) : len(said) + 1]
            return not following or not following[0].isalnum() or following[0] in w.REASONS | w.PARTINGS
    return False


def _verdict_after_mark(tokens: list[str]) -> Stance:
    """A verdict after a colon, a dash or in a table cell: "B: incorrect"."""
    at = 0
    while at < len(tokens) and (tokens[at] in _MARKS or tokens[at] in _DEMONSTRATIVES):
        at += 1
    if at < len(tokens):
        if tokens[at] == "not" and len(tokens) > at + 1 and (len(tokens[at + 1]) == 1 or tokens[at + 1] in w.NAMES):
            # "B - not A" puts A aside.
            return NAMED
        if tokens[at] in w.AGAINST:
            return PUT_ASIDE
        said = at + (tokens[at] in w.AFFIRMED)
        named = said + (said < len(tokens) and tokens[said] in _NOUNS and tokens[at - 1] in ("the", "my"))
        if named > at and (named >= len(tokens) or tokens[named] in ".,|!;-–—("):
            return Stance(WEAK, "marked")
    return NAMED


def stance_of_reply(text: str, mention: Mention) -> Stance:
    """Return the stance of an answer to a question that ends in the option: "C? Yes."."""
    found = _REPLIED.match(text, mention.end, mention.end + 40)
    if found is None:
        return NAMED
    return Stance(MEDIUM, "marked") if found[1].lower() in w.AFFIRMED else PUT_ASIDE


def mark_at_line_start(line: str) -> Stance:
    """A tick, a cross or a box before the option of a line: "[x] B", "❌ C"."""
    found = _LINE_START.fullmatch(line)
    if found is None:
        return NAMED
    return Stance(MEDIUM, "marked") if found[1] else PUT_ASIDE


def mark_at_line_end(line: str) -> Stance:
    """A verdict that ends the line of an option: "B) London - correct", "C) Rome ✗"."""
    found = _LINE_END.search(line[-40:].lower())
    if found is None:
        return NAMED
    return Stance(WEAK, "marked") if (found[1] or found[2]) in w.AFFIRMED else PUT_ASIDE


def _verdict(tokens: list[str], at: int, text: str, mention: Mention, around: Surroundings) -> Stance:
    if at >= len(tokens):
        return NAMED
    first = tokens[at]
    if first in w.AGAINST:
        # "B, not A" and "B not A" put aside what follows, not the option before.
        return NAMED if first in ("not", "no") else PUT_ASIDE
    if first == "best" and len(tokens) > at + 1:
        return HYPOTHETICAL if is_hypothetical(around.left) else _TAKEN
    if first == "makes" and "sense" in (said := tokens[at + 1 : at + 6]):
        return PUT_ASIDE if w.AGAINST.intersection(said[: said.index("sense")]) else Stance(MEDIUM, "verdict")
    if first in w.FITTING:
        return HYPOTHETICAL if is_hypothetical(around.left) else Stance(MEDIUM, "verdict")
    only = [token for token in around.left[-4:] if token not in w.OPENERS and token not in w.NAMES][-1:] == ["only"]
    if only and (first in w.ALONE_DOES or (mention.bracketed and first.isalpha())):
        return HYPOTHETICAL if is_hypothetical(around.left) else Stance(WEAK, "verdict")
    if first not in w.LINK_VERBS and first != "does":
        return _verdict_of_verb(tokens, at, around) or (_distant(tokens, at) if mention.bracketed else NAMED)
    if at + 1 == len(tokens) or tokens[at + 1] in ",.;":
        denied = first in ("is", "does") and _CONTRARY.search(text[max(0, mention.start - 60) : mention.start])
        return Stance(STRONG, "verdict", True) if denied else NAMED
    unsure = also = False
    while at < len(tokens) and tokens[at] in w.LINKS:
        unsure = unsure or tokens[at] in _APPEARANCES
        also = also or tokens[at] in ("also", "both", "too")
        at += 1
    if only and not w.AGAINST.intersection(tokens[at : at + 3]):
        return Stance(MEDIUM, "verdict")
    if at >= len(tokens):
        return NAMED
    called = mention.bracketed or around.left[-1:] == ["statement"] or _FALSE_ONE.search(text)
    if tokens[at] == "true" and not called:
        # In a proof a letter that is true is a proposition.
        return NAMED
    # In "Though many pick A, C is correct" what is on the left belongs to A.
    left = [] if mention.joined_by_comma else around.left
    return _verdict_of_token(tokens, at, left, unsure, also)


def _verdict_of_verb(tokens: list[str], at: int, around: Surroundings) -> Stance | None:
    """The verdict that a verb before the option passes on it: "which makes C the best answer"."""
    left = around.left[:-1] if around.left[-1:] and around.left[-1] in w.NAMES else around.left
    if not left or left[-1] not in w.MAKES or around.ending == "?":
        return None
    if "would" in left and w.CONDITIONS.intersection(tokens):
        return HYPOTHETICAL
    while at < len(tokens) and tokens[at] in w.LINKS:
        at += 1
    if at >= len(tokens) or tokens[at] in w.AGAINST:
        return None
    return NEGATED if w.NEGATORS.intersection(left) else _verdict_of_token(tokens, at, left, False, False)


def _verdict_of_token(tokens: list[str], at: int, left: list[str], unsure: bool, also: bool) -> Stance:
    token = tokens[at]
    if token in w.AGAINST:
        return PUT_ASIDE
    rest = tokens[at + 1 : at + 8]
    if (token not in w.VERDICT and token not in w.FITTING) or (token == "one" and rest[:1] == ["of"]):
        return NAMED
    conditional = rest and (rest[0] in w.CONDITIONS or ("would" in tokens[:at] and w.CONDITIONS.intersection(rest)))
    if conditional or is_hypothetical(left):
        return HYPOTHETICAL
    if unsure:
        return UNSURE
    if token in w.FITTING:
        return Stance(WEAK if token == "true" else MEDIUM, "verdict")
    return Stance(WEAK, "verdict") if also or (rest and rest[0] in w.LIMITS) else _TAKEN


def _distant(tokens: list[str], at: int) -> Stance:
    """A verdict behind the option's own words: "(D) by 32 fold is the right answer"."""
    for step in range(at, len(tokens) - 1):
        if tokens[step] in ("is", "seems", "was"):
            said, then = ([token for token in tokens[step + 1 : step + 7] if token not in w.LINKS] + ["", ""])[:2]
            judged = said == "answer" or (said in ("correct", "right", "best") and (then in _JUDGED or not then))
            if judged and not w.CONDITIONS.intersection(tokens):
                return _TAKEN
            if said in ("wrong", "incorrect", "false"):
                return PUT_ASIDE
    return NAMED
