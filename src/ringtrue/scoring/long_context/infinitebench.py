"""InfiniteBench's twelve tasks, each read and scored as its authors do (OpenBMB/InfiniteBench, compute_scores.py)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ringtrue.scoring.long_context.character_f1 import character_f1
from ringtrue.scoring.overlap.rouge import rouge
from ringtrue.scoring.overlap.squad import f1_score

_DIGITS = re.compile(r"[0-9]+")
_NUMBER = re.compile(r"\d+\.\d+|\d+")
_QUOTED = "\n:\"'.,?!{}"
_CHOICE_LEADS = ("answer is:", "answer:", "answer is", "option is")
_DEBUG_LEADS = ("answer is:", "is:", "answer:")

Rule = Callable[[str, Sequence[str]], float]
"""A reply and the gold answers -> a score in [0, 1]."""


def first_integer(reply: str, gold: Sequence[str]) -> float:
    """1 if the first run of digits in the reply is the gold number, digit by digit."""
    found = _DIGITS.search(reply)
    return float(found is not None and found[0] in gold)


def quoted_word(reply: str, gold: Sequence[str]) -> float:
    """1 if the gold value is a word of the reply, quotation marks and stops aside."""
    return float(not set(_words(reply, _QUOTED)).isdisjoint(gold))


def speaker_word(reply: str, gold: Sequence[str]) -> float:
    """1 if the first gold name is a word of the reply in capitals; a name of several words never is one."""
    return float(gold[0] in [word.upper() for word in _words(reply, _QUOTED)])


def last_integer(reply: str, gold: Sequence[str]) -> float:
    """1 if the last word of the reply is the gold integer."""
    words = _words(reply, "\n.`'\":")
    return float(bool(words) and _integer(words[-1]) is not None and _integer(words[-1]) == _integer(gold[0]))


def first_number(reply: str, gold: Sequence[str]) -> float:
    """1 if the first number of the reply, without its sign, equals the gold one; a fraction never equals an integer."""
    found = _NUMBER.search(reply)
    if found is None:
        return 0.0
    whole = _integer(gold[0])
    if whole is None:
        return float(float(found[0]) == float(gold[0]))
    return float(_integer(found[0]) == whole)


def matching_prefix(reply: str, gold: Sequence[str], *, repeats_first: bool = False) -> float:
    """The share of the gold list that the reply's numbers, signs aside, match from the start without a break.

    `repeats_first` leaves out the reply's first number: a model that is shown the authors' prompt repeats the first
    operand, which the gold list does not hold.
    """
    wanted = [_integer(item) for item in re.findall(r"-?[0-9]+", gold[0])]
    said = [_integer(item) for item in _DIGITS.findall(reply)][1 if repeats_first else 0 :]
    right = 0
    for mine, theirs in zip(said, wanted, strict=False):
        if mine is None or mine != theirs:
            break
        right += 1
    return right / len(wanted) if wanted else 0.0


def book_choice(reply: str, gold: Sequence[str]) -> float:
    """1 if the option read from the reply is a gold one, by letter or by text.

    The first character is the choice if it is A to D; else the whole reply if it is an option; else what follows an
    announcement; else the first word of capitals A to D.
    """
    said = reply.strip()
    if said[:1] and said[0] in "ABCD":
        return float(said[0] in gold)
    if said in gold:
        return 1.0
    text = re.sub(" +", " ", _spaced_text(said, "\n\"'.,?!{}"))
    announced = _announced_text(text, _CHOICE_LEADS)
    if announced is not None:
        return float(announced != "" and announced.startswith(tuple(gold)))
    word = next((word for word in text.split() if word in "ABCD"), "")
    return float(word in gold)


def changed_function(reply: str, gold: Sequence[str]) -> float:
    """1 if the reply opens with the gold letter and a stop or colon, or announces the gold letter or function."""
    name, letter = gold[0], gold[-1]
    text = reply.strip()
    if text[:2] in (f"{letter}.", f"{letter}:"):
        return 1.0
    for mark in ("\n", "`", "'", '"', "-", "*", "Option", "option"):
        text = text.replace(mark, " ")
    announced = _announced_text(re.sub(" +", " ", text), _DEBUG_LEADS)
    return float(bool(announced) and str(announced).startswith((letter, name)))


def summary_overlap(reply: str, gold: Sequence[str]) -> float:
    """ROUGE-Lsum F1 without stemmer, the best over the references."""
    return max(rouge(reply, reference, ("rougeLsum",))["rougeLsum"].f1 for reference in gold)


def book_answer(reply: str, gold: Sequence[str]) -> float:
    """SQuAD's token F1, the best over the references."""
    return max(f1_score(reply, reference) for reference in gold)


def chinese_answer(reply: str, gold: Sequence[str]) -> float:
    """F1 over characters, the best over the references."""
    return max(character_f1(reply, reference) for reference in gold)


RULES: Mapping[str, Rule] = {
    "passkey": first_integer,
    "number_string": first_integer,
    "kv_retrieval": quoted_word,
    "longdialogue_qa_eng": speaker_word,
    "longbook_sum_eng": summary_overlap,
    "longbook_choice_eng": book_choice,
    "longbook_qa_eng": book_answer,
    "longbook_qa_chn": chinese_answer,
    "math_find": first_number,
    "math_calc": matching_prefix,
    "code_run": last_integer,
    "code_debug": changed_function,
}
"""Task -> how a reply to it is scored. The gold of the two choice tasks is the option's text, then its letter."""


def _spaced_text(text: str, marks: str) -> str:
    return text.translate(dict.fromkeys(map(ord, marks), " "))


def _words(text: str, marks: str) -> list[str]:
    return _spaced_text(text, marks).split()


def _announced_text(text: str, leads: Sequence[str]) -> str | None:
    """Return the text one character after the first announcement; empty at the end, None without one."""
    for lead in leads:
        at = text.find(lead)
        if at >= 0:
            return text[at + len(lead) + 1 :]
    return None


def _integer(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
