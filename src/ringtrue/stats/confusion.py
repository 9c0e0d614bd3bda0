"""`Confusion`: how often verdicts and labels meet, and what follows from that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
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
        """How many pairs there are."""
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
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        both = 2 * self.true_positives + self.false_positives + self.false_negatives
        return 2 * self.true_positives / both if both else None

    def summaries(self, seed: int = 0) -> dict[str, Summary]:
        """Agreement, Cohen's kappa, precision, recall and F1, each with its n and a 95% interval.

        Shares have Wilson's interval. F1 is 2J / (1 + J) of the share J that is right among all that verdict or label
        calls positive, so its interval is J's, carried over. Kappa's is the middle of its posterior under Jeffreys'
        prior on the four shares, so that perfect agreement on few rows is no certainty.
        """
        hits, wrong, missed, _ = self.cells
        found = {
            "agreement": _share(hits + self.true_negatives, self.n),
            "kappa": self._kappa(seed),
            "precision": _share(hits, hits + wrong),
            "recall": _share(hits, hits + missed),
        }
        joint = _share(hits, hits + wrong + missed)
        if joint.value is None or joint.interval is None:
            return {**found, "f1": joint}
        low, high = joint.interval
        bounds = (2 * low / (1 + low), 2 * high / (1 + high))
        return {**found, "f1": Summary(2 * joint.value / (1 + joint.value), joint.n, 0, 0, bounds, "wilson")}

    def _kappa(self, seed: int) -> Summary:
        value = kappa(*self.cells)
        if value is None:
            return Summary(None, self.n)
        random = Random(seed)
        drawn = sorted(kappa(*(random.gammavariate(cell + 0.5, 1) for cell in self.cells)) or 0.0 for _ in range(DRAWS))
        interval = (min(value, quantile(drawn, 0.025)), max(value, quantile(drawn, 0.975)))
        return Summary(value, self.n, 0, 0, interval, "jeffreys")


def kappa(hits: float, wrong: float, missed: float, rest: float) -> float | None:
    """Cohen's kappa of four counts or shares; None where verdicts and labels leave chance nothing to disagree on."""
    total = hits + wrong + missed + rest
    if not total:
        return None
    expected = ((hits + wrong) * (hits + missed) + (missed + rest) * (wrong + rest)) / total**2
    return ((hits + rest) / total - expected) / (1 - expected) if expected < 1 else None


def _share(count: int, n: int) -> Summary:
    return Summary(count / n, n, 0, 0, wilson(count, n), "wilson") if n else Summary(None, 0)
