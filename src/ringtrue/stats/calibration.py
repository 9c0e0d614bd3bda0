"""`Calibration`: agreement of scores with human labels, a recommended threshold, and a corrected mean."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, variance

from ringtrue.records import Score, Summary
from ringtrue.stats.calibration_levels import Level, calibration_levels
from ringtrue.stats.confusion import Confusion
from ringtrue.stats.corrected import LEAST_LABELS, CorrectedMean, corrected_mean
from ringtrue.stats.correlation import absolute_error, pearson, spearman
from ringtrue.stats.cutoff import Criterion, Cutoff, recommended_cutoff
from ringtrue.stats.ranking_quality import auc_summary

METRICS = (
    *("agreement", "kappa", "auc", "sensitivity", "specificity", "youden", "precision", "recall", "f1"),
    *("spearman", "pearson", "mean_absolute_error"),
)
"""The names in `Calibration.metrics`, in the order in which they are shown."""
LABEL_THRESHOLD = 0.5
"""A graded label of at least this counts as yes."""
_FEW = 10
_UNLIKELY = 2.576


@dataclass(frozen=True, slots=True)
class Calibration:
    """One evaluator compared with human labels.

    `metrics` are agreement, kappa, sensitivity, specificity, Youden's J, precision, recall and f1 of its own verdicts
    (or of those at the given threshold), the auc of its scores, and for graded labels their spearman, pearson and
    mean_absolute_error. `cutoff` recommends a threshold, unless the scores tell right from wrong no better than chance.
    `corrected` is there where rows without a label were scored, too. `doubts` are reasons to trust all this less.
    `levels` are the points of the calibration curve.
    """

    metrics: Mapping[str, Summary]
    counts: Confusion
    threshold: float
    graded: bool
    cutoff: Cutoff | None
    corrected: CorrectedMean | None
    doubts: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()

    @property
    def is_useless(self) -> bool:
        """True if the scores do not separate right from wrong: the interval of the AUC contains 0.5."""
        found = self.metrics.get("auc")
        return found is not None and found.interval is not None and found.interval[0] <= 0.5

    @property
    def recommendation(self) -> str:
        """The recommendation about the threshold, in a sentence or two."""
        if self.is_useless:
            found = self.metrics["auc"]
            low, high = found.interval or (0.0, 1.0)
            return (
                "No threshold is recommended: nothing shows that these scores tell right from wrong better than chance "
                f"(AUC {found.value:.3f} [{low:.3f}, {high:.3f}])."
            )
        if self.cutoff is None:
            return "No threshold is recommended: that takes two labels of either kind."
        was, now = self.counts.agreement or 0.0, self.cutoff.held_out.agreement or 0.0
        change = f"Agreement on rows it was not chosen on: {was:.3f} before, {now:.3f} after"
        if self.cutoff.threshold == self.threshold:
            return f"Recommended threshold: {self.cutoff.threshold:g}, which it has."
        lower = f"; it lowers agreement, since it is chosen by {_CHOSEN_BY[self.cutoff.criterion]}" if now < was else ""
        return f"Recommended threshold: {self.cutoff.threshold:g}. {change}{lower}."


def calibration(
    scores: Sequence[Score],
    labels: Sequence[float | None],
    *,
    threshold: float | None = None,
    own: float = 0.5,
    criterion: Criterion = "youden",
    seed: int = 0,
    sources: Sequence[Hashable] | None = None,
) -> Calibration:
    """Scores against labels in [0, 1], row by row; a label of None is a row without a label.

    Without a threshold the verdicts are the evaluator's own, and `own` is the threshold it has. A row without a score
    is counted, and left out. Rows of one of the `sources` are not independent evidence.
    """
    pairs = [(score, label) for score, label in zip(scores, labels, strict=True) if label is not None]
    both = [(score, score.value, label) for score, label in pairs if score.value is not None]
    values, known = [value for _, value, _ in both], [label for _, _, label in both]
    rest = [
        score.value for score, label in zip(scores, labels, strict=True) if label is None and score.value is not None
    ]
    cut = own if threshold is None else threshold
    verdicts = [
        value >= cut if threshold is not None or score.passed is None else score.passed for score, value, _ in both
    ]
    truths = [label >= LABEL_THRESHOLD for label in known]
    counts = Confusion.of(verdicts, truths)
    graded = any(label not in (0.0, 1.0) for label in known)
    metrics = counts.summaries(seed) | {"auc": auc_summary(values, truths)}
    metrics |= _graded_agreement(values, known) if graded else {}
    metrics["agreement"] = _with_absent(metrics["agreement"], [score for score, _ in pairs])
    named = [
        source
        for score, label, source in zip(scores, labels, sources or range(len(labels)), strict=True)
        if label is not None and score.value is not None
    ]
    cutoff = recommended_cutoff(values, truths, criterion, near=cut, seed=seed, sources=named)
    corrected = corrected_mean(known, values, rest) if rest else None
    doubts = (*_few(truths), *_no_better(cutoff, seed), *_not_random(values, rest), *_together(named))
    if rest and corrected is None:
        says = "1 label corrects" if len(known) == 1 else f"{len(known)} labels correct"
        doubts += (f"{says} no mean; that takes {LEAST_LABELS}",)
    levels = calibration_levels(values, truths)
    found = Calibration(metrics, counts, cut, graded, cutoff, corrected, doubts, levels)
    if found.is_useless:
        found = replace(found, cutoff=None)
    elif cutoff and (cutoff.held_out.agreement or 0.0) < (counts.agreement or 0.0) and cutoff.threshold != cut:
        found = replace(found, doubts=(*doubts, _LOWERS))
    return found


_CHOSEN_BY: dict[Criterion, str] = {
    "youden": "Youden's J, to which errors of both kinds weigh the same",
    "f1": "F1",
    "kappa": "kappa",
    "agreement": "agreement on other rows",
}
_LOWERS = "the recommended threshold lowers agreement on rows it was not chosen on"


def _graded_agreement(values: Sequence[float], labels: Sequence[float]) -> dict[str, Summary]:
    return {
        "spearman": spearman(values, labels),
        "pearson": pearson(values, labels),
        "mean_absolute_error": absolute_error(values, labels),
    }


def _with_absent(agreement: Summary, scores: Sequence[Score]) -> Summary:
    errors = sum(score.status == "error" for score in scores)
    skipped = sum(score.status == "skipped" for score in scores)
    n = agreement.n
    right = (agreement.value or 0.0) * n
    bounds = (right / (n + errors), (right + errors) / (n + errors)) if n + errors else None
    return replace(agreement, skipped=skipped, errors=errors, bounds=bounds)


def _few(truths: Sequence[bool]) -> Iterator[str]:
    yes = sum(truths)
    no = len(truths) - yes
    if min(yes, no) < _FEW:
        says = f"{yes} {'label says' if yes == 1 else 'labels say'} yes and {no} {'says' if no == 1 else 'say'} no"
        yield f"{says}; with fewer than {_FEW} of a kind no number is firm"


def _no_better(cutoff: Cutoff | None, seed: int) -> Iterator[str]:
    found = cutoff.held_out.summaries(seed)["kappa"] if cutoff else None
    if found and (found.interval is None or found.interval[0] <= 0):
        yield "at the recommended threshold, held out, the agreement may be no better than chance"


def _together(sources: Sequence[Hashable]) -> Iterator[str]:
    count = len(set(sources))
    if count < len(sources):
        come = "source" if count == 1 else "sources"
        yield f"the {len(sources)} labelled rows come from {count} {come}, and the intervals above count rows"


def _not_random(values: Sequence[float], rest: Sequence[float]) -> Iterator[str]:
    if len(values) < 2 or len(rest) < 2:
        return
    error = sqrt(variance(values) / len(values) + variance(rest) / len(rest))
    here, there = fmean(values), fmean(rest)
    if error and abs(here - there) / error > _UNLIKELY:
        yield (
            f"the labelled rows do not look like a random sample: their mean score is {here:.3f}, that of the others "
            f"{there:.3f}; the corrected mean holds for a random sample only"
        )
