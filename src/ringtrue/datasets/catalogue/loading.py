"""`load`: the cases of a dataset by name, `gsm8k`, `mmlu:anatomy`, `gsm8k@sample` or `hf:ORG/NAME`, one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.table import ENTRIES, find, is_known
from ringtrue.datasets.hub.any_dataset import PREFIX, benchmark_of_any_dataset
from ringtrue.datasets.hub.origin import SAMPLES, Origin
from ringtrue.errors import ConfigurationError, UnknownName

SAMPLE = "@sample"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(?::[A-Za-z0-9._-]+)?(?:@sample)?")


def load(name: str, limit: int | None = None, *, origin: Origin | None = None, seed: int = 0) -> Iterator[Case]:
    """The cases of a benchmark, read as far as they are asked for; a name nobody has raises at once.

    Every case has an `id`, the `dataset` it was asked for by, and the `source` it was read from. `seed` decides what
    is drawn: the order of options that have none, a needle's place.
    """
    benchmark, config = parsed(name)
    if name.endswith(SAMPLE) and not name.startswith(PREFIX):
        if not has_sample(name):
            raise UnknownName("sample", name, [f"{known}{SAMPLE}" for known in sampled()])
        origin, name = Origin.samples(), name.removesuffix(SAMPLE)
    return islice(_cases(name, benchmark, config, origin or Origin.from_env(), seed), limit)


def parsed(name: str) -> tuple[Benchmark, str | None]:
    """The benchmark and configuration a name says; an unknown one raises, with the nearest."""
    if name.startswith(PREFIX):
        return benchmark_of_any_dataset(name)
    bare, _, config = name.removesuffix(SAMPLE).partition(":")
    benchmark = find(bare)
    if config and benchmark.configs and config not in benchmark.configs:
        raise UnknownName("dataset", f"{bare}:{config}", [f"{bare}:{known}" for known in benchmark.configs])
    if config and not benchmark.configs:
        raise ConfigurationError(
            f"{bare} has no configurations; write {bare!r} instead of {name!r}", parameter="dataset", value=name
        )
    return benchmark, config or benchmark.config


def is_name(text: str) -> bool:
    """Whether a text names a dataset, not a file: of the catalogue, of the hub, or no file and in the form of one."""
    if text.startswith(PREFIX) or is_known(text.removesuffix(SAMPLE).partition(":")[0]):
        return True
    return "." not in text and bool(_NAME.fullmatch(text)) and not Path(text).exists()


def has_sample(name: str) -> bool:
    """Whether a few rows of a benchmark come with the package."""
    bare = name.removesuffix(SAMPLE).partition(":")[0]
    return bare in ENTRIES and (SAMPLES / find(bare).path).is_dir()


def sampled() -> list[str]:
    """The benchmarks of which a few rows come with the package."""
    return list(filter(has_sample, ENTRIES))


def _cases(name: str, benchmark: Benchmark, config: str | None, origin: Origin, seed: int) -> Iterator[Case]:
    source = Source(benchmark, config, origin, seed)
    foreign = name.startswith(PREFIX)  # its rows are a stranger's: what they call `dataset` or `source` stays theirs
    for place, case in enumerate(benchmark.load(source)):
        told = {"dataset": name, "source": source.read_from}
        yield {"id": place, **told, **case} if foreign else {"id": place, **case, **told}
