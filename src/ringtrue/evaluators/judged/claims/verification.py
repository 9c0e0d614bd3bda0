"""Verification: evidence for each claim, then a verdict on that evidence alone, stage by stage, after VeriTrail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest

from ringtrue.evaluators.judged.claims.config import ClaimVerificationEvaluatorConfig
from ringtrue.evaluators.judged.claims.decided_by_code import settle
from ringtrue.evaluators.judged.claims.forms import Entry, Form, Material, together
from ringtrue.evaluators.judged.claims.records import ANSWER, OutputClaimVerificationEvaluator, Round, Verdict
from ringtrue.evaluators.judged.claims.sources import Sources
from ringtrue.evaluators.judged.schemas import LINE, PERCENT, TEXT, choice, several
from ringtrue.evaluators.judged.session import JudgeSession, NoVerdict
from ringtrue.models.structured.features import too_long
from ringtrue.models.structured.structured_model import NoValue
from ringtrue.records import Json
from ringtrue.scoring.facts.exact_facts import unmet

NEEDS_A_SOURCE = "no"
OPEN = ("code", "creative", "opinion", "forecast", "definition", "synthesis", "common_knowledge")
MOST_EVIDENCE = 12
LEAST_LOOK = 250
"""A model whose context holds fewer tokens of the sources cannot judge by them."""
LEAST_FOR_A_CLAIM = 500
"""Tokens of long sources shown for each claim at least; otherwise fewer claims share a call."""
VERDICTS = ("supported", "partially_supported", "contradicted", "not_found", "inconclusive")


def _open_flaw(entry: Json) -> str:
    word, probability = entry["open_domain"], entry["open_domain_probability"]
    contradicts = probability > 50 if word == NEEDS_A_SOURCE else probability < 50
    return f"'open_domain' is {word!r} and its probability {probability:g}, which contradict" if contradicts else ""


def _verdict_flaw(entry: Json) -> str:
    verdict, probability = entry["verdict"], entry["probability"]
    low, high = verdict == "supported" and probability < 50, verdict in ("contradicted", "not_found")
    contradicts = low or (high and probability > 50)
    return f"'verdict' is {verdict!r} and 'probability' is {probability:g}, which contradict" if contradicts else ""


EVIDENCE = Form(
    "claim_evidence",
    "claim",
    {"evidence": several(LINE), "open_domain": choice(NEEDS_A_SOURCE, *OPEN), "open_domain_probability": PERCENT},
    _open_flaw,
    grows=False,
)
VERDICT = Form(
    "claim_verdict",
    "claim",
    {"reasoning": TEXT, "evidence": several(LINE), "verdict": choice(*VERDICTS), "probability": PERCENT},
    _verdict_flaw,
)


@dataclass
class Claim:
    """A claim on its way: what is known of it, which sources are next, and what was found in those before."""

    number: int
    known: OutputClaimVerificationEvaluator
    candidates: frozenset[int] = frozenset()
    checked: set[int] = field(default_factory=set)
    evidence: list[int] = field(default_factory=list)
    shown: set[int] = field(default_factory=set)
    cited: Sequence[int] = ()
    rounds: list[Round] = field(default_factory=list)
    unsupported: int = 0

    @property
    def text(self) -> str:
        """The claim."""
        return self.known.claim

    def conclude(
        self, verdict: Verdict, proof: str, probability: float, cited: Sequence[int], sources: Sources
    ) -> None:
        """Note the verdict of one round."""
        self.cited = cited
        citations = [sources.citation(number) for number in cited]
        self.known = replace(
            self.known, verdict=verdict, proof=proof, verified_probability=probability, citations=citations
        )
        stages = tuple(dict.fromkeys(sources.stage(one) for one in sorted(sources.sources_of(cited))))
        self.rounds.append(Round(verdict, stages, tuple(citations)))

    def fail(self, malformed: NoValue, what: str) -> None:
        """Note that the judge gave no usable word on it; it is looked at no further."""
        self.known = replace(self.known, verdict="error", proof=str(NoVerdict(malformed, what)), citations=[])
        self.candidates = frozenset()


class Verification:
    """The verdicts on claims against one set of sources."""

    def __init__(self, sources: Sources, config: ClaimVerificationEvaluatorConfig, session: JudgeSession) -> None:
        self.sources, self.config, self.session = sources, config, session
        self.room = config.max_source_tokens
        """How many tokens of the sources are shown at once; less where the judge's context turns out to be smaller."""

    async def verify(self, claims: Sequence[Claim]) -> list[OutputClaimVerificationEvaluator]:
        """The verdicts on claims that share calls, in their order."""
        for claim in claims:
            self._begin(claim)
        while open_claims := [claim for claim in claims if claim.candidates]:
            groups: dict[frozenset[int], list[Claim]] = {}
            for claim in open_claims:
                groups.setdefault(claim.candidates, []).append(claim)
            await together(self._round(group, candidates) for candidates, group in groups.items())
            for claim in open_claims:
                if claim.known.verdict != "error":
                    self._advance(claim)
        return [self._finish(claim) for claim in claims]

    def _begin(self, claim: Claim) -> None:
        everything = frozenset(range(len(self.sources.contexts)))
        known = settle(claim.text, self.sources, self.sources.numbers(self.sources.roots(everything)))
        # In stages, a claim that a source contradicts is traced to where it came from.
        if known is None or (self.sources.is_staged and known.verdict != "supported"):
            claim.candidates = self.sources.last()
            return
        supported = known.verdict == "supported"
        claim.conclude(known.verdict, known.proof, 100.0 if supported else 0.0, [known.number], self.sources)
        claim.known = replace(claim.known, decided_by="code")

    async def _round(self, claims: Sequence[Claim], candidates: frozenset[int]) -> None:
        """Evidence among these sources, then the verdicts of those that have some."""
        numbers = self.sources.numbers(candidates)
        for claim in claims:
            claim.checked |= candidates
            claim.evidence, claim.shown = [], set()
        await self._looks(claims, numbers)
        found = [claim for claim in claims if claim.evidence]
        for claim in claims:
            claim.known = replace(claim.known, searched=min(claim.known.searched, len(claim.shown) / len(numbers)))
            if not claim.evidence and claim.known.verdict != "error":
                self._conclude_without_evidence(claim, len(numbers))
        if found:
            await self._decide(found, candidates)

    def _conclude_without_evidence(self, claim: Claim, passages: int) -> None:
        shown = len(claim.shown)
        if shown == passages:
            claim.conclude("not_found", "No passage of the sources speaks of it.", 0.0, [], self.sources)
            return
        proof = f"None of the {shown:,} passages that were shown, of {passages:,}, speaks of it."
        claim.conclude("inconclusive", proof, 0.0, [], self.sources)

    async def _looks(self, claims: Sequence[Claim], numbers: Sequence[int]) -> None:
        """Look for evidence for all claims at once, or for fewer where the sources do not fit and room is short."""
        fits = self.sources.tokens(numbers) <= self.room
        size = len(claims) if fits else max(1, self.room // LEAST_FOR_A_CLAIM)
        groups = [claims[at : at + size] for at in range(0, len(claims), size)]
        await together(self._look(group, numbers) for group in groups)

    async def _look(self, claims: Sequence[Claim], numbers: Sequence[int]) -> None:
        waiting = list(claims)
        looks = search(self.sources, [claim.text for claim in claims], numbers, self.room)
        for _, shown in zip(range(self.config.search_rounds), looks, strict=False):
            by_number = {claim.number: claim for claim in waiting}
            entries = await EVIDENCE.fill(self.session, list(by_number), self._material(shown, by_number), "evidence")
            if self._is_too_much(shown, entries.values()):
                await self._looks(waiting, numbers)
                return
            allowed = set(shown)
            for claim in waiting:
                claim.shown |= allowed
            for number, entry in entries.items():
                self._note(by_number[number], entry, allowed)
            waiting = [claim for claim in waiting if not claim.evidence and claim.known.verdict != "error"]
            if not waiting:
                return

    def _is_too_much(self, shown: Sequence[int], entries: Iterable[Entry]) -> bool:
        """Whether the judge's context is too small for what was shown; then the next look is half as large."""
        tokens = self.sources.tokens(shown)
        long = any(isinstance(entry, NoValue) and too_long(entry.reason) for entry in entries)
        if long and tokens > LEAST_LOOK:
            self.room = min(self.room, tokens // 2)
        return long and tokens > LEAST_LOOK

    def _material(self, shown: Sequence[int], claims: Mapping[int, Claim]) -> Material:
        passages = self.sources.shown_passages(shown)
        return lambda some: {
            "sources": passages,
            "claims": "\n".join(f"{number}: {claims[number].text}" for number in some),
        }

    def _note(self, claim: Claim, entry: Mapping[str, Json] | NoValue, allowed: set[int]) -> None:
        if isinstance(entry, NoValue):
            claim.fail(entry, "its evidence")
            return
        # A number that was not shown is not evidence, however sure the judge is.
        named = sorted({number for number in entry["evidence"] if number in allowed})
        if len(named) > MOST_EVIDENCE:
            # Those that share words with the claim first; a translation shares none.
            named = list(dict.fromkeys([*self.sources.ranked_passages(claim.text, named), *named]))[:MOST_EVIDENCE]
        claim.evidence = sorted(named)
        probability = entry["open_domain_probability"]
        is_open = entry["open_domain"] != NEEDS_A_SOURCE and probability >= self.config.is_open_domain_threshold
        claim.known = replace(
            claim.known,
            open_domain_justification="" if entry["open_domain"] == NEEDS_A_SOURCE else entry["open_domain"],
            open_domain_probability=probability,
            is_open_domain=is_open,
        )

    async def _decide(self, claims: Sequence[Claim], candidates: frozenset[int]) -> None:
        by_number = {claim.number: claim for claim in claims}
        whole = self.sources.whole(candidates)
        missing = {
            claim.number: unmet(claim.text, self.sources.text(self.sources.around(claim.evidence)), whole)
            for claim in claims
        }

        def material(some: Sequence[int]) -> dict[str, str]:
            shown = self.sources.around(number for one in some for number in by_number[one].evidence)
            lines = [_listed_claim(by_number[number], missing[number]) for number in some]
            return {"sources": self.sources.shown_passages(shown), "claims": "\n".join(lines)}

        entries = await VERDICT.fill(self.session, list(by_number), material, "verdict")
        for number, entry in entries.items():
            claim = by_number[number]
            if isinstance(entry, NoValue):
                claim.fail(entry, "its verdict")
            else:
                self._judge(claim, entry, missing[number])

    def _judge(self, claim: Claim, entry: Mapping[str, Json], missing: list[str]) -> None:
        verdict, probability, proof = entry["verdict"], entry["probability"], entry["reasoning"]
        cited = sorted(set(entry["evidence"]) & set(self.sources.around(claim.evidence)))
        decided_by = claim.known.decided_by
        if verdict == "supported" and not cited:
            verdict, probability, decided_by = "not_found", 0.0, "code"
            proof = f"{proof} (no passage that was shown is cited)"
        elif verdict == "supported" and missing:
            verdict, probability, decided_by = "inconclusive", 0.0, "code"
            proof = f"{proof} (the evidence does not say {', '.join(map(repr, missing))})"
        elif verdict == "supported" and probability < self.config.verification_threshold:
            verdict = "inconclusive"
        claim.conclude(verdict, proof, probability, cited, self.sources)
        claim.known = replace(claim.known, unmet=missing, decided_by=decided_by)

    def _advance(self, claim: Claim) -> None:
        """Choose which sources are looked at next: back to those that the evidence was made from."""
        examined, evidence = claim.candidates, self.sources.sources_of(claim.evidence)
        if claim.evidence and claim.known.verdict in ("supported", "inconclusive"):
            claim.unsupported = 0
            following = self.sources.made_from(evidence) | self.sources.roots(evidence)
        else:
            claim.unsupported += 1
            following = self.sources.made_from(examined)
        over = following <= claim.checked or claim.unsupported >= self.config.unsupported_rounds
        claim.candidates = frozenset() if over else following
        if over and claim.known.verdict == "supported" and not self.sources.roots(self.sources.sources_of(claim.cited)):
            proof = f"{claim.known.proof} (but none of the first sources supports it)"
            claim.known = replace(claim.known, verdict="not_found", proof=proof, verified_probability=0.0)

    def _finish(self, claim: Claim) -> OutputClaimVerificationEvaluator:
        result = claim.known
        if not self.sources.is_staged or result.verdict == "error":
            return result
        borne_out = [one.stages for one in claim.rounds if one.verdict == "supported"]
        stages = () if result.verdict == "supported" else borne_out[-1] if borne_out else (ANSWER,)
        return replace(result, error_stages=stages, trail=tuple(claim.rounds))


def _listed_claim(claim: Claim, missing: Sequence[str]) -> str:
    note = f" (not in the evidence as written: {'; '.join(missing)})" if missing else ""
    return f"{claim.number}: {claim.text} (evidence: {', '.join(map(str, claim.evidence))}){note}"


def search(sources: Sources, claims: Sequence[str], numbers: Sequence[int], most_tokens: int) -> Iterator[list[int]]:
    """Yield the passages to show in each round: all of them if they fit, else the nearest to the claims first.

    Claims take turns; a passage comes with its neighbours; what shares no word with a claim comes last, in order. No
    passage is shown twice.
    """
    if sources.tokens(numbers) <= most_tokens:
        yield list(numbers)
        return
    waiting = _in_turns(sources, claims, numbers)
    allowed, shown = set(numbers), set[int]()
    look: set[int] = set()
    room = most_tokens
    for number in waiting:
        fresh = [one for one in sources.around([number]) if one in allowed and one not in shown and one not in look]
        needed = sources.tokens(fresh)
        if look and needed > room:
            yield sorted(look)
            shown |= look
            look, room = set(), most_tokens
        look.update(fresh)
        room -= needed
    if look:
        yield sorted(look)


def _in_turns(sources: Sources, claims: Sequence[str], numbers: Sequence[int]) -> Iterator[int]:
    rankings = [sources.ranked_passages(claim, numbers) for claim in claims]
    found = (number for turn in zip_longest(*rankings) for number in turn if number is not None)
    return iter(dict.fromkeys(chain(found, numbers)))
