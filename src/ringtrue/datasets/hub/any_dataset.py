"""Any dataset of the hub: `hf:ORG/NAME`, `hf:ORG/NAME:CONFIG`, `hf:ORG/NAME:CONFIG@SPLIT`; its rows as they are."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.files.reader import named_format
from ringtrue.datasets.hub.mirror import Mirror
from ringtrue.dialects.fields import Fields
from ringtrue.errors import ConfigurationError
from ringtrue.records import Json

PREFIX = "hf:"
_PART = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_NAME = re.compile(rf"hf:(?P<path>{_PART}(?:/{_PART})?)(?::(?P<config>[^@:/]+))?(?:@(?P<split>\w+(?:\.\w+)*))?")


def benchmark_of_any_dataset(name: str) -> tuple[Benchmark, str | None]:
    """The entry of a dataset outside the catalogue, and the configuration that its name gives."""
    found = _NAME.fullmatch(name)
    if not found:
        raise ConfigurationError(
            f"{name!r} is not a name of a dataset on the hub; write hf:ORG/NAME, hf:ORG/NAME:CONFIG or "
            "hf:ORG/NAME:CONFIG@SPLIT",
            parameter="dataset",
            value=name,
        )
    entry = Benchmark(
        name=f"{PREFIX}{found['path']}",
        task="not in the catalogue; rows as they are",
        path=found["path"],
        split=found["split"] or "",
        fields={},
        load=load,
        metric="",
        licence="unknown",
        citation="",
        homepage=f"https://huggingface.co/datasets/{found['path']}",
        sources=(),
    )
    return entry, found["config"]


def load(source: Source) -> Iterator[Case]:
    """The rows of a configuration and split; each has an `id`, its own or its place."""
    identity = Fields().identity
    for place, row in enumerate(_rows(source)):
        yield {**row, "id": identity(row, place)}


def _rows(source: Source) -> Iterator[Mapping[str, Json]]:
    from ringtrue.datasets.hub.hf_library import build  # an extra, and a second of importing

    repository, path = source.repository, source.benchmark.path
    local = os.path.abspath(repository.folder) if isinstance(repository, Mirror) else ""
    revision, token = (None, None) if local else (repository.revision, source.origin.token)
    found = repository.ask(lambda: build(local or path, source.config, revision, token))
    if found is None:  # a loading script, which does not run: the hub's own conversion
        yield from source.rows(split=_choose_split((), source))
        return
    split = _choose_split(found.splits, source)
    start = f"{local}/" if local else f"hf://datasets/{path}@{repository.revision}/"
    names = [address.removeprefix(start) for address in found.files(split)]
    source.read_from = f"{repository.source}, {found.config}, {split}"
    if found.is_plain and all(map(named_format, names)):
        for name in names:
            yield from repository.rows(name)
    else:
        rows = found.stream_rows(split)
        while (row := repository.ask(lambda: next(rows, None))) is not None:
            yield row


def _choose_split(splits: Sequence[str], source: Source) -> str:
    """The split that was named; one that was not is the only one there is."""
    wanted = source.benchmark.split
    if wanted and (wanted in splits or not splits):
        return wanted
    if not wanted and len(splits) == 1:
        return splits[0]
    config = f":{source.config}" if source.config else ""
    what = f"no split {wanted!r}" if wanted else "several splits" if splits else "a loading script"
    there = f"it has {', '.join(splits)}; " if splits else ""
    raise ConfigurationError(
        f"{source.benchmark.path} has {what}; {there}write "
        f"{source.benchmark.name}{config}@{splits[-1] if splits else 'SPLIT'}",
        parameter="dataset",
        value=wanted,
    )
