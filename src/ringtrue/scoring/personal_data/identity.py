"""Numbers that states give to people, and the day they were born."""

from __future__ import annotations

import re

from ringtrue.scoring.personal_data import check_digits
from ringtrue.scoring.personal_data.shape import DATE, IDENTIFIER, YEAR, Cue, Shape, alone, behind, digits, whole_if

_VAT = (
    r"ATU\d{8}|BE[01]\d{9}|BG\d{9,10}|CY\d{8}[A-Z]|CZ\d{8,10}|(?:DE|EE|EL|PT|GB|XI)\d{9}|(?:DK|FI|HU|LU|MT|SI)\d{8}"
    r"|ES[A-Z0-9]\d{7}[A-Z0-9]|FR[A-Z0-9]{2}\d{9}|(?:HR|IT|LV)\d{11}|IE\d[A-Z0-9]\d{5}[A-Z]{1,2}|LT\d{9}(?:\d{3})?"
    r"|NL\d{9}B\d\d|(?:PL|SK)\d{10}|RO\d{6,10}|SE\d{12}"
)
_INDIAN_STATES = "A[NPRS]|BR|C[GH]|D[DL]|G[AJ]|H[PR]|J[HK]|K[AL]|L[AD]|M[HLNPZ]|NL|O[DR]|P[BY]|RJ|SK|T[NRS]|U[KP]|WB"

_AS_PART = re.compile(
    r"(?i:\b(?:part|model|sku|order|ref|reference|serial|item|case|ticket|invoice)(?: no| number| id)?\W{0,3}$)"
)


def _ssn(number: str) -> bool:
    return number[:3] not in ("000", "666") and number[0] != "9" and number[3:5] != "00" and number[5:] != "0000"


SHAPES = (
    Shape("ssn", alone(r"\d{3}(?:-\d\d-| \d\d )\d{4}"), whole_if(_ssn)),
    Shape("passport", alone(r"[A-Z]{2}\d{7}"), unless=_AS_PART),
    Shape("eu_vat", alone(f"(?>{_VAT})"), unless=_AS_PART),
    Shape(
        "uk_nino",
        alone(r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?+\d\d ?+\d\d ?+\d\d ?+[A-D]"),
    ),
    Shape("es_dni", alone(r"(?:[XYZ]-?\d{7}|\d{8})-?[A-Z]"), whole_if(check_digits.es_dni)),
    Shape(
        "it_codice_fiscale",
        alone(r"[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]"),
        whole_if(check_digits.it_codice_fiscale),
    ),
    Shape(
        "fr_nir",
        alone(r"[12] ?+\d\d ?+\d\d ?+(?:\d\d|2[AB]) ?+\d{3} ?+\d{3} ?+\d\d"),
        whole_if(check_digits.fr_nir),
    ),
    Shape("se_personnummer", alone(rf"(?:{YEAR}|\d\d)\d{{4}}[+-]\d{{4}}"), whole_if(check_digits.se_personnummer)),
    Shape("fi_hetu", alone(r"\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]"), whole_if(check_digits.fi_hetu)),
    Shape(
        "aadhaar",
        re.compile(r"(?<!\d )([2-9]\d{3}(?: \d{4} |-\d{4}-)\d{4})(?!\w|[ .,-]\d)"),
        whole_if(check_digits.verhoeff),
    ),
    Shape("pan", alone(r"[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]")),
    Shape("gstin", alone(r"\d\d[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]"), whole_if(check_digits.gstin)),
    Shape("in_driving_license", alone(rf"(?>{_INDIAN_STATES})[ -]?+\d\d ?+{YEAR}\d{{7}}")),
    Shape("in_vehicle_reg", alone(rf"(?>{_INDIAN_STATES})[ -]?+\d\d[ -]?+[A-Z]{{1,3}}[ -]?+\d{{4}}")),
)

CUES = (
    Cue("ssn", r"ssn|social[ _-]?security", behind(r"\d{3}[ -]?\d\d[ -]?\d{4}"), whole_if(_ssn)),
    Cue(
        "date_of_birth",
        r"d\.?o\.?b|date[ _-]?of[ _-]?birth|dateofbirth|birth[ _-]?da(?:te|y)|born|geboren|geburtsdatum"
        r"|date de naissance|née?|fecha de nacimiento|nacid[oa]|data di nascita|nat[oa] il|geboortedatum",
        behind(DATE),
    ),
    Cue("passport", r"passports?|passeport|reisepass|pasaporte|passaporto", behind(r"[A-Z0-9]{6,9}"), digits(3)),
    Cue(
        "license_number",
        r"driver['’]?s?[ _-]?licen[cs]e|driving[ _-]?licen[cs]e|(?:licen[cs]e|dl|cert|certificate) ?(?:number|no|#)",
        behind(IDENTIFIER),
        digits(4),
    ),
    Cue("nhs_number", "nhs", behind(r"\d{3}[ -]?\d{3}[ -]?\d{4}"), whole_if(check_digits.uk_nhs)),
    Cue(
        "de_tax_id",
        r"steuer-?id|steuer-?identifikationsnummer|steuerliche identifikationsnummer|id-?nr|idnr|tax id",
        behind(r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}"),
        whole_if(check_digits.mod_11_10),
    ),
    Cue("nl_bsn", "bsn|burgerservicenummer|sofinummer", behind(r"\d{9}"), whole_if(check_digits.nl_bsn)),
    Cue("pl_pesel", "pesel", behind(r"\d{11}"), whole_if(check_digits.pl_pesel)),
    Cue("dk_cpr", "cpr(?:-nr|-nummer)?|personnummer", behind(r"\d{6}[ -]?\d{4}"), whole_if(check_digits.dk_cpr)),
    Cue("ie_ppsn", "ppsn?", behind(r"\d{7}[A-W][A-IW]?"), whole_if(check_digits.ie_ppsn)),
    Cue("aadhaar", "aadhaa?r|uidai", behind(r"[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}"), whole_if(check_digits.verhoeff)),
    Cue("pan", "pan", behind(r"[A-Z]{5}\d{4}[A-Z]")),
    Cue("voter_id", "voter(?:[ _-]?id)?|epic", behind(r"[A-Z]{3}\d{7}")),
    Cue("ca_sin", "sin|social insurance", behind(r"\d{3}[ -]?\d{3}[ -]?\d{3}"), whole_if(check_digits.luhn)),
)
