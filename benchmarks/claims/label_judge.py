"""A scripted model that answers every question of claim verification from the labels of an example."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from claim_set import Example, GoldClaim, GoldSentence

from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.request import Request
from ringtrue.models.scripted import ScriptedModel

_FENCE = re.compile(r"\[\[\[(\w+) [0-9a-f]{20}\]\]\]\n(.*?)\n\[\[\[end of ", re.DOTALL)
_LINE = re.compile(r"^(\d+): (.*?)(?: \(evidence: ([\d, ]*)\))?(?: \(not in the evidence as written: .*\))?$", re.M)


def labelled(example: Example) -> ScriptedModel:
    """The model; it raises a KeyError on what is not in the example, so that nothing is asked twice or invented."""
    return scripted_judge(_Labels(example).reply)


class _Labels:
    def __init__(self, example: Example) -> None:
        self.sentences: dict[str, GoldSentence] = {one.text: one for one in example.sentences}
        self.claims: dict[str, GoldClaim] = {claim.text: claim for one in example.sentences for claim in one.claims}

    def reply(self, request: Request) -> dict[str, Any]:
        name = str(request.parameters["response_format"]["json_schema"]["name"])
        texts = dict(_FENCE.findall(str(request.messages[-1]["content"])))
        return {"entries": getattr(self, name)(texts)}

    def claim_selection(self, texts: Mapping[str, str]) -> list[dict[str, Any]]:
        return [
            {"sentence": number, "outcome": "none" if gold.status == "no_claims" else "whole", "text": ""}
            for number, gold in self.asked(texts)
        ]

    def claim_disambiguation(self, texts: Mapping[str, str]) -> list[dict[str, Any]]:
        found = []
        for number, gold in self.asked(texts):
            if gold.status == "ambiguous":
                found.append({"sentence": number, "outcome": "unresolvable", "text": "It may be either."})
            elif gold.resolved:
                found.append({"sentence": number, "outcome": "resolved", "text": gold.resolved})
            else:
                found.append({"sentence": number, "outcome": "clear", "text": ""})
        return found

    def claim_decomposition(self, texts: Mapping[str, str]) -> list[dict[str, Any]]:
        return [
            {"sentence": number, "claims": [claim.text for claim in gold.claims]} for number, gold in self.asked(texts)
        ]

    def claim_evidence(self, texts: Mapping[str, str]) -> list[dict[str, Any]]:
        passages = {text: number for number, text in numbered(texts["sources"])}
        found = []
        for number, text in numbered(texts["claims"]):
            gold = self.claims[text]
            word, probability = ("forecast", 90) if gold.open_domain else ("no", 5)
            found.append(
                {
                    "claim": number,
                    "evidence": [passages[one] for one in gold.evidence if one in passages],
                    "open_domain": word,
                    "open_domain_probability": probability,
                }
            )
        return found

    def claim_verdict(self, texts: Mapping[str, str]) -> list[dict[str, Any]]:
        passages = {text: number for number, text in numbered(texts["sources"])}
        found = []
        for number, text in numbered(texts["claims"]):
            gold = self.claims[text]
            found.append(
                {
                    "claim": number,
                    "reasoning": gold.verdict,
                    "evidence": [passages[one] for one in gold.evidence],
                    "verdict": gold.verdict,
                    "probability": 95 if gold.verdict == "supported" else 5,
                }
            )
        return found

    def asked(self, texts: Mapping[str, str]) -> list[tuple[int, GoldSentence]]:
        return [(number, self.sentences[text]) for number, text in numbered(texts["text"])]


def numbered(text: str) -> list[tuple[int, str]]:
    """The numbered lines of a fence."""
    return [(int(number), said) for number, said, _ in _LINE.findall(text)]
