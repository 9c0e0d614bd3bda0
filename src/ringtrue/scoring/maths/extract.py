"""The place where a response commits to its answer: a box, `####`, "the answer is", or its last statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import NamedTuple

from ringtrue.scoring.maths.latex import closing_brace
from ringtrue.scoring.maths.limits import MAX_BARE, MAX_CLAUSE, MAX_READINGS, MAX_TAIL
from ringtrue.scoring.maths.prose import NUMBER, Span, first_sentence, is_prose, sentences, spans


class AnswerReading(NamedTuple):
    """A passage that may be the answer, the choice letter in front of it, and whether it calls itself approximate."""

    text: str
    label: str = ""
    loose: bool = False


_STEMS = (
    "nswer", "NSWER", "inal result", "inal value", "inal solution", "inal total", "espuesta", "éponse", "ntwort",
    "твет", "esposta", "isposta", "ibu ni", "ibu:", "答案", "答え", "คำตอบ", "సమాధానం", "উত্তর",
)  # fmt: skip
"""Parts of the words that announce an answer, without the letter that may be a capital."""
_ANNOUNCED = re.compile(
    r"\w{0,30}?[\"'*_`\s]{0,6}"
    r"(?:(?:to|of|for)\b[^.\n:]{0,120}?|final[e]?\s)?"
    r"(?:\b(?:is|are|was|be|becomes|equals|es|est|ist|é|è|ni)\b|[:：=\n]|是|为|為|は|คือ)",
    re.IGNORECASE,
)
_MOST_MARKS = 30
_HEADING = 25
"""Characters of a line in front of `answer` that let it be a heading over the answer."""
_FILLER = re.compile(
    r"(?:[\s:*_`\"'=，：]|(?:is|are|be|equal to|given by|simply|exactly|just|therefore|thus|so|that|option|choice)\b)+",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:about|approximately|approx\.?|roughly|around|nearly|almost|circa|ca\.|~|≈|\\approx|\\sim)\s*$", re.IGNORECASE
)
_ABOUT_FIRST = re.compile(
    r"[\s$]*(?:(?:about|approximately|approx\.?|roughly|around|nearly|almost|circa)\b|~|≈|\\approx\b|\\sim\b)[\s:]*",
    re.IGNORECASE,
)
_NEAR = re.compile(r"≈|\\approx\b|\\simeq\b")
_LABEL = re.compile(
    r"\s*(?:\\(?:text|textbf|mathrm|textrm|mathbf)\s*\{\s*)?\(?([A-J])(?:\)|\.(?=\s)|:)(?=[\s}~\\$\d])[\s}~\\]*(?=\S)(?![,;)\]}])"
)
_CALLED = re.compile(r"\A(?:option|choice)\s(?=\(?[A-J]\)?\.?\Z)", re.IGNORECASE)
_JOINT = re.compile(r"\s*(?:,|;|and|or|,\s*and|,\s*or)\s*$")
_REASON = re.compile(r",\s(?![-\d(\\$])|;|\s\(|\s(?:because|since|as|which|so|where|when|for|if)\s", re.IGNORECASE)
_SUBSTANCE = re.compile(r"\d|\$\S|\\[(\[]|\\(?!boxed|fbox)[A-Za-z]|=|\b[A-Za-z] ?[-+*/^] ?[A-Za-z]\b")
_VALUED = re.compile(r"\d|\$\S|\\[(\[]")
_NOTE = re.compile(r"<<[^<>\n]{0,200}>>")
_BOLD = re.compile(r"\*\*([^*\n]{1,200})\*\*")
_SET_ASIDE = re.compile(r"(?:\b(?:not|never|rather than|instead of|unlike)|n't)\s[\s$*]{0,4}$")
_ASIDE = re.compile(r"(?<=[^\s),;])\s\((?=[^()\n\\]{0,199}(?:[A-Za-z]{2}|%))[^()\n\\]{1,200}\)\s*$")
_WHEN = re.compile(
    r"(?:,?\s(?:(?:which|that|and)\s)?(?:is\s)?(?:attained|achieved|reached|occurs|occurring|obtained)\s(?:when|at|for|if|by)"
    r"|,?\s(?:when|whenever|if)|,\s(?:at|for|where))\s[$\\(]{0,3}[A-Za-z]\w?(?:,\s?[A-Za-z])?\s?(?:=|<|>|\\[gln]e)[^.]*$"
    r"|\sout of (?:the |a total of )?\d[\d,]*(?:\s[a-z]+)?$|\safter (?:an? |the )[^.,]{0,40}$",
    re.IGNORECASE,
)
"""The circumstances of what a sentence states before them."""
_PLURAL = re.compile(r"\b(?:solutions|roots|zeros|zeroes|values|numbers|answers)\b.{0,120}\bare\b[\s:]*", re.IGNORECASE)
_EQUATED = re.compile(r"\b(?:is|are|becomes)\b([^,=]*=[^,=]*)$", re.IGNORECASE)
_STATES = re.compile(r":|\b(?:is|are|equals|be|was|were|have|has|had|gives|get|gets)\b", re.IGNORECASE)


def readings(text: str) -> Iterator[AnswerReading]:
    """The passages of a text that is not blank that may be its answer, the likeliest first; there is at least one."""
    return islice(_readings(text), MAX_READINGS)


def _readings(text: str) -> Iterator[AnswerReading]:
    thought = text.rfind("</think>")
    if thought >= 0 and text[thought + 8 :].strip():
        text = text[thought + 8 :]
    text = text.strip()
    committed = last_box(text) or _after_hashes(text)
    if committed:
        yield from _readings_of_commitment(committed)
        return
    yield from _readings_without_mark(text)


def _readings_of_commitment(content: str) -> Iterator[AnswerReading]:
    yield reading(content)
    if is_prose(content):
        yield from _readings_without_mark(content)


def _readings_without_mark(text: str) -> Iterator[AnswerReading]:
    if "<<" in text:
        text = _NOTE.sub("", text)
    marked = _after_marker(text)
    if marked:
        yield from _clause(marked)
    short = len(text) <= MAX_BARE
    if short:
        yield reading(text)
        if not is_prose(text) and not spans(text):
            # A formula that cannot be read is not the last number in it.
            return
    yield from _last_statement(_tail(text))
    if short:
        yield from _heads(text)
    else:
        yield reading(text)


def reading(text: str, before: str = "") -> AnswerReading:
    """A passage without the words and signs that only introduce it."""
    text = _CALLED.sub("", text.strip(' \t\n\r*`"') or text, count=1)
    about = _ABOUT_FIRST.match(text)
    loose = about is not None or _NEAR.search(text) is not None or _ABOUT.search(before[-20:]) is not None
    if about and about.end() < len(text):
        text = text[about.end() :]
    label = _LABEL.match(text)
    if label:
        return AnswerReading(text[label.end() :], label[1], loose)
    return AnswerReading(text, "", loose)


def last_box(text: str) -> str:
    """The content of the last box that holds anything; one that is cut off ends with its line."""
    end = len(text)
    for _ in range(MAX_READINGS):
        start = max(text.rfind("\\boxed", 0, end), text.rfind("\\fbox", 0, end))
        if start < 0:
            return ""
        end = start
        brace = start + (6 if text.startswith("\\boxed", start) else 5)
        while brace < len(text) and text[brace] == " ":
            brace += 1
        if text[brace : brace + 1] == "{":
            close = closing_brace(text, brace)
            content = text[brace + 1 : close]
            if close == len(text):
                content = content.partition("\n")[0].partition("$")[0]
        else:
            content = re.split(r"[\s$]", text[brace : brace + 100], maxsplit=1)[0].rstrip(".")
        if content.strip():
            return content
    return ""


def _after_hashes(text: str) -> str:
    """Return the text after the last `####`, unless it is the heading of a section."""
    start = text.rfind("####")
    if start < 0:
        return ""
    line, _, rest = text[start + 4 :].partition("\n")
    line = line.strip(" #*")
    heading = rest.strip() and not re.match(r"[-+.\d$\\(\[{−€£]", line)
    return "" if heading else line


def _after_marker(text: str) -> str:
    """Return the text after the last phrase that announces the answer."""
    last_line = text.rpartition("\n")[2].lstrip(" \t*")
    if last_line.startswith(("A:", "A**:")):
        return last_line.partition(":")[2].strip()
    return max([_after_stem(text, stem) for stem in _STEMS if stem in text], default=(-1, ""))[1]


def _after_stem(text: str, stem: str) -> tuple[int, str]:
    """The place of the last announcement with this stem, and what follows it."""
    place = len(text)
    for _ in range(_MOST_MARKS):
        place = text.rfind(stem, 0, place)
        if place < 0:
            break
        announced = _ANNOUNCED.match(text, place + len(stem))
        if announced and (text[announced.end() - 1] != "\n" or place - text.rfind("\n", 0, place) < _HEADING):
            rest = text[announced.end() : announced.end() + MAX_CLAUSE].lstrip()
            if rest and not rest.startswith("not "):
                return place, rest
    return -1, ""


def _clause(tail: str) -> Iterator[AnswerReading]:
    """The readings of what follows an announcement."""
    filler = _FILLER.match(tail)
    before = tail[: filler.end()] if filler else ""
    tail = tail[len(before) :]
    about = _ABOUT_FIRST.match(tail)
    if about:
        before, tail = before + about[0], tail[about.end() :]
    found = spans(tail)
    if found and found[0].start == 0:
        yield reading(_join_spans(tail, found), before)
        return
    line = tail.partition("\n")[0]
    sentence = first_sentence(line).replace("**", "")
    yield reading(sentence, before)
    yield from (reading(span.content, before) for span in found[:1] if span.end <= len(line))
    yield from _heads(sentence)
    yield from _last_item(sentence)


def _join_spans(text: str, found: list[Span]) -> str:
    """The first span, and those that a comma, `and` or `or` joins to it."""
    parts = [found[0].content]
    for last, following in pairwise(found):
        if not _JOINT.fullmatch(text[last.end : following.start]):
            break
        parts.append(following.content)
    return ", ".join(parts)


def _heads(text: str) -> Iterator[AnswerReading]:
    """The text before its first aside."""
    aside = _REASON.search(text)
    if aside and aside.start():
        yield reading(text[: aside.start()])


def _tail(text: str) -> str:
    """The end of a text, from the start of a word on."""
    if len(text) <= MAX_TAIL:
        return text
    tail = text[-MAX_TAIL:]
    space = re.search(r"\s", tail)
    return tail[space.end() :] if space else ""


def _last_statement(tail: str) -> Iterator[AnswerReading]:
    """The last thing said with a number or a formula in it."""
    lines = [line for line in tail.splitlines() if line.strip()]
    if "\\[" in tail or "$$" in tail:
        # A displayed formula may run over several lines.
        lines = [" ".join(lines)]
    for line in reversed(lines[-10:]):
        for sentence in reversed(sentences(line)):
            if _SUBSTANCE.search(sentence):
                yield from _last_item(sentence)
                return


def _last_item(sentence: str) -> Iterator[AnswerReading]:
    """The last bold, formula, right-hand side or number of a sentence."""
    for bold in reversed(_BOLD.findall(sentence)):
        if any(sign.isdigit() for sign in bold):
            yield reading(bold)
            sentence = bold
            break
    aside = _ASIDE.search(sentence, max(0, len(sentence) - 300))
    if aside and _SUBSTANCE.search(sentence, 0, aside.start()):
        sentence = sentence[: aside.start()]
    when = _WHEN.search(sentence, max(0, len(sentence) - 300))
    if when and _VALUED.search(sentence, 0, when.start()):
        sentence = sentence[: when.start()]
    plural = _PLURAL.search(sentence[-300:])
    if plural:
        listed = sentence[-300:][plural.end() :]
        inside = spans(listed)
        yield reading(_join_spans(listed, inside) if inside and inside[0].start == 0 else listed)
    found = [span for span in spans(sentence) if not _is_set_aside(sentence, span.start)]
    numbers = [
        number
        for number in NUMBER.finditer(sentence, found[-1].end if found else 0)
        if not _is_set_aside(sentence, number.start())
    ]
    if found and not numbers:
        yield reading(found[-1].content, sentence[: found[-1].start])
        return
    if not found:
        yield from _readings_of_sentence(sentence[-300:])
    if numbers:
        last = numbers[-1]
        yield reading(last[0], sentence[: last.start()])


def _is_set_aside(sentence: str, start: int) -> bool:
    """Whether what starts here is named as something else than the answer: "18, not 17"."""
    return _SET_ASIDE.search(sentence, max(0, start - 20), start) is not None


def _readings_of_sentence(sentence: str) -> Iterator[AnswerReading]:
    """The equation behind a verb, what follows its last equals sign, and its number; or what follows the last verb."""
    left, equals, right = sentence.rpartition("=")
    if equals:
        stated = _EQUATED.search(sentence)
        if stated:
            yield reading(stated[1])
        yield reading(right, left)
        number = NUMBER.match(right.strip())
        if number:
            yield reading(number[0])
        return
    start = 0
    for verb in _STATES.finditer(sentence):
        start = verb.end()
    if start:
        yield reading(sentence[start:])
