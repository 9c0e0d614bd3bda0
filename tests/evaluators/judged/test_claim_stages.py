"""Sources in stages: a claim is traced back to the first sources, and an error to the stage where it entered."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.judged.claim_verification import (
    ClaimVerificationEvaluator,
    InputClaimVerificationEvaluator,
    InputContext,
    OutputClaimVerificationEvaluator,
)
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.request import Request
from support.claim_judge import RULES, asked_for, claim_judge, numbered

CLAIM = "The tower is tall."
SAYS, SILENT = "One reads that the tower stands very tall.", "One reads of the weather."


def traced(model: Any, *contexts: InputContext, text: str = CLAIM, **settings: Any) -> OutputClaimVerificationEvaluator:
    async def first() -> OutputClaimVerificationEvaluator:
        given = InputClaimVerificationEvaluator(text, "", list(contexts))
        async for one in ClaimVerificationEvaluator(model=model, **settings).run(given):
            assert isinstance(one, OutputClaimVerificationEvaluator)
            return one
        raise AssertionError

    return asyncio.run(first())


def honest_judge(verdict_by_source: Mapping[str, str] | None = None) -> Any:
    """Evidence is what speaks of the tower; it supports, unless the map says otherwise of a passage's text."""

    def reply(request: Request) -> Any:
        name = asked_for(request)
        lines = numbered(request, "claims" if name in ("claim_evidence", "claim_verdict") else "text")
        if name == "claim_evidence":
            spoken = [number for number, text in numbered(request, "sources") if "tower" in text]
            entry: dict[str, Any] = {"evidence": spoken, "open_domain": "no", "open_domain_probability": 1}
            return {"entries": [{"claim": number, **entry} for number, _ in lines]}
        if name == "claim_verdict":
            sources = numbered(request, "sources")
            words = [word for text, word in (verdict_by_source or {}).items() if any(text in one for _, one in sources)]
            word = words[0] if words else "supported"
            entry = {
                "reasoning": word,
                "evidence": [number for number, text in sources if "tower" in text],
                "verdict": word,
                "probability": 95 if word == "supported" else 5,
            }
            return {"entries": [{"claim": number, **entry} for number, _ in lines]}
        return {"entries": [{"sentence": number, **RULES[name](number, text)} for number, text in lines]}

    return scripted_judge(reply)


def chain(document: str, notes: str, summary: str) -> list[InputContext]:
    return [
        InputContext("document", "Document", document),
        InputContext("notes", "Notes", notes, "notes", ["document"]),
        InputContext("summary", "Summary", summary, "summary", ["notes"]),
    ]


CHAINS = [
    ("borne-out-to-the-root", (SAYS, SAYS, SAYS), "supported", (), 3),
    ("entered-in-the-notes", (SILENT, SAYS, SAYS), "not_found", ("notes",), 3),
    ("entered-in-the-summary", (SILENT, SILENT, SAYS), "not_found", ("summary",), 3),
    ("entered-in-the-answer", (SILENT, SILENT, SILENT), "not_found", ("answer",), 3),
    ("lost-in-the-summary", (SAYS, SAYS, SILENT), "supported", (), 3),
]


@pytest.mark.parametrize(
    ("texts", "verdict", "stages", "rounds"), [row[1:] for row in CHAINS], ids=[row[0] for row in CHAINS]
)
def test_chains(texts: tuple[str, str, str], verdict: str, stages: tuple[str, ...], rounds: int) -> None:
    claim = traced(honest_judge(), *chain(*texts))
    assert (claim.verdict, claim.error_stages, len(claim.trail)) == (verdict, stages, rounds)
    if verdict == "supported":
        assert {one.source_id for one in claim.citations} == {"document"}
        assert claim.citations[0].stage == "0"


def test_patience() -> None:
    """After that many stages in a row that do not support it, a claim is given up."""
    claim = traced(honest_judge(), *chain(SAYS, SAYS, SILENT), unsupported_rounds=1)
    assert (claim.verdict, claim.error_stages, len(claim.trail)) == ("not_found", ("answer",), 1)


def test_a_contradiction_at_the_root_is_localised() -> None:
    judge = honest_judge({"not very tall": "contradicted"})
    claim = traced(judge, *chain("The tower is not very tall, one reads.", SAYS, SAYS))
    assert (claim.verdict, claim.error_stages) == ("contradicted", ("notes",))


def test_a_number_that_code_sees_is_traced_all_the_same() -> None:
    """A root says another number, word for word: the stage that changed it is still found."""
    said = "One reads: the tower is 120 m tall."
    judge = honest_judge({"150 m": "contradicted"})
    claim = traced(judge, *chain("The tower is 150 m tall.", said, said), text="The tower is 120 m tall.")
    assert (claim.verdict, claim.error_stages) == ("contradicted", ("notes",))


def test_an_intermediate_output_alone_never_supports() -> None:
    """The notes say it, and what they were made from was looked at beside them and says nothing."""
    contexts = [
        InputContext("a", "A", SILENT),
        InputContext("b", "B", SAYS, inputs=["a"]),
        InputContext("c", "C", SAYS, inputs=["a", "b"]),
    ]
    claim = traced(honest_judge(), *contexts)
    assert (claim.verdict, claim.verified_probability) == ("not_found", 0.0)
    assert claim.error_stages == ("1",)


def test_flat_sources_have_no_stages() -> None:
    claim = traced(claim_judge(), InputContext("a", "A", SAYS))
    assert (claim.verdict, claim.error_stages, claim.trail) == ("supported", (), ())
    assert claim.citations[0].stage == ""


BAD_GRAPHS = [
    ("unknown", [InputContext("a", "", "x", inputs=["b"])], "not a source"),
    ("circle", [InputContext("a", "", "x", inputs=["b"]), InputContext("b", "", "x", inputs=["a"])], "circle"),
    ("same-id", [InputContext("a", "", "x"), InputContext("a", "", "x", inputs=["a"])], "ids of their own"),
]


@pytest.mark.parametrize(("contexts", "shown"), [row[1:] for row in BAD_GRAPHS], ids=[row[0] for row in BAD_GRAPHS])
def test_a_graph_that_is_none_is_refused(contexts: list[InputContext], shown: str) -> None:
    with pytest.raises(ConfigurationError, match=shown):
        InputClaimVerificationEvaluator("", "", contexts)


def test_inputs_are_a_list_of_ids() -> None:
    with pytest.raises(ConfigurationError, match="inputs"):
        InputContext("a", "", "x", inputs="b")
