"""Finding personal data in a text, in time that grows with its length and no faster."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from ringtrue.scoring.personal_data import contact, health, identity, money
from ringtrue.scoring.personal_data.shape import NUMBER, Cue, Shape

SHAPES: tuple[Shape, ...] = contact.SHAPES + money.SHAPES + identity.SHAPES + health.SHAPES
CUES: tuple[Cue, ...] = contact.CUES + money.CUES + identity.CUES + health.CUES

_EVERYWHERE = (
    "email", "phone_us", "phone_intl", "ssn", "credit_card", "iban", "ip_address", "date_of_birth", "passport",
    "address", "postal_code",
)  # fmt: skip
JURISDICTIONS: dict[str, tuple[str, ...]] = {
    "gdpr": (
        *_EVERYWHERE, "eu_vat", "uk_nino", "nhs_number", "es_dni", "it_codice_fiscale", "fr_nir", "de_tax_id", "nl_bsn",
        "pl_pesel", "se_personnummer", "dk_cpr", "ie_ppsn", "fi_hetu",
    ),
    "hipaa": (
        *_EVERYWHERE, "medical_record_number", "health_plan_number", "vin", "admission_date", "device_identifier",
        "bank_account", "license_number", "age_over_89", "patient_name",
    ),
    "ccpa": (*_EVERYWHERE, "bank_account", "license_number"),
    "dpdp": (
        *_EVERYWHERE, "aadhaar", "pan", "gstin", "ifsc", "voter_id", "phone_in", "in_driving_license", "in_vehicle_reg",
        "in_pin_code", "upi_id",
    ),
    "pipeda": (*_EVERYWHERE, "ca_sin"),
}  # fmt: skip
"""The kinds of personal data that matter under a law; those at the start matter under all of them."""

KINDS: tuple[str, ...] = tuple(dict.fromkeys(kind for kinds in JURISDICTIONS.values() for kind in kinds))
JURISDICTIONS["all"] = KINDS

_BLOCK = 64
REACH = 256
"""No pattern reads further than this from a digit that it needs."""
_BEFORE = 32
_DIGIT = re.compile("[0-9]")
_LAST_DIGIT = 0x20000
"""Unicode has no decimal digits and no spaces from here on."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Personal data in a text: of which kind, and where."""

    kind: str
    start: int
    end: int


def find_personal_data(text: str, kinds: Collection[str] = KINDS, *, strict: bool = True) -> list[Finding]:
    """The personal data of these kinds in a text, in order; what lies inside a longer finding is part of that.

    A number whose check digits or ranges are wrong is none, unless `strict` is off.
    """
    plain = text if text.isascii() else text.translate(_plain_signs())
    # What words announce comes first: of two kinds for one place it is the better one.
    found = [*_by_cues(plain, frozenset(kinds), strict), *_by_looks(plain, kinds, strict)]
    kept: list[Finding] = []
    covered = 0
    for finding in sorted(found, key=lambda item: (item.start, -item.end)):
        if finding.end > covered:
            kept.append(finding)
            covered = finding.end
    return kept


def _by_looks(text: str, kinds: Collection[str], strict: bool) -> Iterator[Finding]:
    shapes = [shape for shape in SHAPES if shape.kind in kinds]
    begun = [shape for shape in shapes if not shape.needs]
    for start, end in _regions(text):
        for number in NUMBER.finditer(text, start, end):
            for shape in begun:
                match = shape.pattern.match(text, number.start())
                if match is not None:
                    yield from _findings_of_match(shape, match, strict)
    for shape in shapes:
        if any(need in text for need in shape.needs):
            for match in shape.pattern.finditer(text):
                yield from _findings_of_match(shape, match, strict)


def _findings_of_match(shape: Shape, match: re.Match[str], strict: bool) -> Iterator[Finding]:
    start, size = match.start(1), shape.holds(match[1]) if strict else len(match[1])
    if size and not (shape.unless and shape.unless.search(match.string[max(0, start - _BEFORE) : start])):
        yield Finding(shape.kind, start, start + size)


def _by_cues(text: str, kinds: frozenset[str], strict: bool) -> Iterator[Finding]:
    cues = [cue for cue in CUES if cue.kind in kinds]
    if not cues:
        return
    lowered = text.lower() if text.isascii() else text.translate(_small_letters())
    for start, end in _regions(text):
        for said in cue_words(kinds).finditer(lowered, start, end):
            for cue in _cues_of(said[0], kinds):
                value = cue.value.match(text, said.end())
                if value and (size := cue.holds(value[1]) if strict else len(value[1])):
                    yield Finding(cue.kind, value.start(1), value.start(1) + size)


@lru_cache(maxsize=64)
def cue_words(kinds: frozenset[str]) -> re.Pattern[str]:
    """One pattern of all words that announce these kinds."""
    words = dict.fromkeys(cue.words for cue in CUES if cue.kind in kinds)
    return re.compile(rf"(?<![a-z0-9])(?:{'|'.join(words)})(?![a-z0-9])")


@lru_cache(maxsize=1024)
def _cues_of(words: str, kinds: frozenset[str]) -> tuple[Cue, ...]:
    return tuple(cue for cue in CUES if cue.kind in kinds and re.fullmatch(cue.words, words))


def _regions(text: str) -> Iterator[tuple[int, int]]:
    """The parts of a text that lie within reach of a digit, each once."""
    begin = end = -1
    for block in range(0, len(text), _BLOCK):
        if not _DIGIT.search(text, block, block + _BLOCK):
            continue
        if begin >= 0 and block - REACH > end:
            yield begin, end
            begin = -1
        begin = max(0, block - REACH) if begin < 0 else begin
        end = min(len(text), block + _BLOCK + REACH)
    if begin >= 0:
        yield begin, end


@lru_cache(maxsize=1)
def _plain_signs() -> dict[int, str]:
    """Digits of every script, and spaces and hyphens of every kind, as ASCII has them: one sign for one."""
    signs = dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212, 0xFE63, 0xFF0D), "-")
    for code in range(0x80, _LAST_DIGIT):
        sign = chr(code)
        if sign.isdecimal():
            signs[code] = str(unicodedata.decimal(sign))
        elif unicodedata.category(sign) == "Zs":
            signs[code] = " "
    return signs | {0xFF20: "@", 0xFF0E: ".", 0xFF0B: "+"}


@lru_cache(maxsize=1)
def _small_letters() -> dict[int, int]:
    """Capitals of the Latin letters that cues are written in; the length of a text stays what it is."""
    return {
        code: ord(chr(code).lower()) for code in (*range(65, 91), *range(0xC0, 0xDF)) if len(chr(code).lower()) == 1
    }
