"""Sentences, words and the like, as IFBench's checks cut them."""

from __future__ import annotations

import re
import string

PUNCTUATION = string.punctuation
_EDGES = f"{PUNCTUATION} "
_WITHOUT = str.maketrans("", "", PUNCTUATION)
_TITLES = re.compile(r"(Mr|St|Mrs|Ms|Dr)[.]")
_SITES = re.compile(r"[.](com|net|org|io|gov|edu|me)")
_DECIMALS = re.compile(r"([0-9])[.]([0-9])")
_DOTS = re.compile(r"\.{2,}")
_INITIAL = re.compile(r"\s([A-Za-z])[.] ")
_STARTER = (
    r"(Mr|Mrs|Ms|Dr|Prof|Capt|Cpt|Lt|He\s|She\s|It\s|They\s|Their\s|Our\s|We\s|But\s|However\s|That\s|This\s|Wherever)"
)
_ACRONYM = re.compile(rf"([A-Z][.][A-Z][.](?:[A-Z][.])?) {_STARTER}")
_THREE = re.compile(r"([A-Za-z])[.]([A-Za-z])[.]([A-Za-z])[.]")
_TWO = re.compile(r"([A-Za-z])[.]([A-Za-z])[.]")
_FIRM_THEN = re.compile(rf" (Inc|Ltd|Jr|Sr|Co)[.] {_STARTER}")
_FIRM = re.compile(r" (Inc|Ltd|Jr|Sr|Co)[.]")
_LETTER = re.compile(r" ([A-Za-z])[.]")
_KEPT, _END = "\ue000", "\ue001"
"""Stand for a stop that ends no sentence, and for the end of one."""


def sentences(text: str) -> list[str]:
    """The sentences: they end at . ? and !, but not in titles, numbers, addresses, initials and acronyms."""
    marked = f" {text}  ".replace("\n", " ")
    marked = _TITLES.sub(rf"\1{_KEPT}", marked)
    marked = _SITES.sub(rf"{_KEPT}\1", marked)
    marked = _DECIMALS.sub(rf"\1{_KEPT}\2", marked)
    marked = _DOTS.sub(lambda dots: _KEPT * len(dots[0]) + _END, marked)
    marked = marked.replace("Ph.D.", f"Ph{_KEPT}D{_KEPT}")
    marked = _INITIAL.sub(rf" \1{_KEPT} ", marked)
    marked = _ACRONYM.sub(rf"\1{_END} \2", marked)
    marked = _THREE.sub(rf"\1{_KEPT}\2{_KEPT}\3{_KEPT}", marked)
    marked = _TWO.sub(rf"\1{_KEPT}\2{_KEPT}", marked)
    marked = _FIRM_THEN.sub(rf" \1{_END} \2", marked)
    marked = _FIRM.sub(rf" \1{_KEPT}", marked)
    marked = _LETTER.sub(rf" \1{_KEPT}", marked)
    for inside, outside in ((".”", "”."), ('."', '".'), ('!"', '"!'), ('?"', '"?')):
        marked = marked.replace(inside, outside)
    for mark in ".?!":
        marked = marked.replace(mark, mark + _END)
    found = [part.strip() for part in marked.replace(_KEPT, ".").split(_END)]
    return found[:-1] if found and not found[-1] else found


def word_runs(text: str) -> list[str]:
    """Runs of letters, digits and underscores."""
    return re.findall(r"\w+", text)


def bare(text: str) -> str:
    """A text without ASCII punctuation."""
    return text.translate(_WITHOUT)


def bare_words(text: str) -> list[str]:
    """The words of a text without ASCII punctuation, in lower case."""
    return bare(text.lower()).split()


def strip_edges(text: str) -> str:
    """A text without punctuation and blanks at its ends."""
    return text.strip(_EDGES)


def without_start(text: str) -> str:
    """A text without punctuation and blanks at its start."""
    return text.lstrip(_EDGES)


def without_end(text: str) -> str:
    """A text without punctuation and blanks at its end."""
    return text.rstrip(_EDGES)
