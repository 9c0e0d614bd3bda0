"""Instructions about the form of a response: lists, highlights, sections, titles, JSON, fixed answers."""

from __future__ import annotations

import json
import re

from ringtrue.scoring.ifeval.arguments import Arguments
from ringtrue.scoring.ifeval.expression import expression, is_literal
from ringtrue.scoring.ifeval.rule import Rule

ANSWERS = ("My answer is yes.", "My answer is no.", "My answer is maybe.")

_SINGLE = re.compile(r"\*([^\n*]*)\*")
_DOUBLE = re.compile(r"\*\*([^\n*]*)\*\*")
_FENCES = ("```json", "```Json", "```JSON", "```")
_JSON_STARTS = frozenset('{["-0123456789tfnNI')


def number_bullet_lists(arguments: Arguments) -> Rule:
    """There are exactly N lines that start with `-`, or with `*` and anything but a second `*`."""
    number = arguments.number("num_bullets")
    # There are at most as many bullets as characters that can be one.
    return Rule(lambda text: text.count("*") + text.count("-") >= number and _bullets(text) == number)


def constrained_response(arguments: Arguments) -> Rule:
    """One of the three fixed answers occurs."""
    return Rule(lambda text: any(answer in text for answer in ANSWERS), "whole")


def number_highlighted_sections(arguments: Arguments) -> Rule:
    """There are at least N pieces of a line between asterisks; a piece between double ones may count twice."""
    number = arguments.number("num_highlights")

    def follows(text: str) -> bool:
        # Two asterisks make one highlight at most, four of them one more.
        if 3 * text.count("*") < 4 * number:
            return False
        found = sum(map(_is_text, _SINGLE.findall(text)))
        return found >= number or found + sum(map(_is_text, _DOUBLE.findall(text))) >= number

    return Rule(follows, "same")


def multiple_sections(arguments: Arguments) -> Rule:
    """There are at least N section marks: the given word and a number."""
    mark = arguments.text("section_spliter")
    number = arguments.number("num_sections")

    def follows(text: str) -> bool:
        if is_literal(mark) and text.count(mark) < number:
            return False
        marks = expression(mark, before=r"\s?", after=r"\s?\d+\s?")
        # Splitting at an expression with groups yields these groups as well.
        return marks.count(text) * (1 + marks.groups) >= number

    return Rule(follows, "whole" if is_literal(mark) else "any")


def json_format(arguments: Arguments) -> Rule:
    """The whole response is JSON, as Python reads it, within a fence or without."""
    return Rule(_is_json)


def title(arguments: Arguments) -> Rule:
    """A line holds a title that is not blank in double angular brackets."""
    return Rule(lambda text: "<<" in text and any(map(_has_title, text.split("\n"))), "whole")


def _bullets(text: str) -> int:
    count = 0
    swallowed = False
    for line in text.split("\n"):
        start = line.lstrip()[:2]
        # A lone asterisk takes the line break for the character behind it, and with it the whole next line.
        if start[:1] == "*" and start != "**" and not swallowed:
            swallowed = start == "*"
            count += 1
        else:
            swallowed = False
        count += start[:1] == "-"
    # At the very end there is no line break to take.
    return count - swallowed


def _is_text(highlight: str) -> bool:
    return bool(highlight) and not highlight.isspace()


def _is_json(text: str) -> bool:
    text = text.strip()
    for fence in _FENCES:
        text = text.removeprefix(fence)
    text = text.removesuffix("```").strip()
    if text[:1] not in _JSON_STARTS:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _has_title(line: str) -> bool:
    start, end = line.find("<<"), line.rfind(">>")
    return start >= 0 and start + 2 < end and bool(line[start:end].lstrip("<").rstrip(">").strip())
