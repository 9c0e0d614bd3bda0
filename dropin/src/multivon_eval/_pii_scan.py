"""What of a text should not leave the house: personal data, keys and tokens; ringtrue finds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ringtrue.scoring.personal_data import KINDS, SECRETS, Finding, find_personal_data, redacted

__all__ = ["Detection", "redact", "scan", "summarize"]

_LABELS = {"ssn": "us_ssn"}
"""What a kind is called here, where that is another name."""


@dataclass(frozen=True)
class Detection:
    """Something that was found: a secret or personal data, of which kind, where, and itself."""

    kind: Literal["secret", "pii"]
    label: str
    start: int
    end: int
    match: str


def scan(text: str) -> list[Detection]:
    """What is found in a text, in order."""
    found = find_personal_data(text or "", (*KINDS, *SECRETS))
    return [
        Detection(
            "secret" if one.kind in SECRETS else "pii",
            _LABELS.get(one.kind, one.kind),
            one.start,
            one.end,
            text[one.start : one.end],
        )
        for one in found
    ]


def redact(text: str, detections: Sequence[Detection] | None = None) -> tuple[str, list[Detection]]:
    """The text with `[REDACTED:label]` in the place of what is found, or was found before, and that."""
    found = scan(text) if detections is None else list(detections)
    return redacted(text, (Finding(one.label, one.start, one.end) for one in found)), found


def summarize(detections_list: Iterable[Iterable[Detection]]) -> dict[str, int]:
    """How often each label was found in several texts."""
    return dict(Counter(one.label for found in detections_list for one in found))
