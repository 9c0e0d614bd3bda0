"""The outcome of verified claims: its numbers, the score, and the feedback for a generator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ringtrue.dialects.evaluation_output import percent
from ringtrue.evaluators.judged.claims.records import (
    OutputClaimVerificationEvaluator,
    OutputClaimVerificationEvaluatorMetrics,
    OutputSentence,
)
from ringtrue.evaluators.judged.feedback import feedback
from ringtrue.evaluators.judged.judge import plain
from ringtrue.records import Json, Score
from ringtrue.stats.intervals import wilson


@dataclass(frozen=True)
class LostParts:
    """The sentences and claims that could not be judged."""

    asked: Sequence[OutputSentence]
    found: Sequence[OutputClaimVerificationEvaluator]

    @property
    def sentences(self) -> list[OutputSentence]:
        """The sentences whose claims are not known."""
        return [one for one in self.asked if one.status == "error"]

    @property
    def claims(self) -> list[OutputClaimVerificationEvaluator]:
        """The claims without a verdict."""
        return [one for one in self.found if one.verdict == "error"]

    @property
    def share(self) -> float:
        """The share of the sentences that was lost, or that of the claims if it is larger; 1 leaves nothing."""
        return max(lost / everything if lost else 0.0 for _, lost, everything in self._counts())

    def summary_text(self) -> str:
        """Return how many were lost, of how many, and why the first one was."""
        counts = [f"{lost} of {everything} {what}" for what, lost, everything in self._counts() if lost]
        first = [*(one.reason for one in self.sentences), *(one.proof for one in self.claims)][0]
        return f"{' and '.join(counts)} could not be judged; the first: {first}"

    def feedback(self) -> str | None:
        """List the lost sentences and claims."""
        items = [{"sentence": one.sentence, "unjudged_reasoning": one.reason} for one in self.sentences]
        items += [{"sentence": one.sentence, "unjudged_reasoning": f"{one.claim} {one.proof}"} for one in self.claims]
        return feedback("It is not known whether the sources support these:", items)

    def _counts(self) -> list[tuple[str, int, int]]:
        return [
            ("sentences", len(self.sentences), len(self.asked)),
            ("claims", len(self.claims), len(self.found)),
        ]


def score_of_claims(
    claims: Sequence[OutputClaimVerificationEvaluator],
    asked: Sequence[OutputSentence],
    threshold: float,
    *,
    silent: Sequence[OutputSentence] = (),
    max_lost_share: float = 0.0,
) -> Score:
    """Supported closed-domain claims / closed-domain claims, of those that could be judged.

    None of them is not applicable. `silent` are headings and code, which are not judged. It is an error where
    nothing was judged, or where more than `max_lost_share` of the asked sentences or of the claims was lost.
    """
    lost = LostParts(asked, claims)
    closed = [claim for claim in claims if claim.verdict != "error" and not claim.is_open_domain]
    supported = [claim for claim in closed if claim.verdict == "supported"]
    sentences = sorted([*asked, *silent], key=lambda one: one.start_index)
    metadata: dict[str, Json] = {
        "total_claims": len(claims),
        "num_closed_domain_supported": len(supported),
        "num_open_domain_claims": len(claims) - len(lost.claims) - len(closed),
        "total_claims_closed_domain": len(closed),
        "lost_sentences": len(lost.sentences),
        "lost_claims": len(lost.claims),
        "partly_searched": sum(claim.searched < 1 for claim in claims),
        "verdicts": dict(Counter(claim.verdict for claim in claims)),
        "claims": plain(claims),
        "sentences": plain(sentences),
        "feedback": "\n".join(filter(None, [_feedback(closed), lost.feedback()])) or None,
    }
    if lost.share > max_lost_share or lost.share == 1:
        return Score.error(lost.summary_text(), kind="unjudged", **metadata)
    also = f"; {lost.summary_text()}" if lost.share else ""
    if not claims:
        return Score.skipped(f"no_claims: the text makes no claim that can be verified{also}", **metadata)
    if not closed:
        return Score.skipped(f"all_open_domain: no claim of the text needs a source{also}", **metadata)
    value = len(supported) / len(closed)
    metadata["interval"] = list(wilson(len(supported), len(closed)))
    return Score(value, status="scored", passed=value >= threshold, reason=_counts(closed) + also, metadata=metadata)


def _counts(closed: Sequence[OutputClaimVerificationEvaluator]) -> str:
    counts = Counter(claim.verdict for claim in closed)
    others = "".join(f", {count} {verdict}" for verdict, count in counts.items() if verdict != "supported")
    return f"{counts['supported']} of {len(closed)} claims supported{others}"


def nothing(status: Literal["skipped", "error"], reason: str) -> Score:
    """A score without any claim, and why."""
    return Score.skipped(reason, **NOTHING.metadata) if status == "skipped" else Score.error(reason, **NOTHING.metadata)


def metrics(score: Score) -> OutputClaimVerificationEvaluatorMetrics:
    """A score as the evaluation returns it."""
    known = score.metadata
    return OutputClaimVerificationEvaluatorMetrics(
        known.get("total_claims", 0),
        percent(score),
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
    """List the unsupported claims, sentence by sentence: the same claims that the score counts as such."""
    by_sentence: dict[tuple[int, int], list[OutputClaimVerificationEvaluator]] = {}
    for claim in closed:
        if claim.verdict != "supported":
            by_sentence.setdefault((claim.start_index, claim.end_index), []).append(claim)
    items: list[dict[str, str]] = []
    for claims in by_sentence.values():
        items.append({"sentence": claims[0].sentence})
        items += [{"unverified_reasoning": _complaint(claim)} for claim in claims]
    return feedback("The sources do not support these sentences:", items)


def _complaint(claim: OutputClaimVerificationEvaluator) -> str:
    said = " … ".join(citation.cited_text for citation in claim.citations[:3])
    verdict = claim.verdict.replace("_", " ")
    return f"{claim.claim} ({verdict}) {claim.proof}" + (f" The source says: {said}" if said else "")


NOTHING = score_of_claims([], [], 0.0)
"""The score of a text without claims."""
