"""`JudgePanel`: several judges of one trial."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Literal, TypeAlias

from ringtrue._version import __version__
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.session import summed_usage
from ringtrue.evaluators.named_parts import NamedParts
from ringtrue.records import Json, Score, Trial
from ringtrue.require import require, require_choice, require_count, require_share, require_string
from ringtrue.stats.agreement import krippendorff_alpha

Vote: TypeAlias = Literal["mean", "majority"]


class JudgePanel(NamedParts):
    """The mean of several judges, or 1 if more than half of them pass; a judge that fails is counted and left out.

    At least `quorum` judges must give a value (by default more than half), or the score is an error.
    """

    default_name = "judge_panel"
    parts = ("panel_score", "panel_agreement")
    needs = "what its judges need"
    formula = "mean of the judges, or the verdict of the majority"

    def __init__(
        self,
        judges: Sequence[Judge],
        vote: Vote = "mean",
        *,
        quorum: int | None = None,
        threshold: float = 0.5,
        name: str = "",
    ) -> None:
        self.judges = tuple(judges) if isinstance(judges, (list, tuple)) else ()
        fits = len(self.judges) >= 2 and all(isinstance(judge, Judge) for judge in self.judges)
        require(fits, "a panel needs two or more judged evaluators", parameter="judges", value=judges)
        require_choice("vote", vote, ("mean", "majority"))
        self.vote = vote
        self.quorum = len(self.judges) // 2 + 1 if quorum is None else quorum
        require_count("quorum", self.quorum, most=len(self.judges))
        require_share("threshold", threshold)
        self.threshold = threshold
        require_string("name", name)
        self.take_name(name, self.default_name)

    @property
    def local(self) -> bool:
        """Whether a judge asks the model of this process."""
        return any(judge.local for judge in self.judges)

    def prepare(self) -> None:
        """Find every judge's model."""
        for judge in self.judges:
            judge.prepare()

    async def measure(self, trial: Trial) -> Score:
        """The panel's score: `panel_agreement` is the share of pairs of judges with the same verdict."""
        self.prepare()
        scores = await asyncio.gather(*(judge.measure(trial) for judge in self.judges))
        values = [score.value for score in scores if score.value is not None]
        votes = [{"judge": judge.signature(), "value": one.value, "status": one.status, "reason": one.reason}
                 for judge, one in zip(self.judges, scores, strict=True)]  # fmt: skip
        calls, tokens = sum(score.calls for score in scores), sum(score.tokens for score in scores)
        metadata: dict[str, Json] = {"votes": votes, **summed_usage(scores)}
        if len(values) < self.quorum:
            status: Literal["error", "skipped"] = (
                "error" if any(score.status == "error" for score in scores) else "skipped"
            )
            why = next(score.reason for score in scores if score.status == status)
            reason = f"{len(values)} of {len(scores)} judges gave a value, {self.quorum} are needed: {why}"
            return Score(None, status=status, reason=reason, metadata=metadata, calls=calls, tokens=tokens)
        passes = [value >= judge.threshold for judge, value in _pairs(self.judges, scores)]
        value = fmean(values) if self.vote == "mean" else float(2 * sum(passes) > len(passes))
        same = [one == other for at, one in enumerate(passes) for other in passes[at + 1 :]]
        parts = {"panel_score": value} | ({"panel_agreement": fmean(same)} if same else {})
        score = self.verdict(value, f"{sum(passes)} of {len(passes)} pass", parts, **metadata)
        return replace(score, calls=calls, tokens=tokens)

    def alpha(self, scores: Iterable[Score], level: Literal["nominal", "interval"] = "interval") -> float | None:
        """Krippendorff's alpha of the judges over many trials, from this panel's scores of them."""
        units = [[vote["value"] for vote in score.metadata.get("votes", [])] for score in scores]
        return krippendorff_alpha(units, level)

    def signature(self) -> str:
        """The recipe of a number: the vote and every judge."""
        inner = "; ".join(judge.signature() for judge in self.judges)
        return f"{self.name}=JudgePanel({self.vote},{self.quorum},{self.threshold:g})[{inner}]|ringtrue:{__version__}"


def _pairs(judges: Sequence[Judge], scores: Sequence[Score]) -> list[tuple[Judge, float]]:
    return [(judge, one.value) for judge, one in zip(judges, scores, strict=True) if one.value is not None]
