"""Instructions about what a response holds: placeholders, a postscript, two answers, the request, one language."""

from __future__ import annotations

import re

from ringtrue.scoring import languages
from ringtrue.scoring.ifeval.arguments import Arguments
from ringtrue.scoring.ifeval.expression import expression, is_literal
from ringtrue.scoring.ifeval.rule import Rule

_POSTSCRIPTS = {"P.P.S": re.compile(r"p\.\s?p\.\s?s"), "P.S.": re.compile(r"p\.\s?s\.")}


def number_placeholders(arguments: Arguments) -> Rule:
    """There are at least N pieces of a line in square brackets."""
    number = arguments.number("num_placeholders")
    return Rule(lambda text: text.count("[") >= number and count_placeholders(text) >= number, "same")


def postscript(arguments: Arguments) -> Rule:
    """The postscript marker occurs, whatever its case; `P.S.` and `P.P.S` may have spaces inside."""
    marker = arguments.text("postscript_marker")
    known = _POSTSCRIPTS.get(marker)
    if known:
        return Rule(lambda text: known.search(text.lower()) is not None, "whole")
    # The official checker puts the pattern itself into lower case.
    pattern = marker.lower()
    if is_literal(pattern):
        return Rule(lambda text: pattern in text.lower(), "whole")
    return Rule(lambda text: expression(pattern, flags=re.MULTILINE).occurs_in(text.lower()))


def count_placeholders(text: str) -> int:
    """Count the pieces of text in square brackets, each within a line, without overlaps."""
    count = 0
    at = text.find("[")
    while at >= 0:
        end = text.find("]", at)
        if end < 0:
            break
        line_end = text.find("\n", at, end)
        count += line_end < 0
        at = text.find("[", end if line_end < 0 else line_end)
    return count


SEPARATOR = "******"


def two_responses(arguments: Arguments) -> Rule:
    """There are exactly two different responses between `******`, and nothing blank between two of them."""

    def follows(text: str) -> bool:
        if SEPARATOR not in text:
            return False
        first, *middle, last = (part.strip() for part in text.split(SEPARATOR))
        given = [part for part in (first, *middle, last) if part]
        return all(middle) and len(given) == 2 and given[0] != given[1]

    return Rule(follows)


def repeat_prompt(arguments: Arguments) -> Rule:
    """The response starts with the request, whatever its case."""
    request = arguments.text("prompt_to_repeat").lower()

    def follows(text: str) -> bool:
        start = text.lstrip()
        # Lower case of other scripts depends on what follows.
        return (start[: len(request)] if start.isascii() else start).lower().startswith(request)

    return Rule(follows)


def response_language(arguments: Arguments) -> Rule:
    """The response is in the language; one of unknown language passes."""
    code = arguments.text("language")
    if code not in languages.codes():
        raise arguments.wrong("language", "a code that the profiles know, such as 'en' or 'zh-cn'")
    return Rule(lambda text: languages.is_written_in(text, code) is not False)
