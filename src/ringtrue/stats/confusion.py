"""`Confusion`: how often verdicts and labels meet, and what follows from that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot
from random import Random

from ringtrue.errors import ConfigurationError
from ringtrue.records import Summary
from ringtrue.stats.intervals import quantile, wilson

DRAWS = 2_000


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of verdicts against labels; positive is what passes, true is what the label confirms."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int

    def __post_init__(self) -> None:
        if min(self.cells) < 0:
            raise ConfigurationError(f"counts are 0 or more; got {self.cells}", value=self.cells)

    @classmethod
    def of(cls, verdicts: Iterable[bool], labels: Iterable[bool]) -> Confusion:
        """The counts of pairs of a verdict and a label."""
        seen = Counter((bool(verdict), bool(label)) for verdict, label in zip(verdicts, labels, strict=True))
        return cls(seen[True, True], seen[True, False], seen[False, True], seen[False, False])

    @property
    def cells(self) -> tuple[int, int, int, int]:
        """The four counts."""
        return self.true_positives, self.false_positives, self.false_negatives, self.true_negatives

    @property
    def n(self) -> int:
        """The number of pairs."""
        return sum(self.cells)

    @property
    def agreement(self) -> float | None:
        """The share of pairs where verdict and label are the same."""
        return (self.true_positives + self.true_negatives) / self.n if self.n else None

    @property
    def precision(self) -> float | None:
        """The share of what passes that is labelled so."""
        passed = self.true_positives + self.false_positives
        return self.true_positives / passed if passed else None

    @property
    def recall(self) -> float | None:
        """The share of what is labelled so that passes."""
        right = self.true_positives + self.false_negatives
        return self.true_positives / right if right else None

    @property
    def specificity(self) -> float | None:
        """The share of what is not labelled so that does not pass."""
        wrong = self.false_positives + self.true_negatives
        return self.true_negatives / wrong if wrong else None

    @property
    def youden(self) -> float | None:
        """Youden's J, sensitivity + specificity - 1: 1 is faultless, 0 is a coin, whatever share is right."""
        if self.recall is None or self.specificity is None:
            return None
        return self.recall + self.specificity - 1

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        both = 2 * self.true_positives + self.false_positives + self.false_negatives
        return 2 * self.true_positives / both if both else None

    def summaries(self, seed: int = 0) -> dict[str, Summary]:
        """Agreement, kappa, precision, recall (which is sensitivity), specificity, J and F1, each with a 95% interval.

        Shares have Wilson's interval, and J that of a difference of two shares by Newcombe, made of theirs. F1 is
        2S / (1 + S) of the share S that is right among all that verdict or label calls positive, so its interval is
        that of S, carried over. Kappa's is the middle of its posterior under Jeffreys' prior on the four shares, so
        that perfect agreement on few rows is not certainty.
        """
        hits, wrong, missed, _ = self.cells
        found = {
            "agreement": share_summary(hits + self.true_negatives, self.n),
            "kappa": self._kappa(seed),
            "precision": share_summary(hits, hits + wrong),
            "recall": share_summary(hits, hits + missed),
            "sensitivity": share_summary(hits, hits + missed),
            "specificity": share_summary(self.true_negatives, self.true_negatives + wrong),
            "youden": self._youden(),
        }
        joint = share_summary(hits, hits + wrong + missed)
        if joint.value is None or joint.interval is None:
            return {**found, "f1": joint}
        low, high = joint.interval
        bounds = (2 * low / (1 + low), 2 * high / (1 + high))
        return {
            **found,
            "f1": Summary(2 * joint.value / (1 + joint.value), n=joint.n, interval=bounds, method="wilson"),
        }

    def _youden(self) -> Summary:
        value = self.youden
        if value is None or self.recall is None or self.specificity is None:
            return Summary(None, self.n)
        hits, wrong, missed, rest = self.cells
        (low, high), (least, most) = wilson(hits, hits + missed), wilson(rest, rest + wrong)
        down = hypot(self.recall - low, self.specificity - least)
        up = hypot(high - self.recall, most - self.specificity)
        return Summary(
            value,
            n=self.n,
            interval=(max(-1.0, value - down), min(1.0, value + up)),
            method="newcombe",
        )

    def _kappa(self, seed: int) -> Summary:
        value = kappa(*self.cells)
        if value is None:
            return Summary(None, self.n)
        random = Random(seed)
        drawn = sorted(kappa(*(random.gammavariate(cell + 0.5, 1) for cell in self.cells)) or 0.0 for _ in range(DRAWS))
        interval = (min(value, quantile(drawn, 0.025)), max(value, quantile(drawn, 0.975)))
        return Summary(value, n=self.n, interval=interval, method="jeffreys")


def kappa(hits: float, wrong: float, missed: float, rest: float) -> float | None:
    """Cohen's kappa of four counts or shares; None where verdicts and labels leave chance nothing to disagree on."""
    total = hits + wrong + missed + rest
    if not total:
        return None
    expected = ((hits + wrong) * (hits + missed) + (missed + rest) * (wrong + rest)) / total**2
    return ((hits + rest) / total - expected) / (1 - expected) if expected < 1 else None


def share_summary(count: int, n: int) -> Summary:
    """A share with Wilson's interval; of nothing there is none."""
    return Summary(count / n, n=n, interval=wilson(count, n), method="wilson") if n else Summary(None, 0)
