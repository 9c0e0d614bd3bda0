"""The inputs and outputs of claim verification: each claim with its verdict, then the metrics."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import BaseModel, Field

from ringtrue.evaluators import InputClaimVerificationEvaluator as NativeInputClaimVerificationEvaluator
from ringtrue.evaluators import InputContext as NativeInputContext
from ringtrue.records import Status


class InputContext(BaseModel):
    """A source: its id, title and text."""

    source_id: str
    title: str
    content: str


class InputClaimVerificationEvaluator(BaseModel):
    """A text, the question it answers, and the sources it is compared with."""

    text: str
    user_question: str
    source_context: list[InputContext]

    def judged(self) -> NativeInputClaimVerificationEvaluator:
        """The input as ringtrue's evaluator takes it."""
        contexts = [NativeInputContext(**dict(one)) for one in self.source_context]
        return NativeInputClaimVerificationEvaluator(self.text, self.user_question, contexts)


class OutputCitation(BaseModel):
    """A passage of a source: its words and where they are; lines count from 1, characters from 0, end excluded."""

    source_id: str
    cited_text: str
    title: str = ""
    start_line: int = 0
    end_line: int = 0
    start_index: int = 0
    end_index: int = 0


class OutputSentenceSplittingStep(BaseModel):
    """A sentence, where it is in the text, and what is around it."""

    sentence: str
    start_index: int
    end_index: int
    preceding_sentences: list[str]
    following_sentences: list[str]
    sentence_with_surrounding_context: str


class OutputClaimVerificationStep(BaseModel):
    """The result of the look at one claim; probabilities are 0 to 100."""

    proof: str
    citations: list[OutputCitation]
    verified_probability: float = 0
    open_domain_justification: str = ""
    open_domain_probability: float = 0
    is_open_domain: bool = False


class OutputClaimVerificationEvaluator(BaseModel):
    """One claim, where its sentence is in the text, and its verdict; it has citations where it is supported.

    `evidence` are the passages that the verdict rests on, for or against. Probabilities are 0 to 100. `decided_by`
    says who decided, `unmet` what of the claim the evidence does not hold, `also_at` where the text says it again,
    `searched` which share of the sources was looked through.
    """

    sentence: str
    start_index: int
    end_index: int
    claim: str
    proof: str = ""
    citations: list[OutputCitation] = Field(default_factory=list)
    verified_probability: float = 0
    open_domain_justification: str = ""
    open_domain_probability: float = 0
    is_open_domain: bool = False
    verdict: str = "not_found"
    evidence: list[OutputCitation] = Field(default_factory=list)
    decided_by: Literal["code", "model"] = "model"
    unmet: list[str] = Field(default_factory=list)
    also_at: list[tuple[int, int]] = Field(default_factory=list)
    searched: float = 1.0

    @classmethod
    def of(cls, claim: Any) -> Self:
        """A claim as ringtrue returns it, as an object or a dict; its citations are of both kinds."""
        found = cls.model_validate(claim, from_attributes=True)
        cited = found.citations if found.verdict == "supported" else []
        return found.model_copy(update={"citations": cited, "evidence": found.citations})


class OutputClaimVerificationEvaluatorMetrics(BaseModel):
    """The numbers of all claims; where `status` is not "scored", `closed_domain_supported` is not a measurement."""

    total_claims: int
    closed_domain_supported: float
    ignore_metric_recommended: bool
    num_closed_domain_supported: int
    num_open_domain_claims: int
    total_claims_closed_domain: int
    status: Status = "scored"
    reason: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict, repr=False)
