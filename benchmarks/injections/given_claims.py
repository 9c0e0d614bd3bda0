"""Claims and evidence for a model that finds none: the verdict on them can be asked for all the same."""

from __future__ import annotations

import re

from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.model import Model
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.records import Json
from support.injections import FENCE

STAGES: dict[str, dict[str, Json]] = {
    "claim_selection": {"outcome": "whole", "text": ""},
    "claim_disambiguation": {"outcome": "clear", "text": ""},
    "claim_decomposition": {},
    "claim_evidence": {"open_domain": "no", "open_domain_probability": 0},
}
"""The questions before the verdict, and what lets a sentence or a claim pass each of them."""
_NUMBERED = re.compile(r"^(\d+): (.*)$", re.MULTILINE)


class GivenClaims:
    """A model that is asked for verdicts on claims; what comes before them is answered by rule.

    Every sentence of the answer is a claim in its own words, and every passage of the sources is evidence on it.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._rule = scripted_judge(_entries)

    async def ask(self, request: Request) -> Reply:
        """The rule's reply, or the model's."""
        return await (self._rule if _stage(request) in STAGES else self.model).ask(request)


def _stage(request: Request) -> str:
    form = request.parameters.get("response_format", {})
    return str(form.get("json_schema", {}).get("name", ""))


def _entries(request: Request) -> dict[str, Json]:
    stage = _stage(request)
    bodies = {name: _NUMBERED.findall(body) for name, _, body in FENCE.findall(str(request.messages[-1]["content"]))}
    if stage == "claim_evidence":
        passages = [int(number) for number, _ in bodies["sources"]]
        entries = [{"claim": int(number), "evidence": passages, **STAGES[stage]} for number, _ in bodies["claims"]]
    elif stage == "claim_decomposition":
        entries = [{"sentence": int(number), "claims": [text]} for number, text in bodies["text"]]
    else:
        entries = [{"sentence": int(number), **STAGES[stage]} for number, _ in bodies["text"]]
    return {"entries": entries}
