"""Cases out of what people have: benchmarks by name, files, and iterables of dicts or cases."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from ringtrue.datasets.catalogue.benchmark import Benchmark
from ringtrue.datasets.catalogue.loading import cases_of, has_sample, is_name, load
from ringtrue.datasets.files.whole_file import read_rows
from ringtrue.datasets.hub.origin import Origin
from ringtrue.datasets.row_sources import is_table, table_rows
from ringtrue.datasets.samples import SAMPLE, sample_path
from ringtrue.datasets.selection import Selection
from ringtrue.dialects.field_paths import there, walk
from ringtrue.dialects.fields import ALIASES, Fields
from ringtrue.dialects.suite import case_of, is_case
from ringtrue.errors import ConfigurationError
from ringtrue.records import Case
from ringtrue.require import require_count

MOST_HELD_BYTES = 4 * 2**20
"""A larger file of cases is read again instead of being held."""
ANSWER_FIELDS = ("response", "latency")
"""Meanings of fields that answers have and cases have not: a mapping of them is about stored answers."""


def read_cases(
    dataset: Any,
    limit: int | None = None,
    data_dir: str | None = None,
    mapping: Mapping[str, str] | None = None,
    selection: Selection | None = None,
    encoding: str | None = None,
) -> list[Case]:
    """The cases of a benchmark, a file, a data frame or an iterable; an endless one is read no further than the limit.

    `data_dir` is a mirror of the hub's datasets; without it the environment says where benchmarks are read from.
    `mapping` says which field of a row is its input, expected, context or id; dots lead into objects and lists. A
    `selection` says more than the limit: split, sample, order, examples, template.
    `encoding` is that of a file that is not UTF-8.
    """
    taken = selection or Selection(first=True)
    if limit is not None:
        require_count("max_examples", limit, least=0)
        taken = replace(taken, limit=limit)
    return list(_read_cases(dataset, taken, data_dir, mapping, encoding))


class CasesOfFiles:
    """The cases of files, read again whenever they are iterated: memory does not grow with them."""

    def __init__(
        self,
        paths: Sequence[str],
        selection: Selection,
        mapping: Mapping[str, str] | None = None,
        encoding: str | None = None,
        dataset: str = "",
    ) -> None:
        self.paths, self.selection, self.mapping, self.encoding = paths, selection, mapping, encoding
        self.dataset = dataset or os.path.basename(paths[0])

    def __iter__(self) -> Iterator[Case]:
        rows = (row for path in self.paths for _, row in read_rows(path, self.encoding))
        return _read_cases(rows, self.selection, None, self.mapping, None, self.dataset)

    def __len__(self) -> int:
        return self._length

    @cached_property
    def _length(self) -> int:
        return sum(1 for _ in self)


class CasesOfAll:
    """The cases of several datasets, one after the other."""

    def __init__(self, parts: Sequence[list[Case] | CasesOfFiles]) -> None:
        self.parts = parts

    def __iter__(self) -> Iterator[Case]:
        return chain.from_iterable(self.parts)

    def __len__(self) -> int:
        return sum(map(len, self.parts))


def is_large_file(dataset: str, selection: Selection) -> bool:
    """Whether a dataset is a file that is better read again than held: large, and taken in the order it has."""
    path = Path(dataset)
    return not selection.shuffle and not is_name(dataset) and path.is_file() and path.stat().st_size > MOST_HELD_BYTES


def _read_cases(
    dataset: Any,
    taken: Selection,
    data_dir: str | None,
    mapping: Mapping[str, str] | None,
    encoding: str | None,
    name: str = "",
) -> Iterator[Case]:
    chosen = False
    if isinstance(dataset, Benchmark):
        found = cases_of(dataset, dataset.name, dataset.config, Origin.from_env(data_dir), taken)
        chosen = True
    elif isinstance(dataset, str) and is_name(dataset):
        found = _named_rows(dataset, taken, data_dir)
        chosen = not _is_file_of_answers(dataset)
    elif isinstance(dataset, (str, os.PathLike)):
        found = (row for _, row in read_rows(dataset, encoding))
    elif is_table(dataset) or (isinstance(dataset, Iterable) and not isinstance(dataset, (bytes, Mapping))):
        found = table_rows(dataset)
    else:
        raise ConfigurationError(
            f"a dataset is a name, a file, a data frame or an iterable of dicts; got {type(dataset).__name__}",
            parameter="dataset",
            value=dataset,
        )
    named = case_mapping(mapping)
    wanted = found if chosen else _of_rows(found, taken)
    rows = (mapped_row(item, named) for item in wanted) if named else wanted
    fields = Fields(blank_is_missing=True)
    name = name or (os.path.basename(dataset) if isinstance(dataset, (str, os.PathLike)) else "")
    for position, item in enumerate(rows):
        case = _case(item, position, fields)
        yield replace(case, fields={"dataset": name, **case.fields}) if name else case


def _named_rows(name: str, selection: Selection, data_dir: str | None) -> Iterator[Any]:
    if _is_file_of_answers(name):
        return (row for _, row in read_rows(sample_path(name)))
    return load(name, origin=Origin.from_env(data_dir), selection=selection)


def _is_file_of_answers(name: str) -> bool:
    return name.endswith(SAMPLE) and not has_sample(name)


def _of_rows(rows: Iterable[Any], selection: Selection) -> Iterator[Any]:
    """Apply a selection to rows that belong to no benchmark: they have no splits and no examples."""
    for name in ("split", "few_shot"):
        if getattr(selection, name):
            raise ConfigurationError(
                f"{name} works only with a benchmark by name, such as gsm8k; other rows have no splits",
                parameter=name,
                value=getattr(selection, name),
            )
    chosen = selection.chosen(rows)
    return (selection.worded_row(row) for row in chosen) if selection.template else chosen


def case_mapping(mapping: Mapping[str, str] | None) -> dict[str, str]:
    """The part of a mapping that is about cases, by meaning; the place of answers is for the reader of answers."""
    return {name: field for name, field in Fields(mapping).mapping.items() if name not in ANSWER_FIELDS}


def mapped_case(case: Case, mapping: Mapping[str, str]) -> Case:
    """A case whose input, expected answers, context or id are read from other fields of its row."""
    row = mapped_row(case.fields, mapping)
    found = Fields(blank_is_missing=True).case(row, 0)
    return replace(case, fields=row, **{meaning: getattr(found, meaning) for meaning in mapping})


def mapped_row(row: Mapping[str, Any], mapping: Mapping[str, str]) -> dict[str, Any]:
    """A row whose fields also have their standard names, which win over all others."""
    found = {meaning: walk(row, field) for meaning, field in mapping.items()}
    for meaning, at in found.items():
        if not at.arrived:
            field = mapping[meaning]
            raise ConfigurationError(
                f"--map {meaning}={field}: a row has no field {field!r}; it has {there(row, field)}",
                parameter="map",
                value=field,
            )
    return {**row, **{ALIASES[meaning][0]: at.value for meaning, at in found.items()}}


def _case(item: Any, position: int, fields: Fields) -> Case:
    if isinstance(item, Mapping):
        return fields.question(dict(item), position)
    if not is_case(item):
        raise ConfigurationError(
            f"row {position + 1} of the dataset is {type(item).__name__}, not a dict or a case",
            parameter="dataset",
            value=item,
        )
    return case_of(item)
