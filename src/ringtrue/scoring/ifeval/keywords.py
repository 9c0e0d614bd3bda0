"""Instructions about words and letters that must or must not occur."""

from __future__ import annotations

import re

from ringtrue.scoring.ifeval.arguments import Arguments
from ringtrue.scoring.ifeval.expression import expression, is_literal, is_plain
from ringtrue.scoring.ifeval.rule import Loose, Rule


def existence(arguments: Arguments) -> Rule:
    """Every keyword occurs, whatever its case."""
    keywords = arguments.words("keywords")
    loose: Loose = "whole" if all(map(is_literal, keywords)) else "any"
    return Rule(lambda text: all(_occurs(keyword, text) for keyword in keywords), loose)


def frequency(arguments: Arguments) -> Rule:
    """A keyword occurs at least, or less than, N times, ignoring case."""
    keyword = arguments.text("keyword")
    number = arguments.number("frequency")
    if not arguments.relation("relation"):
        return Rule(lambda text: _count(keyword, text) < number)
    return Rule(lambda text: _count(keyword, text) >= number, "whole" if is_literal(keyword) else "any")


def forbidden_words(arguments: Arguments) -> Rule:
    """No forbidden word occurs as a whole word, whatever its case."""
    words = arguments.words("forbidden_words")
    return Rule(lambda text: not any(_occurs_whole(word, text) for word in words))


def letter_frequency(arguments: Arguments) -> Rule:
    """A letter occurs at least, or less than, N times, ignoring case.

    The official checker replaces what is not one ASCII letter by a random letter; here it is counted as it is.
    """
    letter = arguments.text("letter").lower()
    number = arguments.number("let_frequency")
    # The lower case of other letters may depend on what is beside them.
    simple = len(letter) == 1 and letter.isascii()
    if arguments.relation("let_relation"):
        return Rule(lambda text: text.lower().count(letter) >= number, "same" if simple else "any")
    return Rule(lambda text: text.lower().count(letter) < number, "core" if simple else "any")


def _occurs(keyword: str, text: str) -> bool:
    if is_plain(keyword, text):
        return keyword.lower() in text.lower()
    return expression(keyword, flags=re.IGNORECASE).occurs_in(text)


def _count(keyword: str, text: str) -> int:
    if is_plain(keyword, text):
        return text.lower().count(keyword.lower())
    return expression(keyword, flags=re.IGNORECASE).count(text)


def _occurs_whole(word: str, text: str) -> bool:
    if not word or not is_plain(word, text):
        return expression(word, before=r"\b", after=r"\b", flags=re.IGNORECASE).occurs_in(text)
    word, text = word.lower(), text.lower()
    at = text.find(word)
    while at >= 0:
        if _is_edge(text, at) and _is_edge(text, at + len(word)):
            return True
        at = text.find(word, at + 1)
    return False


def _is_edge(text: str, at: int) -> bool:
    """Whether a word starts or ends here: `\\b` of a regular expression."""
    return (at > 0 and _is_in_word(text[at - 1])) != (at < len(text) and _is_in_word(text[at]))


def _is_in_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"
