"""`Pipeline`: from a text to verified claims; claims are verified while later sentences are still being read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from ringtrue.evaluators.judged.claims.config import ClaimVerificationEvaluatorConfig
from ringtrue.evaluators.judged.claims.extraction import Extraction
from ringtrue.evaluators.judged.claims.outcome import nothing, score_of_claims
from ringtrue.evaluators.judged.claims.records import (
    InputClaimVerificationEvaluator,
    OutputClaimVerificationEvaluator,
    OutputSentence,
)
from ringtrue.evaluators.judged.claims.sources import Sources
from ringtrue.evaluators.judged.claims.verification import Claim, Verification
from ringtrue.evaluators.judged.session import JudgeSession
from ringtrue.records import Score
from ringtrue.scoring.facts.exact_facts import normal

Emit = Callable[[OutputClaimVerificationEvaluator], None]
Verified = asyncio.Task[list[OutputClaimVerificationEvaluator]]


class Pipeline:
    """One evaluation; each claim is handed to `emit` when it is verified. Two sessions: who extracts, who verifies."""

    def __init__(
        self, config: ClaimVerificationEvaluatorConfig, extracting: JudgeSession, verifying: JudgeSession, emit: Emit
    ) -> None:
        self.config, self.emit = config, emit
        self.extracting, self.verifying = extracting, verifying
        self.claims: dict[str, Claim] = {}
        self.again: dict[int, list[tuple[int, int]]] = {}

    async def score(self, given: InputClaimVerificationEvaluator, threshold: float) -> Score:
        """The score of a text against its sources."""
        # Sources may be long, and other trials run on this loop.
        sources = await asyncio.to_thread(Sources, given.source_context, self.config.max_line_length)
        if not sources.spots:
            return nothing("skipped", "no_sources: there are no sources to check the claims against")
        extraction = Extraction(given.text, given.user_question, self.config, self.extracting)
        batches = extraction.batches()
        count, most = sum(map(len, batches)), self.config.max_sentences
        if count > most:
            return nothing("error", f"the text has {count:,} sentences; max_sentences is {most:,}")
        verification = Verification(sources, self.config, self.verifying)
        try:
            async with asyncio.TaskGroup() as group:
                sentences, verified = await self._start(extraction, batches, verification, group)
        except ExceptionGroup as several:
            raise several.exceptions[0] from None
        claims = [claim for task in verified for claim in task.result()]
        results = [replace(claim, also_at=self._also_at(number)) for number, claim in enumerate(claims, 1)]
        return score_of_claims(
            results,
            sentences,
            threshold,
            silent=list(extraction.silent()),
            max_lost_share=self.config.max_lost_share,
        )

    async def _start(
        self,
        extraction: Extraction,
        batches: Sequence[Sequence[int]],
        verification: Verification,
        group: asyncio.TaskGroup,
    ) -> tuple[list[OutputSentence], list[Verified]]:
        """All sentences with their claims, in the order of the text, and the verifications under way."""
        # Batches are read to their end before others are begun: the first claims come early.
        places = asyncio.Semaphore(self.config.max_concurrency)

        async def read(batch: Sequence[int]) -> list[OutputSentence]:
            async with places:
                return await extraction.extract(batch)

        reading = [group.create_task(read(batch)) for batch in batches]
        sentences: list[OutputSentence] = []
        waiting: list[Claim] = []
        verified: list[Verified] = []
        size = self.config.claims_per_call
        for task in reading:
            found = await task
            sentences += found
            waiting += [claim for sentence in found for claim in self._fresh(sentence)]
            while len(waiting) >= size or (waiting and task is reading[-1]):
                before = verified[-1] if verified else None
                verified.append(group.create_task(self._verify(waiting[:size], verification, before)))
                waiting = waiting[size:]
        return sentences, verified

    async def _verify(
        self, claims: Sequence[Claim], verification: Verification, before: Verified | None
    ) -> list[OutputClaimVerificationEvaluator]:
        results = await verification.verify(claims)
        if before is not None and self.config.order == "text":
            await before
        for claim, one in zip(claims, results, strict=True):
            self.emit(replace(one, also_at=self._also_at(claim.number)))
        return results

    def _also_at(self, number: int) -> tuple[tuple[int, int], ...]:
        """The other places of a claim that are known by now."""
        return tuple(self.again.get(number, ()))

    def _fresh(self, sentence: OutputSentence) -> list[Claim]:
        """The claims of a sentence that no sentence before it has made."""
        fresh = []
        for text in sentence.claims:
            known = self.claims.get(normal(text))
            if known is not None:
                self.again.setdefault(known.number, []).append((sentence.start_index, sentence.end_index))
                continue
            results = OutputClaimVerificationEvaluator(
                sentence.sentence, sentence.start_index, sentence.end_index, text
            )
            claim = self.claims[normal(text)] = Claim(len(self.claims) + 1, results)
            fresh.append(claim)
        return fresh
