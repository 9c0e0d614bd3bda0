"""`Lost`: the sentences and claims that the judge gave no usable word on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.evaluators.judged.claims.records import OutputClaimVerificationEvaluator, OutputSentence
from ringtrue.evaluators.judged.feedback import feedback


@dataclass(frozen=True)
class Lost:
    """What could not be judged of the sentences that were asked about and of the claims that were found."""

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
        """How many were lost, of how many, and why the first one was."""
        counts = [f"{lost} of {everything} {what}" for what, lost, everything in self._counts() if lost]
        first = [*(one.reason for one in self.sentences), *(one.proof for one in self.claims)][0]
        return f"{' and '.join(counts)} could not be judged; the first: {first}"

    def feedback(self) -> str | None:
        """Which they are."""
        items = [{"sentence": one.sentence, "unjudged_reasoning": one.reason} for one in self.sentences]
        items += [{"sentence": one.sentence, "unjudged_reasoning": f"{one.claim} {one.proof}"} for one in self.claims]
        return feedback("It is not known whether the sources bear out these:", items)

    def _counts(self) -> list[tuple[str, int, int]]:
        return [
            ("sentences", len(self.sentences), len(self.asked)),
            ("claims", len(self.claims), len(self.found)),
        ]
