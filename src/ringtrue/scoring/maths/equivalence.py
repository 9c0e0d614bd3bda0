"""The comparison of two texts: find each answer, read it, compare."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from ringtrue.scoring.maths.extract import AnswerReading, readings
from ringtrue.scoring.maths.latex import closing_brace
from ringtrue.scoring.maths.limits import MAX_TEXT, Beyond, UndefinedValue, Unreadable
from ringtrue.scoring.maths.literals import plain_number
from ringtrue.scoring.maths.numerals import written_number
from ringtrue.scoring.maths.operands import letter
from ringtrue.scoring.maths.parse import parse
from ringtrue.scoring.maths.prose import is_prose
from ringtrue.scoring.maths.same import same
from ringtrue.scoring.maths.settle import plain, settle
from ringtrue.scoring.maths.tree import Answer, Listing, Multiply, Symbol, Words
from ringtrue.scoring.maths.units import spelled_out
from ringtrue.scoring.maths.vocabulary import ascii_notation

_LOOKS = re.compile(r"\\(?:left|right|displaystyle|[!,;: ])(?![a-z])|\$|\s+(?![A-Za-z0-9])|(?<![A-Za-z0-9])\s+")
_PROSE = 4
"""Words from which a gold text that cannot be read is taken for prose with a number in it."""
_FORMULA_AS_TEXT = re.compile(
    r"\\(?:text|textbf|mathrm|mathbf|textrm)\{(?=[^{}]*[-+*/^=])"
    r"((?:[^A-Za-z{}\\]|(?<![A-Za-z])[A-Za-z](?![A-Za-z]))*)\}"
)
"""A formula of digits, signs and single letters in the dress of words."""
_GEOMETRIC = re.compile(
    r"\A(?:m\s?(?=\\))?(?:\\(?:angle|measuredangle|overline|overrightarrow|widehat|triangle|vec)\s{0,3}\{?\s?)?"
    r"([A-Z]{2,4}|(?<=\\angle )[A-Z])\s?\}?\s{0,3}(?==)"
)
"""The name of a side, an angle or a figure in front of its value: `AB = 5`."""
_COMPOUND = re.compile(r"(?:the )?[A-Za-z]-[a-z]{4,12}")
"""A letter in a word: `x-axis` is not a difference."""
_RUN = re.compile(r"[A-Za-z]{2,4}")
_DENIED = re.compile(r"\b(?:not|nor|neither|never|no|cannot)\b|n't\b")


class Verdict(NamedTuple):
    """The verdict on two answers, its reason, and the passages that were compared."""

    equal: bool
    reason: str
    gold: str
    candidate: str


def equivalent(gold: str, candidate: str) -> bool:
    """True if the answer in a response is mathematically equal to the gold answer."""
    return compare(gold, candidate).equal


def compare(gold: str, candidate: str) -> Verdict:
    """The verdict on a response: its last box, `####`, announced answer or last statement against the gold answer."""
    gold, candidate = gold.strip(), candidate.strip()
    if not gold or not candidate:
        return Verdict(False, "there is no gold answer" if not gold else "there is no answer", gold, candidate)
    if gold == candidate:
        return Verdict(True, "the texts are identical", gold, candidate)
    expected = plain_number(gold)
    given = plain_number(candidate) if expected else None
    if given:
        return _numbers(expected == given, gold, candidate)
    longest = max(len(gold), len(candidate))
    if longest > MAX_TEXT:
        reason = f"a text has {longest:,} characters; {MAX_TEXT:,} are searched for an answer"
        return Verdict(False, reason, gold[:100], candidate[:100])
    offered = readings(candidate)
    said = next(offered)
    given = plain_number(said.text) if expected and not said.label else None
    if given:
        return _numbers(expected == given, gold, said.text)
    try:
        return _verdict(gold, said, offered)
    except RecursionError:
        # The bound on nesting keeps far from this, unless the caller has used up the stack.
        return Verdict(False, "the stack is too deep to read the answer", gold[:200], said.text[:200])


def _numbers(equal: bool, gold: str, candidate: str) -> Verdict:
    return Verdict(equal, "the numbers are equal" if equal else "the numbers differ", gold, candidate)


def _choices(gold: str, candidate: str) -> Verdict:
    equal = gold == candidate
    return Verdict(equal, "the choices are equal" if equal else "the choices differ", gold, candidate)


def _verdict(gold: str, said: AnswerReading, offered: Iterator[AnswerReading]) -> Verdict:
    bound = ""
    found = readings(gold)
    written = next(found)
    try:
        written, expected = _gold(written, found if is_prose(gold, _PROSE) else ())
    except Beyond as beyond:
        expected, bound = Words(written.text), str(beyond)
    if isinstance(expected, Words):
        worded = _compare_words(written, expected, [said, *offered], bound)
        product = None if worded.equal else _product(expected)
        if product is None or not _is_product(product, said):
            return worded
        return Verdict(True, "the answers are equal", written.text, said.text)
    if isinstance(expected, Symbol) and said.label:
        return _choices(expected.name, said.label)
    if written.label and (said.label or said.text.strip("() .").isupper()):
        return _choices(written.label, said.label or said.text.strip("() ."))
    if looks(written.text) == looks(said.text):
        return Verdict(True, "the answers are written alike", written.text, said.text)
    try:
        said, given = _first(said, offered)
        equal = same(expected, given, loose=said.loose)
    except Unreadable:
        return Verdict(False, "the response holds no answer that can be read", written.text, said.text[:200])
    except Beyond as beyond:
        return Verdict(False, str(beyond), written.text, said.text[:200])
    except UndefinedValue as undefined:
        return Verdict(False, f"an answer has no value: {undefined}", written.text, said.text)
    return Verdict(equal, "the answers are equal" if equal else "the answers differ", written.text, said.text)


def read(text: str) -> Answer:
    """The answer that a passage states; raises Unreadable or Beyond."""
    text = ascii_notation(text).strip()
    if not text.endswith("..."):
        ended = text.rstrip(".,;: ")
        # The mark behind a backslash is a thin space.
        text = text[: len(ended) + 1] if ended.endswith("\\") else ended
    if "-" in text and text[:1].isalpha() and (_COMPOUND.fullmatch(text) or written_number(text.lower()) is not None):
        return Words(text)
    if "\\\\" in text and "\\begin" not in text:
        # A response that was escaped twice, as in JSON inside JSON.
        text = text.replace("\\\\", "\\")
    formula = _FORMULA_AS_TEXT.fullmatch(text)
    if formula:
        text = formula[1]
    elif "=" in text:
        text = _GEOMETRIC.sub(r"\\text{\1}", text, count=1)
    answer = parse(spelled_out(text))
    if isinstance(answer, Listing) and text.startswith("{") and closing_brace(text, 0) == len(text) - 1:
        # Braces around all of it mean a set outside LaTeX, and nothing in it: there repetitions do not count.
        return replace(answer, joint="or")
    return answer


def looks(text: str) -> str:
    """A text without what changes only how it looks."""
    return _LOOKS.sub("", text).replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac").rstrip(".")


def _gold(first: AnswerReading, others: Iterable[AnswerReading]) -> tuple[AnswerReading, Answer]:
    """The first gold passage that can be read as mathematics, or the first one as words."""
    for each in chain((first,), others):
        try:
            return each, settle(read(each.text))
        except Unreadable:
            continue
    return first, settle(Words(first.text))


def _first(first: AnswerReading, others: Iterable[AnswerReading]) -> tuple[AnswerReading, Answer]:
    """The first passage that can be read as mathematics; where none can, the first that is a run of letters."""
    run: tuple[AnswerReading, Answer] | None = None
    for each in chain((first,), others):
        try:
            answer = settle(read(each.text))
        except Unreadable:
            answer = settle(Words(each.text))
        if not isinstance(answer, Words):
            return each, answer
        product = _product(answer) if run is None else None
        run = run if product is None else (each, product)
    if run is None:
        raise Unreadable("no passage is mathematics")
    return run


def _product(words: Words) -> Answer | None:
    """The product that a short run of letters may be: `ab` is a word, and beside `a * b` it is that."""
    run = words.text.strip(" .$")
    return Multiply(tuple(map(letter, run))) if _RUN.fullmatch(run) else None


def _is_product(product: Answer, said: AnswerReading) -> bool:
    """Whether a passage is the product, written so that it is not a word."""
    try:
        answer = settle(read(said.text))
        return not isinstance(answer, Words) and same(product, answer)
    except (Unreadable, Beyond, UndefinedValue):
        return False


def _compare_words(written: AnswerReading, expected: Words, candidate: list[AnswerReading], bound: str) -> Verdict:
    """The verdict for a gold answer in words: a passage says the same words, or the last statement ends in them."""
    wanted = plain(expected)
    for said in candidate:
        if looks(written.text) == looks(said.text) or (wanted and wanted == plain(_words(said.text))):
            return Verdict(True, "the words are equal", written.text, said.text)
    last = plain(Words(candidate[-1].text[-200:]))
    if wanted and last.endswith(f" {wanted}") and not _DENIED.search(last[-60:]):
        return Verdict(True, "the response ends in these words", written.text, last)
    return Verdict(False, bound or "the words differ", written.text, candidate[0].text[:200])


def _words(text: str) -> Words:
    try:
        answer = read(text)
    except (Unreadable, Beyond):
        return Words(text)
    return answer if isinstance(answer, Words) else Words(text)
