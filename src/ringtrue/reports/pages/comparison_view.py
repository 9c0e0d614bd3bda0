"""A comparison as pages show it: the pictures, every part's difference, and the cases that flipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.reports.charts import (
    Mean,
    axis_cell,
    case_differences_chart,
    change_scale,
    differences_chart,
    mean_cell,
    pairs_chart,
)
from ringtrue.reports.comparing.comparison import Comparison, Flip, PartDifference, SystemPair
from ringtrue.reports.comparing.comparison_words import (
    correction_words,
    cost_words,
    how_words,
    left_out_words,
    verdict_clauses,
)
from ringtrue.reports.headline_table import system_places
from ringtrue.reports.number import count
from ringtrue.reports.pages.case_view import AnswerView, CaseView, answer_view, mark_differences
from ringtrue.reports.pages.run_pictures import Figure
from ringtrue.stats.row_status import RowVerdicts

MOST_PARTS = 9
"""How many numbers one picture compares."""


@dataclass(frozen=True, slots=True)
class PartLine:
    """A number of both sides, with the picture of its difference."""

    part: PartDifference
    picture: str


@dataclass(frozen=True, slots=True)
class PairView:
    """Two systems on the same cases; `flips` has the lost cases and then the gained ones, each with how many."""

    pair: SystemPair
    verdicts: Sequence[tuple[str, str, str]]
    cost: str
    why: Sequence[str]
    figures: Sequence[Figure]
    flips: Sequence[tuple[str, int, Sequence[CaseView]]]
    lines: Sequence[PartLine]
    axis: str
    left_out: Sequence[str]
    corrected: str
    series: tuple[int, int]

    @property
    def several(self) -> bool:
        """Whether its numbers are of several datasets."""
        return len({line.part.dataset for line in self.lines}) > 1


def pair_views(found: Comparison, most_flips: int) -> list[PairView]:
    """Every pair of a comparison, with a limited number of cases of either kind of flip."""
    return [_pair_view(pair, found, most_flips) for pair in found.pairs]


def _pair_view(pair: SystemPair, found: Comparison, most_flips: int) -> PairView:
    shares = [part for part in pair.parts if part.unit == "share" and part.difference is not None]
    ends = [end for part in shares if part.difference and part.difference.interval for end in part.difference.interval]
    scale = change_scale(ends or [0.1])
    return PairView(
        pair,
        list(verdict_clauses(pair, found.tests)),
        cost_words(pair),
        how_words(pair),
        list(_figures(pair)),
        [
            ("Lost: passed with A, failed with B", len(pair.lost), _cases(pair, pair.lost[:most_flips])),
            ("Gained: failed with A, passed with B", len(pair.gained), _cases(pair, pair.gained[:most_flips])),
        ],
        [PartLine(part, mean_cell(_mean(part), scale) if part in shares else "") for part in pair.parts],
        axis_cell(scale),
        left_out_words(pair),
        correction_words(found),
        _series(pair),
    )


def _series(pair: SystemPair) -> tuple[int, int]:
    """The colours of both sides: those that they have in their run, if it is one run."""
    if pair.before.run.id != pair.after.run.id or pair.before.system == pair.after.system:
        return 1, 2
    places = system_places(pair.after.run.made)
    return places.get(pair.before.system, 1), places.get(pair.after.system, 2)


def _figures(pair: SystemPair) -> list[Figure]:
    paired = len(pair.lost) + len(pair.gained) + pair.both_passed + pair.both_failed
    title = f"How the {count(paired, 'pair')} fall{'s' if paired == 1 else ''}"
    found = [
        Figure(
            title,
            f"{_rule(pair)}Only the pairs that differ carry evidence.",
            pairs_chart(len(pair.lost), len(pair.gained), pair.both_passed, pair.both_failed, title=title),
        )
    ]
    shares = [part for part in pair.parts if part.unit == "share" and part.difference is not None][:MOST_PARTS]
    if shares:
        margin = shares[0].margin
        title = "Difference in every part"
        svg = differences_chart([_mean(part) for part in shares], title=title, margin=margin)
        found.append(Figure(title, f"Points, 95 % intervals. Band: the margin of ±{100 * margin:g}.", svg))
    score = next((part for part in pair.parts if part.unit == "score" and part.difference and part.changes), None)
    if score is not None and score.difference is not None:
        known = score.difference
        title = f"{score.key}, difference per case"
        svg = case_differences_chart(
            score.changes, title=title, axis=f"{score.key}, B − A", mean=known.value, mean_interval=known.interval
        )
        found.append(Figure(title, f"{count(known.n, 'case')}; {known.method}.", svg))
    return found


def _rule(pair: SystemPair) -> str:
    """Return when a case passes, as a sentence, where one score decides it for all."""
    rules = {(part.key, part.threshold) for part in pair.parts if part.is_headline and part.threshold is not None}
    return "".join(f"{key} passes at {threshold:.2f}. " for key, threshold in rules) if len(rules) == 1 else ""


def _mean(part: PartDifference) -> Mean:
    known = part.difference
    value, ends = (None, None) if known is None else (known.value, known.interval)
    undecided = ends is None or ends[0] <= 0 <= ends[1]
    return Mean(part.key, value, ends, hollow=undecided, heading=part.dataset)


def _cases(pair: SystemPair, flips: Sequence[Flip]) -> list[CaseView]:
    verdicts = RowVerdicts(pair.before.run.made), RowVerdicts(pair.after.run.made)
    return [_case(pair, flip, verdicts) for flip in flips]


def _case(pair: SystemPair, flip: Flip, verdicts: tuple[RowVerdicts, RowVerdicts]) -> CaseView:
    answers: list[AnswerView] = [
        answer_view(row, own.status(row), series, f"{letter} {side.name}")
        for letter, side, row, own, series in (
            ("A", pair.before, flip.before, verdicts[0], _series(pair)[0]),
            ("B", pair.after, flip.after, verdicts[1], _series(pair)[1]),
        )
    ]
    answers, remark = mark_differences(answers)
    case = flip.case
    key = flip.dataset, flip.after.position, flip.after.repeat
    return CaseView(key, str(case.id), case.input, case.expected or (), tuple(answers), case.context, case.tags, remark)
