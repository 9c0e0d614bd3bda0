"""The inputs and outputs of claim verification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Literal, TypeAlias

from ringtrue.records import Json, Status
from ringtrue.require import require, require_string, require_that

Verdict: TypeAlias = Literal["supported", "partially_supported", "contradicted", "not_found", "inconclusive", "error"]
SentenceStatus: TypeAlias = Literal["no_claims", "ambiguous", "claims", "error"]
ANSWER = "answer"
"""The stage of the text itself: an error that no intermediate output has entered there."""


@dataclass(frozen=True)
class InputContext:
    """A source: its id, title and text.

    A source that was made from other sources names them in `inputs`, and may name its `stage`; by default the stage is
    its distance from the original sources: "1", "2" ….
    """

    source_id: str
    title: str
    content: str
    stage: str = ""
    inputs: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in ("source_id", "title", "content", "stage"):
            value = getattr(self, name)
            require_string(name, value)
        listed = isinstance(self.inputs, (list, tuple)) and all(isinstance(one, str) for one in self.inputs)
        require_that(listed, "inputs", self.inputs, "a list of source ids")


@dataclass(frozen=True)
class InputClaimVerificationEvaluator:
    """A text, the question it answers, and its sources; sources with `inputs` form a graph."""

    text: str
    user_question: str
    source_context: Sequence[InputContext]

    def __post_init__(self) -> None:
        for name in ("text", "user_question"):
            value = getattr(self, name)
            require_string(name, value)
        contexts = self.source_context
        listed = isinstance(contexts, (list, tuple)) and all(isinstance(one, InputContext) for one in contexts)
        require_that(listed, "source_context", contexts, "a list of InputContext")
        if any(one.inputs for one in contexts):
            _require_graph(contexts)


@dataclass(frozen=True)
class Citation:
    """A passage of a source: its words and where they are; lines count from 1, characters from 0, end excluded."""

    source_id: str
    cited_text: str
    title: str
    start_line: int
    end_line: int
    start_index: int
    end_index: int
    stage: str = ""


@dataclass(frozen=True)
class Round:
    """One look at some of the sources: the verdict on what they say, the stages with evidence, and the evidence."""

    verdict: Verdict
    stages: tuple[str, ...]
    citations: tuple[Citation, ...]


@dataclass(frozen=True)
class OutputClaimVerificationEvaluator:
    """One claim with its verdict; `start_index` and `end_index` are the position of its sentence in the text.

    Only a claim with a citation can be `supported`. `verified_probability` is the judge's, 0 to 100; it is 0 if the
    judge cited nothing, or if code found that the evidence says something else. `decided_by` is `model` or `code`.
    `unmet` lists quotations, dates and amounts of the claim that are not in the evidence. `error_stages` names the
    stages of the sources where the error of an unsupported claim entered. `also_at` has the positions of repetitions.
    `searched` is the share of the passages that the judge saw; if it saw only a part and found nothing, the verdict is
    `inconclusive`.
    """

    sentence: str
    start_index: int
    end_index: int
    claim: str
    proof: str = ""
    citations: list[Citation] = field(default_factory=list)
    verified_probability: float = 0.0
    open_domain_justification: str = ""
    open_domain_probability: float = 0.0
    is_open_domain: bool = False
    verdict: Verdict = "not_found"
    decided_by: Literal["code", "model"] = "model"
    unmet: list[str] = field(default_factory=list)
    error_stages: tuple[str, ...] = ()
    trail: tuple[Round, ...] = ()
    also_at: tuple[tuple[int, int], ...] = ()
    searched: float = 1.0


@dataclass(frozen=True)
class OutputSentence:
    """One sentence of the text and what became of it; `agreement` is the share of votes for that.

    `dropped` are claims that say what the text does not.
    """

    sentence: str
    start_index: int
    end_index: int
    status: SentenceStatus
    reason: str = ""
    claims: tuple[str, ...] = ()
    agreement: float = 1.0
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True)
class OutputClaimVerificationEvaluatorMetrics:
    """The totals, in percent; if `status` is not "scored", ignore `closed_domain_supported`.

    `ignore_metric_recommended` says whether to.
    """

    total_claims: int
    closed_domain_supported: float
    ignore_metric_recommended: bool
    num_closed_domain_supported: int
    num_open_domain_claims: int
    total_claims_closed_domain: int
    status: Status = "scored"
    reason: str = ""
    sentences: tuple[OutputSentence, ...] = ()
    metadata: Mapping[str, Json] = field(default_factory=dict)


def _require_graph(contexts: Sequence[InputContext]) -> None:
    known = {one.source_id for one in contexts}
    unique = len(known) == len(contexts)
    require(unique, "sources that have inputs need ids of their own", parameter="source_context", value=sorted(known))
    for one in contexts:
        for name in one.inputs:
            message = f"source {one.source_id!r} names the input {name!r}, which is not a source"
            require(name in known, message, parameter="inputs", value=name)
    try:
        TopologicalSorter({one.source_id: one.inputs for one in contexts}).prepare()
    except CycleError as error:
        require(False, f"the sources form a circle: {error.args[1]!r}", parameter="inputs", value=error.args[1])
