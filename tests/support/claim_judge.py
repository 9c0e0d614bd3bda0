"""A scripted judge of claims: it answers by rule, and a test replaces the rules it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.request import Request
from ringtrue.models.scripted import ScriptedModel

Rule = Callable[[int, str], Mapping[str, Any]]
"""The number of a sentence or claim and its text -> the rest of its entry."""

_FENCE = re.compile(r"\[\[\[(\w+) [0-9a-f]{20}\]\]\]\n(.*?)\n\[\[\[end of ", re.DOTALL)
_LINE = re.compile(r"^(\d+): (.*)$", re.M)
_NOTES = re.compile(r" \((?:evidence|not in the evidence as written): .*$")
_NUMBER = {"claim_selection": "sentence", "claim_disambiguation": "sentence", "claim_decomposition": "sentence"}

RULES: dict[str, Rule] = {
    "claim_selection": lambda number, text: {"outcome": "whole", "text": ""},
    "claim_disambiguation": lambda number, text: {"outcome": "clear", "text": ""},
    "claim_decomposition": lambda number, text: {"claims": [text]},
    "claim_evidence": lambda number, text: {"evidence": [1], "open_domain": "no", "open_domain_probability": 5},
    "claim_verdict": lambda number, text: {
        "reasoning": "So it says.",
        "evidence": [1],
        "verdict": "supported",
        "probability": 90,
    },
}


def claim_judge(**rules: Any) -> ScriptedModel:
    """A judge with other rules (`selection=…`): a rule, or what it says whatever it is asked."""
    return scripted_judge(lambda request: entries(request, **rules))


def entries(request: Request, **rules: Any) -> Any:
    """The judge's reply to one request."""
    name = asked_for(request)
    rule = {**RULES, **{f"claim_{step}": rule for step, rule in rules.items()}}[name]
    if not callable(rule):
        return rule
    number = _NUMBER.get(name, "claim")
    lines = numbered(request, "claims" if number == "claim" else "text")
    return {"entries": [{number: at, **rule(at, text)} for at, text in lines]}


def asked_for(request: Request) -> str:
    """The name of the prompt."""
    return str(request.parameters["response_format"]["json_schema"]["name"])


def shown(request: Request, fence: str) -> str:
    """What is inside a fence."""
    return dict(_FENCE.findall(str(request.messages[-1]["content"])))[fence]


def numbered(request: Request, fence: str) -> list[tuple[int, str]]:
    """The numbered lines inside a fence, without the notes behind claims."""
    return [(int(number), _NOTES.sub("", text)) for number, text in _LINE.findall(shown(request, fence))]
