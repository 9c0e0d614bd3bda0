"""Payment data: cards and accounts."""

from __future__ import annotations

import re

from ringtrue.scoring.personal_data import check_digits
from ringtrue.scoring.personal_data.shape import Cue, Shape, alone, bare, behind, digits, whole_if

_CARD = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}"
    r"|(?:6011|64[4-9]\d|65\d\d|62\d\d)\d{12,15}|35(?:2[89]|[3-8]\d)\d{12,15}|3(?:0[0-5]|095|6\d|[89]\d)\d{11,16}"
    r"|(?:50|5[6-8]|6[37])\d{11,17}"
)
"""Visa, Mastercard, American Express, Discover and UnionPay, JCB, Diners, Maestro."""

_IBAN_SIZES = {
    15: "NO", 16: "BE", 18: "DK FI FO GL NL SD", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK", 21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL", 24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HU LB NI PL SV",
    29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC", 32: "LC", 33: "RU",
}  # fmt: skip
_IBAN_SIZE = {country: size for size, countries in _IBAN_SIZES.items() for country in countries.split()}


def _card(number: str) -> bool:
    return _CARD.fullmatch(number) is not None and check_digits.luhn(number)


def _iban(value: str) -> int:
    """The length of the account number, which the country decides: words may follow it."""
    size = _IBAN_SIZE.get(value[:2].upper(), 0)
    end = signs = 0
    while end < len(value) and signs < size:
        signs += value[end].isalnum()
        end += 1
    apart = end == len(value) or not value[end].isalnum()
    return end if size and signs == size and apart and check_digits.iban(bare(value[:end])) else 0


SHAPES = (
    Shape("credit_card", alone(r"\d{12,19}"), whole_if(_card)),
    Shape(
        "credit_card",
        re.compile(r"(\d{4}(?: \d{4} \d{4} \d{4}|-\d{4}-\d{4}-\d{4}| \d{6} \d{4,5}|-\d{6}-\d{4,5}))(?!\w)"),
        whole_if(_card),
    ),
    Shape("iban", re.compile(r"([A-Za-z]{2}\d\d(?:[ -]?+[A-Za-z0-9]){11,30}+)"), _iban),
    Shape("ifsc", alone(r"[A-Z]{4}0\d{6}")),
)

CUES = (
    Cue(
        "bank_account",
        r"(?:bank[ _-]?)?account|acct|a/c|routing|kontonummer|sort[ _-]?code",
        behind(r"\d(?:[ -]?+\d){5,16}+"),
        digits(6, 17),
    ),
    Cue("ifsc", "ifsc", behind(r"[A-Z]{4}0[A-Z0-9]{6}")),
)
