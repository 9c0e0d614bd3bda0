"""`ClaimVerificationEvaluatorConfig`: who extracts and verifies, what counts as supported, and how calls are packed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.require import (
    require_choice,
    require_count,
    require_percent,
    require_share,
    require_string,
    require_texts,
    require_that,
)

Effort = Literal["minimal", "low", "medium", "high"]
Order = Literal["completion", "text"]
EXTRACTION_MODEL, VERIFICATION_MODEL = "gpt-5-mini", "gpt-5"


class _Usual(str):
    """The default name of a model: it follows `model` when a config is changed."""

    __slots__ = ()


@dataclass(frozen=True, kw_only=True)
class ClaimVerificationEvaluatorConfig(BaseEvaluatorConfig):
    """Models, thresholds in percent, and limits.

    `claim_extraction_model` and `verification_model` are "gpt-5-mini" and "gpt-5", or `model` where that is another.
    `verification_reasoning_effort` is sent to models that are known to have it (gpt-5, o1, o3 …). `max_line_length`
    bounds the passages of a source, in characters. Up to `sentences_per_call` sentences and `claims_per_call` claims
    share a call. Windows are how many sentences before and after one are shown: to selection, to the other stages.
    Selection and disambiguation are asked `votes` times, and `min_successes` (the majority unless given) must agree.
    Sources above `max_source_tokens` are searched, `search_rounds` times. With sources in stages, the search for a
    claim ends after `unsupported_rounds` stages in a row that do not support it. `order` is the order in which claims
    are yielded.
    Sentences and claims that could not be judged are left out, up to `max_lost_share` of either; beyond it the result
    is an error.
    """

    claim_extraction_model: str = ""
    verification_model: str = ""
    verification_reasoning_effort: Effort = "high"
    verification_threshold: float = 70
    is_open_domain_threshold: float = 50
    max_line_length: int = 200
    max_concurrency: int = 8
    ignore_tool_names: Sequence[str] = ()
    sentences_per_call: int = 15
    claims_per_call: int = 18
    selection_window: tuple[int, int] = (5, 5)
    context_window: tuple[int, int] = (5, 0)
    votes: int = 1
    min_successes: int | None = None
    max_source_tokens: int = 8_000
    search_rounds: int = 2
    unsupported_rounds: int = 3
    max_sentences: int = 1_000
    max_lost_share: float = 0.2
    order: Order = "completion"

    def __post_init__(self) -> None:
        super().__post_init__()
        named = self.model != BaseEvaluatorConfig.model
        for name, default in (
            ("claim_extraction_model", EXTRACTION_MODEL),
            ("verification_model", VERIFICATION_MODEL),
        ):
            value = getattr(self, name)
            require_string(name, value)
            if not value or isinstance(value, _Usual):
                object.__setattr__(self, name, _Usual(self.model if named else default))
        require_percent("verification_threshold", self.verification_threshold)
        require_percent("is_open_domain_threshold", self.is_open_domain_threshold)
        for name in (
            *("max_concurrency", "sentences_per_call", "claims_per_call", "votes", "max_source_tokens"),
            *("search_rounds", "unsupported_rounds", "max_sentences"),
        ):
            require_count(name, getattr(self, name))
        require_share("max_lost_share", self.max_lost_share)
        require_texts("ignore_tool_names", self.ignore_tool_names)
        self._require_choices()

    @property
    def successes(self) -> int:
        """The number of votes that a sentence needs to be kept."""
        return self.votes // 2 + 1 if self.min_successes is None else self.min_successes

    def _require_choices(self) -> None:
        for name, allowed in (("verification_reasoning_effort", get_args(Effort)), ("order", get_args(Order))):
            require_choice(name, getattr(self, name), allowed)
        require_count("max_line_length", self.max_line_length, least=40)
        for name in ("selection_window", "context_window"):
            window = getattr(self, name)
            holds = (
                isinstance(window, (tuple, list))
                and len(window) == 2
                and all(isinstance(one, int) and one >= 0 for one in window)
            )
            require_that(holds, name, window, "how many sentences before and after, as (5, 5)")
        if self.min_successes is not None:
            require_count("min_successes", self.min_successes, most=self.votes)
