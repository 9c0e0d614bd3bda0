"""`load`: the cases of a dataset by name, `gsm8k`, `mmlu:anatomy`, `gsm8k@sample` or `hf:ORG/NAME`, one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.own_file import benchmark_in_file, names_file
from ringtrue.datasets.catalogue.table import ENTRIES, find, is_known
from ringtrue.datasets.hub.any_dataset import PREFIX, benchmark_of_any_dataset
from ringtrue.datasets.hub.origin import SAMPLES, Origin
from ringtrue.datasets.samples import SAMPLE
from ringtrue.datasets.selection import Selection
from ringtrue.datasets.worked_examples import GENERAL, RAW, examples_for
from ringtrue.errors import ConfigurationError

_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_-]*(?::[A-Za-z0-9._-]+)?(?:{SAMPLE})?")


def load(
    name: str,
    limit: int | None = None,
    *,
    origin: Origin | None = None,
    seed: int = 0,
    selection: Selection | None = None,
) -> Iterator[Case]:
    """Iterate over the cases of a benchmark; rows are read as needed, and an unknown name raises at once.

    Every case has an `id`, the name of its `dataset`, and the `source` it was read from. `limit` takes the first
    cases; `seed` decides what the benchmark draws, such as the order of options. A `selection` replaces both.
    """
    benchmark, config = parse_name(name)
    chosen = selection or Selection(limit=limit, seed=seed, first=True)
    if name.endswith(SAMPLE) and not name.startswith(PREFIX):
        return _sample(name.removesuffix(SAMPLE), benchmark, config, chosen)
    return cases_of(benchmark, name, config, origin or Origin.from_env(), chosen)


def _sample(name: str, benchmark: Benchmark, config: str | None, chosen: Selection) -> Iterator[Case]:
    """The rows that come with the package; the sample of all subjects holds rows of each."""
    require_sample(name, benchmark)
    if (chosen.few_shot and _example_split(benchmark, chosen)) or chosen.split not in (None, benchmark.split):
        words = (
            f"{name}{SAMPLE} has the split {benchmark.split!r} alone; other splits and worked examples are in {name}"
        )
        raise ConfigurationError(words, parameter="dataset", value=f"{name}{SAMPLE}")
    if not benchmark.subject or config == benchmark.config or _has_files(benchmark, config):
        return cases_of(benchmark, name, config, Origin.samples(), chosen)
    every = list(cases_of(benchmark, name, benchmark.config, Origin.samples(), replace(chosen, limit=None)))
    own = [row for row in every if row.get(benchmark.subject) == config]
    if not own:
        there = ", ".join(dict.fromkeys(str(row.get(benchmark.subject)) for row in every))
        words = f"no rows of {name} come with the package; those of {benchmark.name}{SAMPLE} are of {there}"
        raise ConfigurationError(words, parameter="dataset", value=f"{name}{SAMPLE}")
    return chosen.chosen(own, subject="")


def require_sample(name: str, benchmark: Benchmark) -> None:
    """Raise, with the names of those that have one, where no rows of a benchmark come with the package."""
    if not benchmark.path:
        words = f"{benchmark.name} is generated: it has no sample; write {name!r}"
        raise ConfigurationError(words, parameter="dataset", value=name)
    if not has_sample(name):
        raise ConfigurationError(
            f"no rows of {benchmark.name} come with the package; there are samples of {', '.join(sampled_names())}",
            parameter="dataset",
            value=name,
        )


def _has_files(benchmark: Benchmark, config: str | None) -> bool:
    folder = SAMPLES / benchmark.path
    return bool(config) and ((folder / str(config)).is_dir() or any(folder.glob(f"*_{config}.json")))


def cases_of(
    benchmark: Benchmark, name: str, config: str | None, origin: Origin, selection: Selection
) -> Iterator[Case]:
    """The cases a selection takes of a benchmark, under the name they were asked for by."""
    pool: list[Case] = []
    if selection.few_shot:
        split = of_split(benchmark, _example_split(benchmark, selection))
        examples = _cases(name, split, config, origin, selection.seed)
        pool = list(examples if benchmark.subject else islice(examples, selection.few_shot))
    asked = of_split(benchmark, selection.split) if selection.split else benchmark
    every = _cases(name, asked, config, origin, selection.seed)
    for row in selection.chosen(every, subject=_drawn_across(benchmark)):
        shown = examples_for(row, pool, selection.few_shot, benchmark.subject)
        worded = selection.worded_row(row, shown, benchmark.example_format)
        if benchmark.example_format is not GENERAL:
            worded.pop(RAW, None)
        yield worded


def _drawn_across(benchmark: Benchmark) -> str | None:
    """The field that a sample is spread over; none where rows come at random, or where there may be any number."""
    is_endless = benchmark.size is None and not benchmark.subject
    return None if benchmark.drawn or is_endless else benchmark.subject


def of_split(benchmark: Benchmark, split: str) -> Benchmark:
    """The benchmark, read from another split; one whose files name none has no other."""
    if benchmark.files and split != benchmark.split:
        if not re.search(rf"\b{re.escape(benchmark.split)}\b", benchmark.files):
            raise ConfigurationError(
                f"{benchmark.name} has no other split than {benchmark.split!r}", parameter="split", value=split
            )
        return replace(benchmark, split=split, files=re.sub(rf"\b{benchmark.split}\b", split, benchmark.files))
    if not benchmark.path:
        raise ConfigurationError(f"{benchmark.name} is generated: it has no splits", parameter="split", value=split)
    return replace(benchmark, split=split)


def _example_split(benchmark: Benchmark, selection: Selection) -> str:
    """The split that worked examples come from; a benchmark without one, or one that is itself asked, raises."""
    if benchmark.examples is None:
        raise ConfigurationError(
            f"{benchmark.name} has no training split to take examples from; ask it without few_shot",
            parameter="few_shot",
            value=selection.few_shot,
        )
    if benchmark.examples == (selection.split or benchmark.split):
        raise ConfigurationError(
            f"the examples of {benchmark.name} are those of the split {benchmark.examples!r}, which is asked itself",
            parameter="few_shot",
            value=selection.few_shot,
        )
    return benchmark.examples


def parse_name(name: str) -> tuple[Benchmark, str | None]:
    """The benchmark and configuration a name says; an unknown one raises, with the nearest."""
    if name.startswith(PREFIX):
        return benchmark_of_any_dataset(name)
    if names_file(name):
        benchmark, config = benchmark_in_file(name)
        bare = name.removesuffix(f":{config}") if config else name
    else:
        called, at, split = name.removesuffix(SAMPLE).partition("@")
        bare, _, config = called.partition(":")
        benchmark = find(bare)
        if at:
            if get_close_matches(f"@{split}", [SAMPLE]):
                words = f"did you mean {called + SAMPLE!r}?"
            else:
                words = f"{called!r} is read from another split by --split {split} (split={split!r} in Python)"
            raise ConfigurationError(f"no dataset named {name!r}; {words}", parameter="dataset", value=name)
    if config and config in benchmark.absent:
        words = f"{bare}:{config} is not here: {benchmark.absent[config]}"
        raise ConfigurationError(words, parameter="dataset", value=name)
    if config and benchmark.configs and config not in benchmark.configs and not _is_form_of(config, benchmark):
        raise _unknown_configuration(bare, config, benchmark)
    if config and not benchmark.configs:
        raise ConfigurationError(
            f"{bare} has no configurations; write {bare!r} instead of {name!r}", parameter="dataset", value=name
        )
    return benchmark, config or benchmark.config


def _unknown_configuration(name: str, config: str, benchmark: Benchmark) -> ConfigurationError:
    near = get_close_matches(config, benchmark.configs, n=1, cutoff=0.6)
    some = ", ".join(benchmark.configs[:12]) + (" …" if benchmark.configs[12:] else "")
    hint = f"did you mean '{name}:{near[0]}'?" if near else f"it has {some};"
    words = f"{name} has no configuration {config!r}; {hint} 'ringtrue show dataset {name}' shows all"
    return ConfigurationError(words, parameter="dataset", value=f"{name}:{config}")


def _is_form_of(config: str, benchmark: Benchmark) -> bool:
    return bool(benchmark.config_pattern and re.fullmatch(benchmark.config_pattern, config))


def is_name(text: str) -> bool:
    """Whether a text names a dataset, not a file: of the catalogue, of the hub, or no file and in the form of one."""
    if text.startswith(PREFIX) or names_file(text) or is_known(text.partition("@")[0].partition(":")[0]):
        return True
    return "." not in text and bool(_NAME.fullmatch(text)) and not Path(text).exists()


def has_sample(name: str) -> bool:
    """Whether a few rows of a benchmark come with the package."""
    bare = name.removesuffix(SAMPLE).partition(":")[0]
    return bare in ENTRIES and bool(find(bare).path) and (SAMPLES / find(bare).path).is_dir()


def sampled_names() -> list[str]:
    """The benchmarks of which a few rows come with the package."""
    return list(filter(has_sample, ENTRIES))


def _cases(name: str, benchmark: Benchmark, config: str | None, origin: Origin, seed: int) -> Iterator[Case]:
    source = Source(benchmark, config, origin, seed)
    foreign = name.startswith(PREFIX)  # its rows are a stranger's: what they call `dataset` or `source` stays theirs
    for place, case in enumerate(benchmark.load(source)):
        origin_fields = {"dataset": name, "source": source.read_from}
        yield {"id": place, **origin_fields, **case} if foreign else {"id": place, **case, **origin_fields}
