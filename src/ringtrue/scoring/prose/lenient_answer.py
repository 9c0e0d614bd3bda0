"""Whether a reply's final answer is the expected one, however it is dressed, as replies without examples are."""

from __future__ import annotations

import re

from ringtrue.scoring.choice import read_choice

_ANNOUNCED = re.compile(r"(?:answer|output|result)\W{0,6}(?:is|are|would be|[:=])[\s*:]*", re.I)
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_TEXT = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")
_OPTION = re.compile(r"\(([A-Z])\)")
_BRACKETS = re.compile(r"[\s()\[\]{}<>]+")
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OPPOSITES = {"yes": "no", "no": "yes", "true": "false", "false": "true", "valid": "invalid", "invalid": "valid"}
_WORDED = (
    (re.compile(r"\bnot plausible\b|\bimplausible\b"), "no"),
    (re.compile(r"\bplausible\b"), "yes"),
    (re.compile(r"\bnot valid\b"), "invalid"),
    (re.compile(r"\bnot true\b"), "false"),
)
"""Other words for an answer of one word."""


def is_lenient_answer(reply: str, answer: str) -> bool:
    """Whether what a reply finally says is this answer, whatever its letter case, quotation marks, commas and stops.

    The final answer is what the last box holds, else what follows the last "answer is" or "answer:", else the last
    line, or the whole reply for an answer of several words.
    """
    wanted = answer.strip()
    if _OPTION.fullmatch(wanted):
        return _chooses(reply, wanted[1])
    said = _final(reply)
    if _BRACKETS.fullmatch(wanted):
        return _brackets(said) == _brackets(wanted)
    if _NUMBER.fullmatch(wanted):
        return _says_number(said, wanted)
    if wanted.lower() in _OPPOSITES:
        return _says_word(said, wanted.lower())
    return any(_plain(text) == _plain(wanted) for text in (said, _sentence(said), reply))


def _final(reply: str) -> str:
    boxes = _BOX.findall(reply)
    if boxes:
        return _TEXT.sub(r"\1", boxes[-1]).strip()
    announcements = list(_ANNOUNCED.finditer(reply))
    if announcements and reply[announcements[-1].end() :].strip():
        return reply[announcements[-1].end() :].strip()
    lines = [line for line in reply.strip().splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""


def _chooses(reply: str, letter: str) -> bool:
    said = _final(reply)
    option = _OPTION.match(said.strip("*\"'` "))
    if option:
        rest = said[said.index(option[0]) + 3 :].lstrip(" ,/&*")
        joined = rest.removeprefix("and ").removeprefix("or ").lstrip()
        return option[1] == letter and not _OPTION.match(joined)
    if said.strip("*\"'`.,() ") in _LETTERS and said.strip("*\"'`.,() "):
        return said.strip("*\"'`.,() ") == letter
    return read_choice(reply, None, labels=_LETTERS)[0] == letter


def _says_number(said: str, wanted: str) -> bool:
    numbers = [float(number.replace(",", "")) for number in _NUMBER.findall(_sentence(said))]
    if not numbers:
        return False
    # "3 + 4 = 7" ends with its result; "24 of the 30" begins with it.
    final = numbers[-1] if "=" in _sentence(said) else numbers[0]
    return final == float(wanted.replace(",", ""))


def _says_word(said: str, wanted: str) -> bool:
    words = _plain(_sentence(said))
    first = _WORD.match(words)
    if first and first[0] in _OPPOSITES:
        return first[0] == wanted
    for pattern, word in _WORDED:
        words = pattern.sub(word, words)
    held = set(_WORD.findall(words))
    return wanted in held and _OPPOSITES[wanted] not in held


def _sentence(said: str) -> str:
    """Return the text before the first line break, or stop with a blank after it."""
    return re.split(r"\n|(?<=\w)[.!;](?=\s)", said.strip(), maxsplit=1)[0]


def _brackets(text: str) -> str:
    return "".join(character for character in text if character in "()[]{}<>")


def _plain(text: str) -> str:
    bare = re.sub(r"[\"'`*\\,“”‘’]", " ", text.lower())
    return " ".join(bare.split()).rstrip(".!").strip()
