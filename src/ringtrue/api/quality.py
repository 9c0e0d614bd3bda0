"""Which score means quality, benchmark by benchmark."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ringtrue.datasets.catalogue.own_file import names_file
from ringtrue.datasets.catalogue.table import metric_of, names

Quality = Callable[[str, Sequence[str]], str]
"""A row's `dataset` and the keys of its scores, first the one to fall back on -> the key that means quality."""


def quality_by_benchmark() -> Quality:
    """The benchmark's own metric, where it is one of the keys, else the first of them."""
    known = set(names())  # looked up once: it asks every installed package

    def found(dataset: str, keys: Sequence[str]) -> str:
        is_benchmark = names_file(dataset) or dataset.partition(":")[0] in known
        return metric_of([dataset], keys) if is_benchmark else keys[0]

    return found
