"""The pictures of a run: where the scores lie, quality against cost, and how long answers took, for each dataset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ringtrue.records import Row, Run
from ringtrue.reports.charts import (
    Mean,
    Values,
    answer_times_chart,
    axis_cell,
    differences_chart,
    distribution_chart,
    mean_cell,
    quality_cost_chart,
    share_scale,
)
from ringtrue.reports.charts.quality_cost import CostUnit
from ringtrue.reports.comparing.comparison import Comparison
from ringtrue.reports.headline_table import HeadlineBlock, further_scores, system_places
from ringtrue.reports.trade_off import cost_units, trade_offs
from ringtrue.stats.row_pages import number_of
from ringtrue.stats.row_status import RowVerdicts

MOST_DATASETS = 6
"""Further datasets have numbers and no pictures."""
Place = tuple[str, str]
"""A dataset and a system."""


class Figure(NamedTuple):
    """A picture with its title and the line that says how to read it."""

    title: str
    reading: str
    svg: str


@dataclass(slots=True)
class RowNumbers:
    """The numbers of a run's rows that pictures are drawn from: one score for each dataset, and seconds."""

    keys: Mapping[str, str]
    scores: dict[Place, list[float]] = field(default_factory=dict)
    seconds: dict[Place, list[float]] = field(default_factory=dict)

    def read(self, rows: Iterable[Row], verdicts: RowVerdicts) -> None:
        """Take rows in; a reused answer says nothing of the time, one that failed has none."""
        for row in rows:
            place = row.dataset, row.system
            key = self.keys.get(row.dataset)
            value = number_of(row, key, verdicts) if key else None
            if value is not None and 0 <= value <= 1:
                self.scores.setdefault(place, []).append(value)
            output = row.trial.output
            if output.latency_seconds is not None and not output.error and not row.reused:
                self.seconds.setdefault(place, []).append(output.latency_seconds)


def headline_cells(blocks: Sequence[HeadlineBlock], *, hollow: bool = False) -> dict[object, str]:
    """The pictures of the headline table by dataset and system, and its axis under the empty key.

    A hollow dot is one of a run that has not ended.
    """
    scale = share_scale()
    cells: dict[object, str] = {"": axis_cell(scale)}
    for block in blocks:
        for line in block.lines:
            if (share := line.share) is not None:
                one = Mean(f"{line.system} on {block.title}", share.value, share.interval, line.series, hollow=hollow)
                cells[block.dataset, line.system] = mean_cell(one, scale)
    return cells


def run_pictures(run: Run, blocks: Sequence[HeadlineBlock], compared: Comparison | None = None) -> list[Figure]:
    """The pictures that a run has numbers for; the differences first, where systems were compared."""
    drawn = blocks[:MOST_DATASETS]
    columns = RowNumbers({block.dataset: key for block in drawn if (key := _spread_score(run, block))})
    columns.read(run.rows, RowVerdicts(run.made))
    places = system_places(run.made)
    differences = [] if compared is None else list(_differences(compared))
    return [*differences, *(figure for block in drawn for figure in _block_figures(run, block, columns, places))]


def _differences(compared: Comparison) -> Iterator[Figure]:
    """Yield a picture of how much better the best system is than each of the others, paired by case."""
    found = [(part, pair) for pair in compared.pairs for part in pair.headlines]
    datasets = list(dict.fromkeys(part.dataset for part, _ in found))
    means = [
        Mean(
            f"− {pair.before.name}",
            None if part.difference is None else part.difference.value,
            None if part.difference is None else part.difference.interval,
            heading=part.dataset if len(datasets) > 1 else "",
        )
        for part, pair in sorted(found, key=lambda one: datasets.index(one[0].dataset))
    ]
    if means:
        title = f"{compared.pairs[0].after.name} minus the others"
        svg = differences_chart(means, title=title, margin=compared.margin)
        yield Figure(title, "Paired by case; 95 % intervals. Hollow: zero is inside.", svg)


def _block_figures(run: Run, block: HeadlineBlock, columns: RowNumbers, places: Mapping[str, int]) -> Iterator[Figure]:
    def values(found: Mapping[Place, list[float]]) -> list[Values]:
        ordered = sorted(block.lines, key=lambda line: line.series)
        own = [(line.system, found.get((block.dataset, line.system), [])) for line in ordered]
        return [Values(system, numbers, places.get(system, 0)) for system, numbers in own if numbers]

    where = f", {block.title}" if len(run.summaries) > 1 else ""
    if len(block.lines) > 1:
        yield from (_quality_cost(block, unit, where) for unit in cost_units(block.lines))
    if key := columns.keys.get(block.dataset):
        found = values(columns.scores)
        if found:
            title = f"{key}{where}"
            info = next((one for one in run.made.datasets if one.name == block.dataset), None)
            aside = "" if info is None or key == info.headline else " Not the headline."
            svg = distribution_chart(found, title=title, axis=key)
            yield Figure(title, f"Where the scores lie; tick: mean.{aside}", svg)
    if seconds := values(columns.seconds):
        title = f"Time until the answer{where}"
        svg = answer_times_chart(seconds, title=title)
        yield Figure(title, "Empirical distribution. Marks at 90 % of cases.", svg)


def _quality_cost(block: HeadlineBlock, unit: CostUnit, where: str) -> Figure:
    title = f"Quality against {'tokens' if unit == 'tokens' else 'cost'}{where}"
    svg = quality_cost_chart(trade_offs(block.lines, unit), title=title, unit=unit)
    return Figure(title, "Dashed: Pareto front. Up and left is better.", svg)


def _spread_score(run: Run, block: HeadlineBlock) -> str:
    """The score whose distribution is drawn: the headline unless it is a bare verdict, else the first that is not."""
    info = next((one for one in run.made.datasets if one.name == block.dataset), None)
    keys = [*([info.headline] if info is not None and info.headline else []), *further_scores(run, block)]
    for key in keys:
        units = {line.numbers[key].unit for line in block.lines if key in line.numbers and line.numbers[key].n}
        if units == {"score"}:
            return key
    return ""
