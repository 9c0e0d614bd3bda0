"""Word tokens of an English text, exactly as NLTK 3.8.1's `word_tokenize` cuts them: Punkt sentences, then the Penn
Treebank rules with NLTK's additions for Unicode quotes.

The rules only put spaces into a sentence, one rule after the other; in the end it is split at its spaces.
"""

from __future__ import annotations

import re

from ringtrue.scoring.prose.sentences import split_sentences

_SPACED = r" \g<0> "
Rule = tuple[str, re.Pattern[str], str]
"""A character without which the rule has nothing to do, what it looks for, and what it writes."""

_OPENING: tuple[Rule, ...] = (
    ("", re.compile("[«“‘„]|`+"), _SPACED),
    ('"', re.compile('^"'), "``"),
    ("`", re.compile("``"), _SPACED),
    ("", re.compile("([ (\\[{<])(?:\"|'')"), r"\1 `` "),
    ("'", re.compile(r"'(?!re|ve|ll|m|t|s|d|n)(\w)\b", re.IGNORECASE), r"' \1"),
)
_PUNCTUATION: tuple[Rule, ...] = (
    ("", re.compile(r"([:,])(\D)"), r" \1 \2"),
    ("", re.compile("[:,]$"), _SPACED),
    (".", re.compile(r"\.{2,}"), _SPACED),
    ("", re.compile("[;@#$%&]"), _SPACED),
)
_BRACKETS_AND_DASHES: tuple[Rule, ...] = (
    ("", re.compile("[?!]"), _SPACED),
    ("'", re.compile("([^'])' "), r"\1 ' "),
    ("*", re.compile(r"\*"), _SPACED),
    ("", re.compile(r"[\]\[(){}<>]"), _SPACED),
    ("-", re.compile("--"), _SPACED),
)
_CLOSING: tuple[Rule, ...] = (
    ("", re.compile("[»”’]"), _SPACED),
    ("'", re.compile("''"), _SPACED),
    ('"', re.compile('"'), " '' "),
    ("'", re.compile("([^' ])('[sSmMdD]|') "), r"\1 \2 "),
    ("'", re.compile("([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) "), r"\1 \2 "),
)
_CONTRACTIONS = tuple(
    re.compile(rf"(?i){pattern}")
    for pattern in (
        r"\b(can)(not)\b",
        r"\b(d)('ye)\b",
        r"\b(gim)(me)\b",
        r"\b(gon)(na)\b",
        r"\b(got)(ta)\b",
        r"\b(lem)(me)\b",
        r"\b(more)('n)\b",
        r"\b(wan)(na)(?=\s)",
        r" ('t)(is)\b",
        r" ('t)(was)\b",
    )
)
_AFTER_PERIOD = "])}>\"'"


def split_words(text: str) -> list[str]:
    """The word tokens of a text, in order."""
    return [token for sentence in split_sentences(text) for token in _tokens(sentence)]


def _tokens(sentence: str) -> list[str]:
    text = _apply(_OPENING, sentence)
    text = _final_period(text, _AFTER_PERIOD + "»”’ ", " {} {} ")
    text = _apply(_PUNCTUATION, text)
    text = _final_period(text, _AFTER_PERIOD, " {}{} ")
    text = _apply(_BRACKETS_AND_DASHES, text)
    text = _apply(_CLOSING, f" {text} ")
    for contraction in _CONTRACTIONS:
        text = contraction.sub(r" \1 \2 ", text)
    return text.split()


def _apply(rules: tuple[Rule, ...], text: str) -> str:
    for needed, pattern, written in rules:
        if needed in text:
            text = pattern.sub(written, text)
    return text


def _final_period(text: str, closing: str, written: str) -> str:
    """The text with its last period set apart, if only closing marks and then space follow it."""
    at = text.rfind(".")
    if at < 1 or text[at - 1] == ".":
        return text
    rest = text[at + 1 :].lstrip(closing)
    if rest and not rest.isspace():
        return text
    marks = text[at + 1 : len(text) - len(rest)]
    return text[:at] + written.format(".", marks)
