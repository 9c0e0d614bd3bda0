"""BABILong's rule: the first sentence of a reply names the right label of its task, and no other."""

from __future__ import annotations

from collections.abc import Mapping

_ROOMS = frozenset(("bathroom", "bedroom", "garden", "hallway", "kitchen", "office"))
_YES_NO = frozenset(("yes", "no"))
LABELS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("qa1", "qa2", "qa3", "qa4"), _ROOMS),
    "qa5": frozenset(("bill", "fred", "jeff", "mary", "apple", "football", "milk")),
    "qa6": _YES_NO,
    "qa7": frozenset(("none", "one", "two")),
    "qa9": _YES_NO,
    "qa10": _YES_NO | {"maybe"},
}
"""Task -> the labels a reply may name; the authors' table has no other task."""


def sole_label_score(reply: str, answer: str, question: str, task: str) -> float:
    """1 if the answer is the one label that the reply names beyond those of the question; labels may be in words."""
    said = reply.lower().partition(".")[0].partition("<context>")[0].partition("<example>")[0]
    named = {label for label in LABELS[task] if label in said and label not in question.lower()}
    return float(named == {answer.lower()})
