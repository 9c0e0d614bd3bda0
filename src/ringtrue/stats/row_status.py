"""`RowVerdicts`: how each row of a run ended, and the number that says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ringtrue.records import EvaluatorInfo, Made, Row, RowStatus, Score

PASS_RATE = "pass_rate"
"""The key of the share of rows that passed: the number a run is known by."""
WORST_FIRST: Mapping[RowStatus, int] = {"error": 0, "failed": 1, "skipped": 2, "passed": 3}
"""The place of each status where the worst rows come first."""


class Headline(NamedTuple):
    """The evaluator and the part that a key of a row stands for, and from which value on it passes."""

    evaluator: str
    part: str
    is_main: bool
    threshold: float


class RowVerdicts:
    """Reads rows of one run: by the headline score of their dataset, or by every check of a suite."""

    def __init__(self, made: Made) -> None:
        self.by_every_check = made.job == "suite"
        self.evaluators = made.evaluators
        self.headlines = {one.name: headline_of(one.headline, made.evaluators) for one in made.datasets}
        self.mains = {one.name: headline_of(_main_key(one), [one]) for one in made.evaluators}

    def headline(self, row: Row) -> Headline | None:
        """Return the headline score of a row: that of its dataset, else the first evaluator's main part."""
        found = self.dataset_headline(row.dataset)
        if found is not None and found.evaluator in row.scores:
            return found
        first = next(iter(row.scores), None)
        return None if first is None else self.mains.get(first) or Headline(first, first, True, 0.0)

    def dataset_headline(self, dataset: str) -> Headline | None:
        """Return the headline score of a dataset; that of the only one holds for rows under another name."""
        found = self.headlines.get(dataset)
        return next(iter(self.headlines.values())) if found is None and len(self.headlines) == 1 else found

    def status(self, row: Row) -> RowStatus:
        """`passed` or `failed` by the headline score; in a suite, `passed` if every check that measured it passes."""
        if row.trial.output.error:
            return "error"
        if self.by_every_check:
            return _status_of_checks(row.scores.values())
        headline = self.headline(row)
        if headline is None:
            return "skipped"
        score = row.scores[headline.evaluator]
        if score.status != "scored":
            return score.status
        if headline.is_main and score.passed is not None:
            return "passed" if score.passed else "failed"
        return "passed" if (_number(score, headline) or 0.0) >= headline.threshold else "failed"

    def threshold(self, row: Row) -> float | None:
        """The number from which a row passes; None where every check has its own, and where nothing was measured."""
        headline = None if self.by_every_check else self.headline(row)
        return None if headline is None else headline.threshold

    def value(self, row: Row) -> float | None:
        """The headline number of a row; None where nothing was measured."""
        headline = self.headline(row)
        return None if headline is None else _number(row.scores[headline.evaluator], headline)


def headline_of(key: str, evaluators: Sequence[EvaluatorInfo]) -> Headline | None:
    """Return the evaluator and the part that a key names."""
    for one in evaluators:
        keys: Mapping[str, str] = one.keys or {one.main or one.name: one.main or one.name}
        for part, own in keys.items():
            if key in (own, f"{one.name}.{part}"):
                return Headline(one.name, part, part == one.main or not one.keys, one.threshold)
    return None


def _main_key(one: EvaluatorInfo) -> str:
    return one.keys.get(one.main, one.main or one.name)


def _number(score: Score, headline: Headline) -> float | None:
    return None if score.value is None else score.parts.get(headline.part, score.value)


def _status_of_checks(scores: Iterable[Score]) -> RowStatus:
    found = list(scores)
    if any(score.status == "error" for score in found):
        return "error"
    measured = [score for score in found if score.status == "scored"]
    if not measured:
        return "skipped"
    return "passed" if all(score.passed for score in measured) else "failed"
