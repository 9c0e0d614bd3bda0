"""ROUGE-N, ROUGE-L and ROUGE-Lsum (Lin, 2004) as rouge-score 0.1.2 computes them."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from ringtrue.errors import ConfigurationError
from ringtrue.scoring.overlap.ngrams import shared_tokens
from ringtrue.scoring.overlap.porter import stem as porter_stem
from ringtrue.scoring.overlap.script_words import words_of_any_script
from ringtrue.scoring.overlap.union_lcs import union_lcs

KINDS = (*(f"rouge{n}" for n in range(1, 10)), "rougeL", "rougeLsum")

_LETTERS_AND_DIGITS = (string.ascii_letters + string.digits).encode()
_LOWERED = bytes(code if code in _LETTERS_AND_DIGITS else ord(" ") for code in range(256)).lower()


class PRF(NamedTuple):
    """Precision, recall and their harmonic mean, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


_NOTHING = PRF(0.0, 0.0, 0.0)


def rouge(
    prediction: str,
    reference: str,
    kinds: Sequence[str] = ("rouge1", "rouge2", "rougeL", "rougeLsum"),
    stem: bool = False,
    unicode: bool = False,
) -> dict[str, PRF]:
    """Precision, recall and F1 of each kind, of the tokens a-z and 0-9 of both texts in lower case.

    rouge1 to rouge9 share n-grams, rougeL a longest common subsequence; rougeLsum takes the union of those between
    lines. `stem` applies the Porter stemmer to words of more than three letters. Text in other scripts has no tokens,
    unless `unicode` takes the words of every script, and the characters of scripts that put no spaces between words.
    """
    return rouge_multi(prediction, (reference,), kinds, stem, unicode)


def rouge_multi(
    prediction: str,
    references: Sequence[str],
    kinds: Sequence[str] = ("rouge1", "rouge2", "rougeL", "rougeLsum"),
    stem: bool = False,
    unicode: bool = False,
) -> dict[str, PRF]:
    """For each kind, the numbers against the reference with the best F1, the first of equals."""
    _check(references, kinds)
    by_line = "rougeLsum" in kinds
    text = _read(prediction, stem, by_line, unicode)
    golds = [_read(reference, stem, by_line, unicode) for reference in references]
    return {kind: max([_score(kind, text, gold) for gold in golds], key=_f1) for kind in kinds}


def rouge_l(prediction: str, references: Sequence[str], stem: bool = False, unicode: bool = False) -> PRF:
    """rougeL alone against the reference with the best F1, the first of equals, in less time than `rouge_multi`."""
    _check(references, ())
    tokens = _tokens(prediction, stem, unicode)
    return max([_of_subsequence(tokens, _tokens(reference, stem, unicode)) for reference in references], key=_f1)


def loses_letters(texts: Sequence[str]) -> bool:
    """True if the tokens a-z and 0-9 lose more than half of the letters of any of these texts."""
    return any(_loses_letters(text) for text in texts)


def _loses_letters(text: str) -> bool:
    if text.isascii():
        return False
    lowered = text.lower()
    kept = sum(map(lowered.count, string.ascii_lowercase))
    return 2 * kept < sum(map(str.isalpha, lowered))


def unscorable(references: Sequence[str], unicode: bool = False) -> str:
    """Return why no text can score against these references, or an empty string."""
    if any(_tokens(reference, False, unicode) for reference in references):
        return ""
    return f"the reference has no letter{'' if unicode else ' a-z'} and no digit"


def _check(references: Sequence[str], kinds: Sequence[str]) -> None:
    if isinstance(references, str) or not references:
        raise ConfigurationError(
            f"references must be a list with at least one text; got {references!r}",
            parameter="references",
            value=references,
        )
    unknown = [kinds] if isinstance(kinds, str) else [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise ConfigurationError(
            f"kinds must be a list of names from {', '.join(KINDS)}; got {unknown[0]!r}",
            parameter="kinds",
            value=unknown[0],
        )


class _Text(NamedTuple):
    tokens: list[bytes]
    lines: list[list[bytes]]


def _read(text: str, stem: bool, by_line: bool, unicode: bool) -> _Text:
    lines = [_tokens(line, stem, unicode) for line in (text.split("\n") if by_line else (text,))]
    return _Text(lines[0] if len(lines) == 1 else list(chain.from_iterable(lines)), lines)


def _tokens(text: str, stem: bool, unicode: bool = False) -> list[bytes]:
    if not text.isascii():
        # Lowering can turn other letters into ASCII ones: the Kelvin sign into k.
        text = text.lower()
    if unicode:
        tokens = [word.encode("utf-8", "surrogatepass") for word in words_of_any_script(text)]
    else:
        tokens = text.encode("ascii", "replace").translate(_LOWERED).split()
    if not stem:
        return tokens
    return [porter_stem(one.decode()).encode() if len(one) > 3 and one.isascii() else one for one in tokens]


def _score(kind: str, text: _Text, gold: _Text) -> PRF:
    if kind == "rougeL" or (kind == "rougeLsum" and len(text.lines) == len(gold.lines) == 1):
        return _of_subsequence(text.tokens, gold.tokens)
    if kind == "rougeLsum":
        return _of_union(text, gold)
    order = int(kind[-1])
    shared = shared_tokens(text.tokens, [gold.tokens], order)[-1]
    return _prf(shared, len(text.tokens) - order + 1, len(gold.tokens) - order + 1)


def _of_subsequence(tokens: list[bytes], gold: list[bytes]) -> PRF:
    # rapidfuzz compares 64-bit hashes: two different words of one pair of texts are equal to it once in 2^64.
    return _prf(LCSseq.similarity(tokens, gold), len(tokens), len(gold))


def _of_union(text: _Text, gold: _Text) -> PRF:
    available = Counter(text.tokens)
    # A token of the candidate answers for one token of the reference only.
    hits = sum(min(count, available[token]) for token, count in union_lcs(gold.lines, text.lines).items())
    return _prf(hits, len(text.tokens), len(gold.tokens))


def _prf(shared: int, predicted: int, expected: int) -> PRF:
    if not shared:
        return _NOTHING
    precision, recall = shared / predicted, shared / expected
    return PRF(precision, recall, 2 * precision * recall / (precision + recall))


def _f1(numbers: PRF) -> float:
    return numbers.f1
