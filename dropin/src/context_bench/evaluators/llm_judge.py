"""`LLMJudge`: ringtrue's judge, which here also reads a bare digit."""

from __future__ import annotations

import os
import re
from dataclasses import replace

from context_bench._urlopen import UrlopenEndpoint
from ringtrue.evaluators import LLMJudge as NativeLLMJudge
from ringtrue.models import Prices, StructuredModel
from ringtrue.records import Score, Trial

_RATING = re.compile(r"(?<![\w.,/-])([1-5])(?:\s{0,3}/\s{0,3}5)?(?![\w/-]|[.,]\d)")
_MAX_CHARS = 2_000


class LLMJudge(NativeLLMJudge):
    """`judge_score` = (rating - 1) / 4; an empty response is 0.0 without a call.

    A judge that cannot be reached or read raises from `score()` and is an error in a run.
    """

    def __init__(self, base_url: str, model: str = "gpt-4", api_key: str | None = None, timeout: float = 60.0) -> None:
        super().__init__(base_url, model, api_key or os.environ.get("OPENAI_API_KEY"), timeout)

    def structured_model(self) -> StructuredModel:
        """The judge's endpoint."""
        if self._structured_model is None:
            address, patience = self.config.base_url, self.config.timeout or 60.0
            endpoint = UrlopenEndpoint(address, self._key, timeout_seconds=patience, prices=Prices.from_env())
            # A user's own tests put one opener after the other behind the same address.
            self._structured_model = StructuredModel(endpoint, remember=False)
        return self._structured_model

    async def measure(self, trial: Trial) -> Score:
        """ringtrue's score; where no verdict in its form comes back, the one rating in the text that did."""
        if not trial.output.text:
            return Score(0.0, "scored", False, "the response is empty")
        score = await super().measure(trial)
        said = str(score.metadata.get("said") or "") if score.metadata.get("kind") == "unreadable" else ""
        rating = _rating(said)
        if rating is None:
            return score
        value = (rating - 1) / 4
        verdict = {"value": value, "status": "scored", "passed": value >= self.threshold, "reason": said}
        return replace(score, metadata={**score.metadata, "rating": rating}, **verdict)  # type: ignore[arg-type]

    @staticmethod
    def _parse_rating(text: str) -> int:
        """The rating in a text, 1 where there is none."""
        return _rating(text) or 1


def _rating(text: str) -> int | None:
    """The one rating from 1 to 5 a short text names; None where it names none, or several."""
    found = set(_RATING.findall(text)) if len(text) <= _MAX_CHARS else set()
    return int(found.pop()) if len(found) == 1 else None
