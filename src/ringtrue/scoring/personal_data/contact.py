"""Contact data: e-mail, telephone, postal addresses, and addresses on networks."""

from __future__ import annotations

import re
from ipaddress import IPv6Address, ip_address

from ringtrue.scoring.personal_data.shape import Cue, Shape, alone, behind, whole_if

_NAME = r"[A-ZÀ-Þ][\w'’.-]{0,24}+"
_STREETS = (
    "Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Terrace|Parkway|Pkwy"
    "|Highway|Hwy|Way|Circle|Cir|Trail|Close|Crescent|Gardens|Mews|Row|Alley"
)
_NUMBERED = r"\d{1,3}(?:st|nd|rd|th)"
_CALLING_CODES = (
    r"1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|21[1-8]|2[2-6]\d|29\d|35\d|37[0-8]|38\d|42[013]|5[09]\d"
    r"|67\d|68\d|69[0-2]|80[08]|85[0-6]|87[08]|88[0-8]|96\d|97\d|99[2-8]"
)
_STATES = (
    "A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]"
)
_UPI_BANKS = "okaxis|okhdfcbank|okicici|oksbi|ybl|ibl|axl|apl|paytm|upi|sbi|icici|hdfcbank|axisbank|kotak"

_CALLS = "(?:tele)?phones?|tel|mobile|cell(?:phone)?|fax|call|text|whatsapp|sms|contact|telefon|téléphone|tél|móvil"
_REACHED = "me|us|him|her|them|at|to|my|your|back"

_AS_VERSION = re.compile(
    r"(?i:\b(?:v|ver|versions?|release|build|firmware|driver|section|chapter|clause|oid)\W{0,3}$)|==$|\w/$"
)
_AS_YEAR = re.compile(r"(?i:\b(?:in|since|by|until|during|year|top|the|about|over) $)")


def _north_american(number: str) -> bool:
    return len(number) == 7 or number[-10] not in "01"


def _international(number: str) -> bool:
    local = number.lstrip("+").removeprefix("00")
    return 8 <= len(local) <= 15 and (local[0] != "1" or (len(local) == 11 and local[1] not in "01"))


def _network_address(value: str) -> int:
    try:
        found = ip_address(value)
    except ValueError:
        return 0
    if isinstance(found, IPv6Address):
        real = any(map(str.isdigit, value))  # names in code look like others: fade::bad
    else:
        real = not (found.is_loopback or found.is_unspecified or value.startswith("255."))
    return len(value) if real else 0


SHAPES = (
    Shape(
        "email",
        re.compile(
            r"(?<![A-Za-z0-9._%+'-])([A-Za-z0-9À-ɏ._%+'-]{1,64}+@(?:[A-Za-z0-9À-ɏ][A-Za-z0-9À-ɏ-]{0,62}+\.){1,8}"
            r"(?!(?:png|jpe?g|gif|webp|svg)\b)[A-Za-z]{2,24}+)(?![A-Za-z0-9_@]|-\w|:[\w~/])"
        ),
        needs=("@",),
    ),
    Shape(
        "phone_us",
        re.compile(r"((?:\+?1[ .-]?)?+(?:\([2-9]\d\d\)[ .-]?+|[2-9]\d\d[ .-])\d{3}[ .-]\d{4})(?!\w|[.-]\d)"),
    ),
    Shape(
        "phone_intl",
        re.compile(rf"((?>(?:\+|00)(?:{_CALLING_CODES}))(?:[ .()/-]{{0,3}}+\d){{5,13}}+)(?!\w)"),
        whole_if(_international),
    ),
    Shape(  # France and Britain, as they are written at home
        "phone_intl",
        alone(r"0(?:[1-9](?:[ .]\d\d){4}|\d\d \d{4} \d{4}|\d{3} \d{3} \d{4}|\d{4} \d{6}|\d{4} \d{3} \d{3})"),
    ),
    Shape("phone_in", alone(r"[6-9]\d{4} \d{5}")),
    Shape("ip_address", alone(r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}"), _network_address, _AS_VERSION),
    Shape(
        "ip_address",
        re.compile(r"(?<!:)([0-9A-Fa-f]{3,4}+(?::[0-9A-Fa-f]{0,4}+){2,8}+)(?![\w:])"),
        _network_address,
    ),
    Shape(
        "address",
        re.compile(
            r"(?<![,$€£%/])(\d{1,6}(?:-\d{1,6})?+[A-Za-z]?+,?+ (?:[NSEW]{1,2}\.? )?+"
            rf"(?>{_NAME}|{_NUMBERED}) (?:(?>{_NAME}|{_NUMBERED}|of|the|de|la) ){{0,3}}?(?>{_STREETS})\b\.?)"
        ),
        unless=_AS_YEAR,
    ),
    Shape(
        "address",
        re.compile(
            r"(\d{1,4}(?: bis| ter)?+,?+ (?>rue|avenue|boulevard|place|chemin|impasse|allée|quai) "
            rf"(?>(?:d[eu] |des |la |l['’]|d['’]){{0,2}}){_NAME})"
        ),
    ),
    Shape(
        "address",
        re.compile(
            r"(?<![\w-])([A-ZÄÖÜ][\w-]{2,24}+(?:(?<=straße)|(?<=strasse)|(?<=str)\.|(?<=weg)|(?<=platz)|(?<=allee)"
            r"|(?<=gasse)) \d{1,4}[a-z]?+)(?!\w|[.,-]\d)"
        ),
        needs=("straße ", "strasse ", "str. ", "weg ", "platz ", "allee ", "gasse "),
    ),
    Shape(
        "address",
        re.compile(
            r"(?<![\w-])((?>Calle|Avenida|Plaza|Viale|Via|Piazza|Corso|Rua)"
            rf"(?: (?>d[aeio](?:lla|l)?|{_NAME})){{1,4}},? \d{{1,4}}[a-z]?+)(?!\w)"
        ),
        needs=("Calle ", "Avenida ", "Plaza ", "Viale ", "Via ", "Piazza ", "Corso ", "Rua "),
    ),
    Shape("address", re.compile(r"(?<!\w)(P\.? ?O\.? Box \d{1,6}+)(?!\w)"), needs=("Box ",)),
    Shape("postal_code", re.compile(rf"(?<=, )((?>{_STATES}) \d{{5}}(?:-\d{{4}})?+)(?!\w)")),
    Shape("postal_code", alone(r"[A-Z]{1,2}\d[A-Z\d]? (?!\d[GT]B)\d[ABD-HJLNP-UW-Z]{2}")),
    Shape("postal_code", alone(r"[ABCEGHJ-NPR-TVXY]\d[ABCEGHJ-NPR-TV-Z] ?\d[ABCEGHJ-NPR-TV-Z]\d")),
    Shape("upi_id", re.compile(rf"(?<![\w.+@-])([\w.-]{{2,64}}+@(?>{_UPI_BANKS}))(?![\w@-]|\.\w)"), needs=("@",)),
)

CUES = (
    Cue(
        "phone_us",
        _CALLS,
        behind(r"(?:\+?1[ .-]?)?+\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}|\d{3}[ .-]\d{4}", _REACHED),
        whole_if(_north_american),
    ),
    Cue("phone_intl", _CALLS, behind(r"0\d(?:[ ./-]?+\d){7,11}+", _REACHED)),
    Cue("phone_in", _CALLS, behind(r"[6-9]\d{9}", _REACHED)),
    Cue(
        "address",
        r"li(?:v|st)(?:e|es|ed|ing)|resid(?:e|es|ed|ing)|address|located|ship|deliver",
        behind(rf"(?i:\d{{1,6}}[a-z]?+(?: [\w'’.-]{{1,24}}+){{1,4}}? (?:{_STREETS}))", "at|to"),
    ),
    Cue(
        "postal_code",
        r"zip(?:[ _-]?code)?|postal[ _-]?code|post[ _-]?code|plz|code postal",
        behind(r"\d{5}(?:-\d{4})?+"),
    ),
    Cue("in_pin_code", r"pin[ _-]?code|pincode", behind(r"[1-9]\d\d ?\d{3}")),
)
