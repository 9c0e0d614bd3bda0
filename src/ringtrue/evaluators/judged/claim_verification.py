"""`ClaimVerificationEvaluator`: checks each claim of a text against its sources (after Claimify and VeriTrail)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from copy import copy

from ringtrue.evaluators.judged.claims.config import ClaimVerificationEvaluatorConfig
from ringtrue.evaluators.judged.claims.outcome import NOTHING, metrics, score_of_claims
from ringtrue.evaluators.judged.claims.pipeline import Emit, Pipeline
from ringtrue.evaluators.judged.claims.records import (
    Citation,
    InputClaimVerificationEvaluator,
    InputContext,
    OutputClaimVerificationEvaluator,
    OutputClaimVerificationEvaluatorMetrics,
    OutputSentence,
)
from ringtrue.evaluators.judged.claims.transcript import claim_input
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.session import JudgeSession
from ringtrue.models.structured.question import Question
from ringtrue.models.structured.structured_model import REASONS_BY_ITSELF, Outcome, StructuredModel
from ringtrue.records import Json, Score, Trial

__all__ = [
    "Citation",
    "ClaimVerificationEvaluator",
    "ClaimVerificationEvaluatorConfig",
    "InputClaimVerificationEvaluator",
    "InputContext",
    "OutputClaimVerificationEvaluator",
    "OutputClaimVerificationEvaluatorMetrics",
    "OutputSentence",
]


class ClaimVerificationEvaluator(Judge):
    """Supported claims / claims that need a source; a claim without a valid citation is never supported.

    Sentences are split by structure, selected, disambiguated and decomposed into claims; each claim gets evidence by
    passage number, then a verdict on that evidence. Quotations, dates, amounts and units are compared by code.
    """

    default_name = "claim_verification"
    parts = ("claim_verification",)
    needs = "a transcript or input, output and context; or `source_context`, a list of sources"
    formula = "supported closed-domain claims / closed-domain claims"
    prompts = ("claim_selection", "claim_disambiguation", "claim_decomposition", "claim_evidence", "claim_verdict")
    config_class = ClaimVerificationEvaluatorConfig
    unmeasured = NOTHING.metadata
    config: ClaimVerificationEvaluatorConfig

    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """The last answer against all that was said before it but the assistant's own words."""
        wanted = asyncio.Event()
        wanted.set()
        return await self._judge_claims(
            claim_input(trial, self.config.ignore_tool_names), session, lambda claim: None, wanted
        )

    async def run(
        self, input: InputClaimVerificationEvaluator
    ) -> AsyncGenerator[OutputClaimVerificationEvaluator | OutputClaimVerificationEvaluatorMetrics, None]:
        """Yield each claim as soon as it is verified, then the metrics.

        Leaving early cancels all requests in flight, and nothing new is asked until the next result is awaited.
        """
        self.prepare()
        wanted = asyncio.Event()
        wanted.set()
        claims_so_far: asyncio.Queue[OutputClaimVerificationEvaluator | None] = asyncio.Queue()
        task = asyncio.create_task(
            self._once(lambda session: self._judge_claims(input, session, claims_so_far.put_nowait, wanted), repeat=0)
        )
        task.add_done_callback(lambda _: claims_so_far.put_nowait(None))
        try:
            while (claim := await claims_so_far.get()) is not None:
                wanted.clear()
                yield claim
                wanted.set()
            yield metrics(task.result())
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def feedback(self, claims: Sequence[OutputClaimVerificationEvaluator]) -> str | None:
        """Feedback for a generator: the claims that the score counts as not supported."""
        claims_so_far: str | None = score_of_claims(claims, (), self.threshold).metadata["feedback"]
        return claims_so_far

    async def _judge_claims(
        self, input: InputClaimVerificationEvaluator, session: JudgeSession, emit: Emit, wanted: asyncio.Event
    ) -> Score:
        verifier = self.config.verification_model
        effort = {"reasoning_effort": self.config.verification_reasoning_effort}
        asked = session.structured_model.target(verifier)[1]
        pipeline = Pipeline(
            self.config,
            _voting(beside(session, self.config.claim_extraction_model, wanted), self.config.votes),
            beside(session, verifier, wanted, effort if REASONS_BY_ITSELF.match(asked) else {}),
            emit,
        )
        return await pipeline.score(input, self.threshold)


def _voting(session: JudgeSession, votes: int) -> JudgeSession:
    """A session whose votes may differ: at temperature 0 they would be one vote, counted several times."""
    if votes > 1:
        session.temperature = None
    return session


class OnDemand(StructuredModel):
    """Another one with its memory, its model and more parameters; no question starts before it is wanted."""

    def __init__(
        self, structured_model: StructuredModel, wanted: asyncio.Event, parameters: Mapping[str, Json]
    ) -> None:
        self.__dict__.update(structured_model.__dict__)
        self.parameters = {**parameters, **structured_model.parameters}
        self.wanted = wanted

    async def ask(self, question: Question, model: str = "", **limits: float | None) -> Outcome:
        """The answer to a question, once it is wanted."""
        await self.wanted.wait()
        return await super().ask(question, model, **limits)


def beside(
    session: JudgeSession, model: str, wanted: asyncio.Event, parameters: Mapping[str, Json] | None = None
) -> JudgeSession:
    """A session with the same bill and the same limit that asks another model, only when wanted."""
    other = copy(session)
    other.model = model
    other.structured_model = OnDemand(session.structured_model, wanted, parameters or {})
    return other
