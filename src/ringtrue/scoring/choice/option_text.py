"""The option of a reply that gives the option's words, or its place in the list, instead of its letter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from ringtrue.scoring.choice.words import NOT
from ringtrue.scoring.prose.reply import plain

_LATEX = re.compile(r"\\(?:text|mathrm|mathbf|textbf|mathit|left|right|displaystyle|[,;:! ])|[$\\{}]")
_EDGE_PUNCTUATION = " .,;:!?\"'()[]*_-"
_SIGNED = re.compile(r"[\s$\"'()\[\]*_.:,]*-(?=[\d\\.$(]|[a-z](?![a-z]))")
_ANNOUNCED = re.compile(
    r"\b(?:answer|option|choice|solution|respuesta|antwort|réponse|risposta|resposta|ответ)"
    r"(?: (?:to|for|of|here|in)\b[^.:\n]{0,60}?)?['\"]{0,2}"
    r"(?: (?:should|would|must|will|has to|have to) be| is| was| es| est| ist| è| é|\s?[:=—–-])[ \t\n:\"'($]*"
)
_AFFIRMED = re.compile(
    r"['\"$)*.]{0,3} (?:is|must be|would be|has to be|should be) (?:definitely |clearly |indeed |therefore )?(?:the )?"
    r"(?:(?:correct|right|best|final)(?: (?:answer|option|choice|one))?|answer)(?=\W*$|[.,;!\n]| because| since| as\b)"
)
_SENTENCE_END = re.compile(r"[.!?;\n]\s|\n|, (?:so|but|and|thus|hence) ")
_FAULTED = re.compile(r"\b(?:is|are|was) (?:\w+ )?(?:wrong|incorrect|false)\b")
_NONE = re.compile(r"none (?:of )?(?:the (?:above|options?|choices?|answers?|given|listed|others?)|these|those|them)")
_ALL = re.compile(r"all (?:of )?(?:the above|these|those|them)")
_SAID_SO = r"(?:^|[.\n:] ?|answer is |it is |it's |\bso |thus,? |hence,? |therefore,? )"
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SET_ASIDE = re.compile(
    r",? \(?(?:and |but )?(?:not|rather than|instead of|unlike|as opposed to) (?:[^,.;()\n]|[,.](?=\d)){1,200}\)?[.!]?$"
    r"|, not (?:[^,.;\n]|[,.](?=\d)){1,200}|\((?:and )?not [^()\n]{1,200}\)"
)
_PLACE = re.compile(
    r"\b(?:option|choice|answer|alternative|number)(?: is)?(?: (?:option|choice|number))?[ #:(]{1,3}(\d{1,2})\b"
    r"(?![.,:]\d|\s?[%°])"
    rf"|\b(?:option|choice|answer|alternative)(?: number)? ({'|'.join(_CARDINALS)})\b"
    rf"|\bthe ({'|'.join(_ORDINALS)}|last) (?:option|choice|answer|alternative|one)\b"
)
_GLOSS = re.compile(r"(?<=\w) ?\((?!not\b|or\b|and\b)[^()\n]{1,80}\)\.?\s{0,9}$")
_CONCLUSION = re.compile(r"(?:(?:^|[,.;\n] ?)(?:so|thus|hence|therefore),?|;) (?!that\b)([^.;\n]{1,200})\W{0,3}$")
_POLES = {"yes", "no", "true", "false"}
_FIRST_WORD = re.compile(r"\W{0,9}([a-z]+)(?=[.,;:!\n]|\s?[—–-]|$)")
_JOINS = (" or", " and", " nor", ",")
SHORT = 400
"""A reply of at most this many characters may name its option anywhere."""


def normalise(text: str) -> str:
    """An option's words in lower case, without LaTeX dress, outer punctuation and runs of spaces; a minus stays."""
    lowered = plain(text).lower()
    words = " ".join(_LATEX.sub(" ", lowered).split()).strip(_EDGE_PUNCTUATION)
    return f"-{words}" if _SIGNED.match(lowered) else words


@lru_cache(maxsize=256)
def _letters_by_text(items: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Normalised text -> letter; texts that two options share name neither."""
    found: dict[str, str] = {}
    for letter, text in items:
        key = normalise(text[:2_000])
        if key:
            found[key] = "" if key in found else letter
    return found


def table(choices: Mapping[str, str]) -> dict[str, str]:
    """The options' normalised texts, each with its letter."""
    return _letters_by_text(tuple(choices.items()))


def starting(fragment: str, options: Mapping[str, str]) -> str:
    """The letter of the longest option text that the normalised fragment starts with, or nothing."""
    best = ""
    for key in options:
        if len(key) > len(best) and fragment.startswith(key) and not fragment[len(key) : len(key) + 1].isalnum():
            following = fragment[len(key) : len(key) + 2]
            if not (key[-1].isdigit() and len(following) == 2 and following[0] in ".,/^" and following[1].isdigit()):
                best = key
    return options.get(best, "")


def stated_option(text: str, choices: Mapping[str, str]) -> tuple[str, str] | None:
    """The option whose words are the reply, its first or last line, or what it announces as the answer."""
    options = table(choices)
    whole = options.get(normalise(_GLOSS.sub("", text)), "") if len(text) <= 4_000 else ""
    if whole:
        return whole, "option text"
    lines = {letter for line in _outer_lines(text) if (letter := options.get(normalise(line), ""))}
    if len(lines) == 1:
        return lines.pop(), "option text"
    lowered = text[-4_000:].lower()
    if letter := _announced_option(lowered, options):
        return letter, "announced option text"
    letter = _affirmed_option(lowered, options)
    return (letter, "affirmed option text") if letter else None


def implied_option(text: str, choices: Mapping[str, str]) -> tuple[str, str] | None:
    """The option a reply means by "none of these", by its place in the list, or by holding no other option's words."""
    lowered = text[-4_000:].lower()
    options = table(choices)
    if letter := _polar(lowered, options):
        return letter, "option text heads the reply"
    if letter := _special(lowered, options):
        return letter, "none or all of the above"
    if letter := _option_by_place(lowered, choices):
        return letter, "place in the list"
    if len(text) <= SHORT and (letter := _only_one(lowered, options)):
        return letter, "only option text"
    return None


def _outer_lines(text: str) -> list[str]:
    lines = [line for line in text[-4_000:].split("\n") if line.strip()]
    return lines[:1] + lines[-1:] if len(text) <= 4_000 else lines[-1:]


def _announced_option(lowered: str, options: Mapping[str, str]) -> str:
    """The option whose text follows the last announcement that one follows."""
    letter = ""
    for found in _ANNOUNCED.finditer(lowered):
        fragment = lowered[found.end() : found.end() + 2_100]
        said = normalise(fragment)
        for article in ("", "the ", "a ", "an ", "that ", "definitely ", "clearly ", "probably ", "most likely "):
            if said.startswith(article) and (meant := starting(said[len(article) :].lstrip(" \"'($["), options)):
                letter = meant
                break
    return letter


def _affirmed_option(lowered: str, options: Mapping[str, str]) -> str:
    """The option that the last verdict of the text speaks for: "256 is the correct answer"."""
    letter = ""
    for found in _AFFIRMED.finditer(lowered):
        said = normalise(_SENTENCE_END.split(lowered[max(0, found.start() - 300) : found.start()])[-1])
        ended = [key for key in options if said == key or said.endswith(f" {key}")]
        if ended and not _has_denial(said):
            letter = options[max(ended, key=len)]
    return letter


def _has_denial(said: str) -> bool:
    words = said.split()
    return bool(NOT.intersection(words)) or any(word.endswith("n't") for word in words) or "neither" in words


def _polar(lowered: str, options: Mapping[str, str]) -> str:
    """ "No, that is wrong." where yes and no, or true and false, are options and no other option begins so."""
    found = _FIRST_WORD.match(lowered) if len(options.keys() & _POLES) > 1 else None
    if found is None or any(key.startswith((f"{found[1]} ", f"{found[1]},")) for key in options):
        return ""
    return options.get(found[1], "")


def _special(lowered: str, options: Mapping[str, str]) -> str:
    """ "None of the options", where one option says so in other words."""
    tail = lowered[-300:]
    for pattern in (_NONE, _ALL):
        meaning = [letter for key, letter in options.items() if pattern.match(key)]
        said = re.search(rf"{_SAID_SO}(?:{pattern.pattern})\b(?! (?:is|are) (?:wrong|incorrect|false))", tail)
        if len(meaning) == 1 and said and (pattern is _NONE or not re.search(r"wrong|incorrect|false|\bnot\b", tail)):
            return meaning[0]
    return ""


def _option_by_place(lowered: str, choices: Mapping[str, str]) -> str:
    """ "Option 2" or "the second option"; never where the options' own texts are numbers."""
    letters = list(choices)
    places = set()
    for found in _PLACE.finditer(lowered[-600:]):
        words = lowered[-600:][max(0, found.start() - 25) : found.start()].split()
        if NOT.intersection(words[-4:]):
            continue
        if found[1]:
            if any(text.strip()[:1].isdigit() for text in choices.values()):
                return ""
            places.add(int(found[1]))
        elif found[2]:
            places.add(_CARDINALS.index(found[2]) + 1)
        else:
            places.add(len(letters) if found[3] == "last" else _ORDINALS.index(found[3]) + 1)
    if len(places) == 1 and 1 <= (place := places.pop()) <= len(letters):
        return letters[place - 1]
    return ""


def _only_one(lowered: str, options: Mapping[str, str]) -> str:
    """The one option whose words a short reply contains, if it contains no other's and negates nothing."""
    said = f" {normalise(_SET_ASIDE.sub('', lowered))} "
    longest = _options_held(said, options)
    if len(longest) == 1 and (concluded := _CONCLUSION.search(lowered)):
        said = f" {normalise(concluded[1])} "
        longest = _options_held(said, options)
    without = said.replace(f" {longest[0]} ", " ") if len(longest) == 1 else said
    if _has_denial(without) or _FAULTED.search(said):
        return ""
    if len(longest) == 1:
        return options[longest[0]]
    closing = [key for key in options if _closes(said, key)] if not longest and len(said) <= 80 else []
    if len(closing) != 1 or _listed_before(said.removesuffix(f"{closing[0]} ").rstrip(), options):
        return ""
    return options[closing[0]]


def _options_held(said: str, options: Mapping[str, str]) -> list[str]:
    held = [key for key in options if is_wordy(key) and _contains(said, key)]
    return [key for key in held if not any(key != other and key in other for other in held)]


def _closes(said: str, key: str) -> bool:
    return said.endswith(f"{key} ") and said[-len(key) - 2] in " ([\"'"


def _listed_before(said: str, options: Mapping[str, str]) -> bool:
    """Whether a text breaks off in another option and a word that continues the list: "12 or"."""
    listed = next((said.removesuffix(join) for join in _JOINS if said.endswith(join)), "")
    return any(listed.endswith(f" {key}") for key in options)


def is_wordy(key: str) -> bool:
    """Numbers and formulas turn up in every calculation; only words name an option by themselves."""
    return re.search(r"[^\W\d_]{3}", key) is not None


def _contains(said: str, key: str) -> bool:
    at = said.find(key)
    while at >= 0:
        before, after = said[at - 1], said[at + len(key) : at + len(key) + 2]
        if after[:1] == "s" and len(key) > 3 and key[-1].isalpha():
            after = after[1:]
        joined = after[:1].isalnum() or (key[-1].isdigit() and after[:1] in ".,/" and after[1:].isdigit())
        if not before.isalnum() and not joined and not (key[0].isdigit() and before in ".,/-"):
            return True
        at = said.find(key, at + 1)
    return False
