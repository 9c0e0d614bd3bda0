"""The 19 checks that the documentation of `IFEvalChecker` describes, with the meaning it gives them.

They are not the official ones: relations are wider, counts of paragraphs and bullets are lower bounds, capital means a
capital first letter. An absent argument asks for nothing, except that a postscript is `P.S.` and that fixed answers are
the three of the benchmark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from operator import eq, ge, gt, le, lt

from ringtrue.scoring.ifeval.arguments import Arguments
from ringtrue.scoring.ifeval.content import SEPARATOR
from ringtrue.scoring.ifeval.format import ANSWERS
from ringtrue.scoring.prose.sentences import count_sentences

_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "at least": ge,
    "at most": le,
    "exactly": eq,
    "less than": lt,
    "more than": gt,
}
_BULLET = re.compile(r"[*-]\s|•")
_BLANK_LINES = re.compile(r"\n[^\S\n]*(?=\n)")
_PLACEHOLDER = re.compile(r"\[[^\[\]\n]+\]")
_TITLE = re.compile("<<([^<>\n]+)>>")
_SEPARATOR = re.compile(rf"{re.escape(SEPARATOR)}\**")

CheckerRule = Callable[[Arguments, str], bool]


def existence(arguments: Arguments, response: str) -> bool:
    """Every keyword occurs, whatever its case."""
    text = response.lower()
    return all(keyword.lower() in text for keyword in arguments.words("keywords", []))


def forbidden_words(arguments: Arguments, response: str) -> bool:
    """No forbidden word occurs as a whole word, whatever its case."""
    text = response.lower()
    words = [word.lower() for word in arguments.words("forbidden_words", [])]
    return not any(word in text and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in words if word)


def frequency(arguments: Arguments, response: str) -> bool:
    """A keyword occurs N times, ignoring case."""
    keyword = arguments.text("keyword", "").lower()
    return _holds(arguments, "relation", response.lower().count(keyword) if keyword else 0, "frequency")


def letter_frequency(arguments: Arguments, response: str) -> bool:
    """A letter occurs N times, ignoring case."""
    letter = arguments.text("letter", "").lower()
    return _holds(arguments, "let_relation", response.lower().count(letter) if letter else 0, "let_frequency")


def number_words(arguments: Arguments, response: str) -> bool:
    """There are N words between spaces."""
    return _holds(arguments, "relation", len(response.split()), "num_words")


def number_sentences(arguments: Arguments, response: str) -> bool:
    """There are N sentences."""
    return _holds(arguments, "relation", count_sentences(response), "num_sentences")


def number_paragraphs(arguments: Arguments, response: str) -> bool:
    """There are at least N paragraphs between blank lines."""
    text = _BLANK_LINES.sub("\n", response.replace("\r\n", "\n"))
    paragraphs = [part for part in text.split("\n\n") if part.strip()]
    return len(paragraphs) >= arguments.number("num_paragraphs", 0)


def json_format(arguments: Arguments, response: str) -> bool:
    """The response is JSON."""
    try:
        # Numbers are not read: their size does not make them invalid.
        json.loads(response.strip(), parse_int=str, parse_float=str, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return False
    return True


def number_bullet_points(arguments: Arguments, response: str) -> bool:
    """There are at least N lines that start with `*`, `-` or `•`."""
    bullets = sum(_BULLET.match(line.lstrip()) is not None for line in response.split("\n"))
    return bullets >= arguments.number("num_bullets", 0)


def title(arguments: Arguments, response: str) -> bool:
    """There is a title that is not blank in double angle brackets."""
    return any(found.strip() for found in _TITLE.findall(response))


def constrained_response(arguments: Arguments, response: str) -> bool:
    """The response, without the space around it, is one of the allowed answers."""
    return response.strip() in arguments.words("constrained_response", ANSWERS)


def number_placeholders(arguments: Arguments, response: str) -> bool:
    """There are at least N placeholders in square brackets."""
    return len(_PLACEHOLDER.findall(response)) >= arguments.number("num_placeholders", 0)


def postscript(arguments: Arguments, response: str) -> bool:
    """The postscript marker occurs, whatever its case."""
    return arguments.text("postscript_marker", "P.S.").lower() in response.lower()


def no_comma(arguments: Arguments, response: str) -> bool:
    """There is no comma."""
    return "," not in response


def english_capital(arguments: Arguments, response: str) -> bool:
    """Every word that starts with a letter starts with a capital."""
    return not any(_first_letter(word).islower() for word in response.split())


def english_lowercase(arguments: Arguments, response: str) -> bool:
    """The whole response is in lower case."""
    return response == response.lower()


def end_checker(arguments: Arguments, response: str) -> bool:
    """The response ends with the phrase, but for space."""
    return response.rstrip().endswith(arguments.text("end_phrase", ""))


def repeat_prompt(arguments: Arguments, response: str) -> bool:
    """The prompt occurs word for word."""
    return arguments.text("prompt_to_repeat", "") in response


def two_responses(arguments: Arguments, response: str) -> bool:
    """`******` is between exactly two responses."""
    parts = _SEPARATOR.split(response)
    return len(parts) > 1 and sum(bool(part.strip()) for part in parts) == 2


CHECKER_RULES: dict[str, CheckerRule] = {
    "change_case:english_capital": english_capital,
    "change_case:english_lowercase": english_lowercase,
    "combination:repeat_prompt": repeat_prompt,
    "combination:two_responses": two_responses,
    "detectable_content:number_placeholders": number_placeholders,
    "detectable_content:postscript": postscript,
    "detectable_format:constrained_response": constrained_response,
    "detectable_format:json_format": json_format,
    "detectable_format:number_bullet_points": number_bullet_points,
    "detectable_format:title": title,
    "keywords:existence": existence,
    "keywords:forbidden_words": forbidden_words,
    "keywords:frequency": frequency,
    "keywords:letter_frequency": letter_frequency,
    "length_constraints:number_paragraphs": number_paragraphs,
    "length_constraints:number_sentences": number_sentences,
    "length_constraints:number_words": number_words,
    "punctuation:no_comma": no_comma,
    "startend:end_checker": end_checker,
}


def _holds(arguments: Arguments, relation_name: str, count: int, number_name: str) -> bool:
    relation = _RELATIONS.get(" ".join(arguments.text(relation_name, "at least").lower().split()))
    if relation is None:
        raise arguments.wrong(relation_name, f"one of {', '.join(map(repr, _RELATIONS))}")
    return relation(count, arguments.number(number_name, 0))


def _first_letter(word: str) -> str:
    return next((letter for letter in word if letter.isalnum()), "")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
