"""Reading a reply to a multiple-choice question: the final commitment to one option, or none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from ringtrue.scoring.choice.segment import OptionChoice, Segment
from ringtrue.scoring.prose.reply import visible

LETTERS = "ABCDEFGHIJ"
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_PLAIN = 16_000

_PLAIN_ENDING = re.compile(
    r"(?:^|[.\n] *)(?:(?:So|Therefore|Thus|Hence),? )?[Tt]he (?:correct |final |best )?answer is \(?([A-Z])\)?\.?$"
)
_MARKUP = re.compile(r"<[A-Za-z/|]|\[/?(?:THINK|INST|think)|◁")
_LATEX_BOX = re.compile(
    r"\\(?:boxed|fbox)\s{0,3}\{?(?:[\s{]|\\(?:text|textbf|textrm|textit|mathrm|mathbf|mathit|mbox)(?![A-Za-z])){0,6}"
)
_LATEX_LINE = re.compile(r"(?m)^[\s$]{0,9}\\(?:text|textbf|mathrm|mathbf)\{")
_LATEX_SPACE = re.compile(r"\\(?:[()\[\],;: ]|q?quad(?![A-Za-z]))")
_LATEX_ARROW = re.compile(r"(?m)^\s{0,9}\$?\\(?:Rightarrow|Longrightarrow|rightarrow|implies|therefore)(?![A-Za-z])\$?")
_LATEX_JOIN = re.compile(r"\\text\{\s{0,3}(or|and)\s{0,3}\}")
_TAGS = re.compile(r"</?(?:b|i|u|p|strong|em|br|code|span|div|mark)\s?/?>")
_LABELLED = re.compile(r"\s*\(?[A-Z][).:]\s+")
_LATIN = dict(zip("أبجدঅবডঢ", "ABCD" * 2, strict=True))
"""The letters that Arabic and Bengali tests call their first four options by."""
_OTHER_LETTER = re.compile(rf"(?m)(?:(?<=[:：])|^)([ *(\[]{{0,4}})([{''.join(_LATIN)}])(?=[ *)\]]{{0,4}}(?:[.,،।]|$))")
_NEXT_QUESTION = re.compile(
    r"\n[ \t>#]*(?:(?:next |new |another )?question ?\d{0,3}[:.)]|q\d{0,3}[:.]"
    r"|(?:human|user|instruction|problem|exercise) ?\d{0,3}:|<\|im_start\||<\|user\||\[inst\]|</s>)",
    re.IGNORECASE,
)


def extract_letter(
    response: str,
    choices: Sequence[str] | Mapping[str, str] | None = None,
    *,
    labels: Iterable[str] | None = None,
) -> str | None:
    """The letter of the one option that the response finally commits to; None if it commits to none or to several."""
    return read_choice(response, choices, labels=labels).letter


def read_choice(
    response: str,
    choices: Sequence[str] | Mapping[str, str] | None = None,
    *,
    labels: Iterable[str] | None = None,
) -> OptionChoice:
    """Return the letter of `extract_letter`, with the rule by which it was read."""
    allowed = _allowed_letters(choices, labels)
    plain = _plain_ending(response, allowed)
    if plain is not None:
        return plain
    text = _strip_markup(visible(response))
    if not text.strip():
        return OptionChoice(None, "empty")
    texts = _texts(choices, allowed)
    readings = [Segment(segment, allowed, texts) for segment in _segments(text)]
    for reading in readings:
        found = reading.committed_choice()
        if found is not None:
            return found
    for reading in readings:
        found = reading.leaning()
        if found is not None:
            return found
    return OptionChoice(None, "no commitment")


def _allowed_letters(choices: Sequence[str] | Mapping[str, str] | None, labels: Iterable[str] | None) -> str:
    """The letters that count: those given, else as many as there are options, else A to J."""
    if labels is None:
        if choices is None:
            return LETTERS
        if not isinstance(choices, Mapping):
            return ALPHABET[: len(choices)]
        labels = choices
    named = "".join(dict.fromkeys(str(label).strip(" ().").upper()[:1] for label in labels))
    return named if choices is None else named[: len(choices)]


def _texts(choices: Sequence[str] | Mapping[str, str] | None, allowed: str) -> dict[str, str]:
    """The options' texts by letter, without a letter of their own in front."""
    if choices is None:
        return {}
    given = choices.values() if isinstance(choices, Mapping) else choices
    texts = {letter: str(text) for letter, text in zip(allowed, given, strict=False)}
    if all(_LABELLED.match(text) and text.lstrip(" (")[:1] == letter for letter, text in texts.items()):
        return {letter: _LABELLED.sub("", text, count=1) for letter, text in texts.items()}
    return texts


def _plain_ending(response: str, allowed: str) -> OptionChoice | None:
    """The common case, read without looking further: a reply that ends in "The answer is (B)."."""
    if len(response) > MOST_PLAIN:
        return None
    found = _PLAIN_ENDING.search(response.rstrip()[-100:])
    if found is None or found[1] not in allowed or response.count("nswer is") > 2:
        return None
    if _MARKUP.search(response) or _NEXT_QUESTION.search(response):
        return None
    return OptionChoice(found[1], "answer")


def _strip_markup(text: str) -> str:
    if "\\" in text:
        text = _LATEX_JOIN.sub(r"\1", _LATEX_LINE.sub(" ", _LATEX_BOX.sub(" Answer: ", text)))
        text = _LATEX_SPACE.sub(" ", _LATEX_ARROW.sub("→ ", text))
    if "<" in text:
        text = _TAGS.sub(" ", text)
    if not text.isascii():
        text = _OTHER_LETTER.sub(lambda found: found[1] + _LATIN[found[2]], text)
    return text.replace("...", "…") if "..." in text else text


def _segments(text: str) -> list[str]:
    """The reply up to where it invents another question; the question that was asked is answered first."""
    starts = [found.start() for found in _NEXT_QUESTION.finditer(text)]
    bounds = [0, *starts[:50], len(text)]
    return [part for first, last in pairwise(bounds) if (part := text[first:last]).strip()]
