"""Facts of a text that can be compared exactly: quotations, dates, amounts."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ringtrue.scoring.facts.amounts import Amount, amounts, derivable, join_neighbours, same_amount
from ringtrue.scoring.facts.dates import Date, agrees, dates
from ringtrue.scoring.facts.prose_units import measures_something
from ringtrue.scoring.facts.spelled_amounts import spelled_amounts
from ringtrue.scoring.prose.normal_form import compose

_QUOTATION = re.compile(r"\"([^\"\n]{2,400})\"|“([^”\n]{2,400})”|«([^»\n]{2,400})»|„([^“”\n]{2,400})[“”]")
_MARKS = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-", "−": "-", "…": "..."}
)
_EMPHASIS = re.compile(r"(?<!\w)[*_`]{1,3}|[*_`]{1,3}(?!\w)")
_AT_THE_END = " .,;:!"
_BOUND = re.compile(
    r"\b(?:(?:more|less|fewer|greater|larger|smaller|higher|lower|longer|shorter|older|younger|better|worse) than"
    r"|at (?:least|most)|over|under|above|below|up to|exceed(?:s|ed|ing)?|within|minimum of|maximum of)\s#"
    r"|[<>≤≥]\s?#|#\s(?:or (?:more|less|fewer)|and (?:over|above|under))\b|#\+",
)


class ExactFacts(NamedTuple):
    """The quotations, dates and amounts of a text."""

    quotations: tuple[str, ...]
    dates: tuple[Date, ...]
    amounts: tuple[Amount, ...]


@lru_cache(maxsize=256)
def exact_facts(text: str) -> ExactFacts:
    """Return the exact facts of a text."""
    days = [date for date in dates(text) if not (date.bare and measures_something(text, date.end))]
    spans = [(date.start, date.end) for date in days]
    quotations = [next(filter(None, match.groups())) for match in _QUOTATION.finditer(text)]
    return ExactFacts(tuple(quotations), tuple(days), tuple(amounts(text, spans)))


def normal(text: str) -> str:
    """A text as it is compared: small letters, plain marks, single spaces, no emphasis, no mark at its end."""
    plain = _EMPHASIS.sub("", compose(text).translate(_MARKS)).casefold()
    return " ".join(plain.split()).rstrip(_AT_THE_END)


def unmet(claim: str, evidence: str, quoted_in: str | None = None) -> list[str]:
    """Return the exact facts of a claim that the evidence lacks: its dates and amounts, and quotations found nowhere.

    An amount may be converted, rounded to the claim's digits, or worked out from two of the evidence's. A small number
    may count what the evidence lists. Quotations are looked for in `quoted_in`, a `normal` text; else in the evidence.
    """
    claimed = exact_facts(claim)
    if not any(claimed):
        return []
    known = exact_facts(evidence)
    numbers = [amount.value for amount in known.amounts] + [Fraction(date.year) for date in known.dates if date.year]
    if claimed.amounts:
        more = (*join_neighbours(known.amounts, evidence), *spelled_amounts(evidence))
        known = known._replace(amounts=(*known.amounts, *more))
    quotable = normal(evidence) if quoted_in is None and claimed.quotations else quoted_in or ""
    missing = [quotation for quotation in claimed.quotations if normal(quotation) not in quotable]
    for date in claimed.dates:
        year = Amount(date.text, date.start, date.end, Fraction(date.year or 0), None, Fraction(0))
        met = date.month_alone or agrees(date, known.dates) or (date.bare and _is_met(year, known, numbers))
        missing += [] if met else [date.text]
    whole = [one for one in join_neighbours(claimed.amounts, claim) if _is_met(one, known, numbers)]
    for amount in claimed.amounts:
        inside = any(one.start <= amount.start and amount.end <= one.end for one in whole)
        if not amount.countable and not inside and not _is_met(amount, known, numbers):
            missing.append(amount.text)
    return missing


def same_words(one: str, other: str) -> bool:
    """Whether two sentences are the same but for marks, emphasis and letter case."""
    return normal(one) == normal(other)


def differing(claim: str, sentence: str) -> tuple[Amount, Amount] | None:
    """The one amount in which a claim differs from a sentence that is otherwise the same, word for word; else None.

    Amounts of different kinds (metres and kilograms, a share and a number) are not compared, nor bounds (more than 12
    are more than 10), nor a whole number with a fraction that rounds to it.
    """
    ours, theirs = exact_facts(claim), exact_facts(sentence)
    shared = _skeleton(claim, ours)
    if len(ours.amounts) != len(theirs.amounts) or shared != _skeleton(sentence, theirs) or _BOUND.search(shared):
        return None
    apart = [pair for pair in zip(ours.amounts, theirs.amounts, strict=True) if not same_amount(*pair)]
    if len(apart) != 1:
        return None
    one, other = apart[0]
    whole = Fraction(1, 100) if one.percent else Fraction(1)
    if one.step == 0 and (other.value / whole).denominator != 1 and same_amount(one._replace(step=whole), other):
        return None
    kinds = [(amount.percent, amount.unit.powers if amount.unit else None) for amount in (one, other)]
    return (one, other) if kinds[0] == kinds[1] else None


def _skeleton(text: str, known: ExactFacts) -> str:
    """A text with its amounts left out."""
    kept, at = [], 0
    for amount in known.amounts:
        kept.append(text[at : amount.start])
        at = max(at, amount.end)
    return normal("#".join([*kept, text[at:]]))


def _is_met(amount: Amount, known: ExactFacts, numbers: list[Fraction]) -> bool:
    if any(same_amount(amount, other) for other in known.amounts):
        return True
    bare = amount.unit is None and not amount.percent
    return (bare and amount.value in numbers) or derivable(amount, numbers)
