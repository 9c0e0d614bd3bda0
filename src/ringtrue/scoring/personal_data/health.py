"""Identifiers of patients, as the Safe Harbor rule of HIPAA lists them, as far as text shows them."""

from __future__ import annotations

import re

from ringtrue.scoring.personal_data import check_digits
from ringtrue.scoring.personal_data.shape import DATE, IDENTIFIER, Cue, Shape, alone, behind, digits, whole_if

_MBI = "AC-HJKMNP-RT-Y"
_VIN = "[A-HJ-NPR-Z0-9]{17}"
_OLD = r"9\d|1[0-2]\d"


def _vehicle(number: str) -> bool:
    return any(map(str.isalpha, number)) and check_digits.vin(number)


SHAPES = (
    Shape(
        "health_plan_number",  # a Medicare card
        alone(rf"[1-9][{_MBI}][{_MBI}0-9]\d-?[{_MBI}][{_MBI}0-9]\d-?[{_MBI}]{{2}}\d\d"),
    ),
    Shape("vin", alone(_VIN), whole_if(_vehicle)),
    Shape(
        "device_identifier",
        re.compile(r"(?<!:)((?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}|(?:[0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2})(?![\w:-])"),
    ),
    Shape(
        "age_over_89",
        re.compile(rf"((?:{_OLD})[ -]years?[ -]old) (?:wo)?(?:man|patient|lady|gentleman|female|male)\b"),
    ),
    Shape(
        "patient_name",
        re.compile(
            r"\b[Pp]atient(?:'s|’s)?+(?: [Nn]ame)?+ ?+[:=] ?+"
            r"((?>[A-Z][a-zà-ÿ'’-]{1,24}+|[A-Z]\.)(?: (?>[A-Z][a-zà-ÿ'’-]{1,24}+|[A-Z]\.)){1,3})"
        ),
        needs=("atient",),
    ),
)

CUES = (
    Cue(
        "medical_record_number",
        r"mrn|medical[ _-]?record|patient[ _-]?(?:id|number|no)|chart[ _-]?(?:number|no)",
        behind(IDENTIFIER),
        digits(4),
    ),
    Cue(
        "health_plan_number",
        r"(?:member|subscriber|policy|insurance)[ _-]?(?:id|number|no)|beneficiary|health[ _-]?plan|hpn|medicare",
        behind(IDENTIFIER),
        digits(5),
    ),
    Cue("vin", r"vin|vehicle identification", behind(_VIN), digits(4)),
    Cue("license_number", "npi", behind(r"\d{10}"), whole_if(check_digits.npi)),
    Cue("license_number", "dea", behind(r"[A-Z]{2}\d{7}"), whole_if(check_digits.dea)),
    Cue(
        "admission_date",
        r"admission|admitted|discharged?|date[ _-]?of[ _-]?(?:death|service)|(?:visit|surgery)[ _-]?date",
        behind(DATE),
    ),
    Cue(
        "device_identifier",
        r"device[ _-]?(?:id|identifier|serial)|udi|imei|serial[ _-]?(?:number|no)",
        behind(IDENTIFIER),
        digits(4),
    ),
    Cue("age_over_89", r"aged?", behind(rf"(?:{_OLD})")),
)
