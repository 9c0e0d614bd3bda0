"""The outcome of verified claims: the documented numbers, the score, and what a generator is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from ringtrue.evaluators.judged.claims.records import (
    OutputClaimVerificationEvaluator,
    OutputClaimVerificationEvaluatorMetrics,
    OutputSentence,
)
from ringtrue.evaluators.judged.feedback import feedback
from ringtrue.evaluators.judged.judged import plain
from ringtrue.metrics.stats import wilson
from ringtrue.records import Json, Score


def scored(
    claims: Sequence[OutputClaimVerificationEvaluator], sentences: Sequence[OutputSentence], threshold: float
) -> Score:
    """Supported closed-domain claims / closed-domain claims; none of them is not applicable, a lost one an error."""
    closed = [claim for claim in claims if not claim.is_open_domain]
    supported = [claim for claim in closed if claim.verdict == "supported"]
    metadata: dict[str, Json] = {
        "total_claims": len(claims),
        "num_closed_domain_supported": len(supported),
        "num_open_domain_claims": len(claims) - len(closed),
        "total_claims_closed_domain": len(closed),
        "verdicts": dict(Counter(claim.verdict for claim in claims)),
        "claims": plain(claims),
        "sentences": plain(sentences),
        "feedback": _feedback(closed),
    }
    lost = [one.reason for one in sentences if one.status == "error"]
    lost += [one.proof for one in claims if one.verdict == "error"]
    if lost:
        what = f"{len(lost)} of {len(sentences)} sentences and {len(claims)} claims could not be judged"
        return Score.error(f"{what}; the first: {lost[0]}", kind="unjudged", **metadata)
    if not claims:
        return Score.skipped("no_claims: the text makes no claim that can be verified", **metadata)
    if not closed:
        return Score.skipped("all_open_domain: no claim of the text needs a source", **metadata)
    value = len(supported) / len(closed)
    metadata["interval"] = list(wilson(len(supported), len(closed)))
    reason = f"{len(supported)} of {len(closed)} claims supported"
    others = Counter(claim.verdict for claim in closed if claim.verdict != "supported")
    reason += "".join(f", {count} {verdict}" for verdict, count in others.items())
    return Score(value, "scored", value >= threshold, reason, metadata=metadata)


def nothing(status: Literal["skipped", "error"], reason: str) -> Score:
    """A score without any claim, and why."""
    return Score.skipped(reason, **NOTHING.metadata) if status == "skipped" else Score.error(reason, **NOTHING.metadata)


def metrics(score: Score) -> OutputClaimVerificationEvaluatorMetrics:
    """A score in the documented words."""
    known = score.metadata
    return OutputClaimVerificationEvaluatorMetrics(
        known.get("total_claims", 0),
        0.0 if score.value is None else 100.0 * score.value,
        score.value is None,
        known.get("num_closed_domain_supported", 0),
        known.get("num_open_domain_claims", 0),
        known.get("total_claims_closed_domain", 0),
        score.status,
        score.reason,
        tuple(OutputSentence(**{**one, **_tuples(one)}) for one in known.get("sentences", ())),
        {name: value for name, value in known.items() if name not in ("claims", "sentences")},
    )


def _tuples(sentence: Mapping[str, Json]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(sentence[name]) for name in ("claims", "dropped")}


def _feedback(closed: Sequence[OutputClaimVerificationEvaluator]) -> str | None:
    """What is not supported, sentence by sentence: the same claims that the score counts as such."""
    by_sentence: dict[tuple[int, int], list[OutputClaimVerificationEvaluator]] = {}
    for claim in closed:
        if claim.verdict not in ("supported", "error"):
            by_sentence.setdefault((claim.start_index, claim.end_index), []).append(claim)
    items: list[dict[str, str]] = []
    for claims in by_sentence.values():
        items.append({"sentence": claims[0].sentence})
        items += [{"unverified_reasoning": _complaint(claim)} for claim in claims]
    return feedback("The sources do not bear out these sentences:", items)


def _complaint(claim: OutputClaimVerificationEvaluator) -> str:
    said = " … ".join(citation.cited_text for citation in claim.citations[:3])
    verdict = claim.verdict.replace("_", " ")
    return f"{claim.claim} ({verdict}) {claim.proof}" + (f" The source says: {said}" if said else "")


NOTHING = scored([], [], 0.0)
"""The score of a text without claims."""
