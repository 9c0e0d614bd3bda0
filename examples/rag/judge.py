"""A stand-in for a model as judge of claims: a claim is supported if a passage has all its longer words."""

import re

STEPS = {
    "claim_selection": lambda text: {"outcome": "whole", "text": ""},
    "claim_disambiguation": lambda text: {"outcome": "clear", "text": ""},
    "claim_decomposition": lambda text: {"claims": [text]},
}


def fence(prompt, name):
    """The lines `NUMBER: text` that the prompt shows under a name."""
    found = re.search(rf"\[\[\[{name} \w+\]\]\]\n(.*?)\n\[\[\[end of", prompt, re.S)
    return [(int(number), text) for number, text in re.findall(r"^(\d+): (.*)$", found[1], re.M)] if found else []


def words(text):
    return set(re.findall(r"[a-z]{4,}", text.lower()))


def reply(asked):
    """The verdict that the request's step asks for."""
    step = asked["response_format"]["json_schema"]["name"]
    prompt = asked["messages"][-1]["content"]
    if step in STEPS:
        return {"entries": [{"sentence": at, **STEPS[step](text)} for at, text in fence(prompt, "text")]}
    entries = []
    for at, text in fence(prompt, "claims"):
        claim = re.sub(r" \((?:evidence|not in the evidence).*", "", text)
        passages = [number for number, passage in fence(prompt, "sources") if words(claim) <= words(passage)]
        if step == "claim_evidence":
            entries.append({"claim": at, "evidence": passages, "open_domain": "no", "open_domain_probability": 5})
        else:
            verdict = (
                {"verdict": "supported", "probability": 90} if passages else {"verdict": "not_found", "probability": 5}
            )
            entries.append({"claim": at, "reasoning": "By its words.", "evidence": passages, **verdict})
    return {"entries": entries}
