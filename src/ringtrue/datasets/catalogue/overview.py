"""What a list of benchmarks shows of each: its metric, its size, its licence, and whether rows come with it."""

from __future__ import annotations

from typing import NamedTuple

from ringtrue.datasets.catalogue.loading import has_sample
from ringtrue.datasets.catalogue.table import find, names


class CatalogueLine(NamedTuple):
    """One benchmark; a size nobody states is None, a licence `unknown`."""

    name: str
    task: str
    metric: str
    judged_metric: str
    proxy: str
    size: int | None
    licence: str
    sample: bool
    configurations: int


def catalogue_lines() -> list[CatalogueLine]:
    """Every benchmark there is, the catalogue's own first, in its default configuration."""
    found = []
    for name in names():
        benchmark = find(name)
        rule = benchmark.scoring()
        found.append(
            CatalogueLine(
                name,
                benchmark.task,
                rule.headline,
                rule.judged_headline,
                rule.proxy,
                benchmark.size,
                benchmark.licence,
                has_sample(name),
                len(benchmark.configs),
            )
        )
    return found
