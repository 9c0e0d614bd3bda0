"""`Benchmark`: an entry of the catalogue, and `Source`: what its loader reads from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ringtrue.datasets.hub.layout import choose_files, matching
from ringtrue.datasets.hub.origin import SAMPLES, Origin
from ringtrue.datasets.hub.repository import CONVERTED, IN_ARCHIVE, Repository, copying
from ringtrue.datasets.hub.row_schema import KINDS, Shape, mismatch
from ringtrue.datasets.worked_examples import GENERAL, ExampleFormat
from ringtrue.errors import ConfigurationError, InputError
from ringtrue.records import Json

Case = dict[str, Json]
"""A row as the runner reads it: `question`, `answer` (a list of references), `context`, and what evaluators need."""

ANSWER_QUALITY = ("answer_quality",)


@dataclass(frozen=True)
class ScoringRule:
    """The scoring of one configuration: its evaluators, and the part that is its headline metric.

    `judged` evaluators are added where there is a judge, and `judged_headline` is the headline then. `proxy` says how
    the headline without a judge differs from the authors' metric, `judged_proxy` how the one with a judge does; they
    are empty where it is theirs. `metrics` are over all rows: the name of a class in `ringtrue.metrics`, and its
    arguments.
    """

    evaluators: tuple[Any, ...]
    headline: str
    proxy: str = ""
    judged: tuple[str, ...] = ()
    judged_headline: str = ""
    metrics: tuple[tuple[str, ...], ...] = ()
    judged_proxy: str = ""


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """The facts about a benchmark, and its loader.

    `revision`, `size` (cases of the default configuration), `licence` and `fields` (the shape of rows that are read)
    come from `sources`, each `PLACE: fact, fact`; an unknown revision or size is None, an unknown licence `unknown`,
    and one that its place does not name `none stated`.
    `files` names the files where the hub's layout does not. `evaluators`, `metric`, `proxy`, `judged`,
    `judged_metric`, `judged_proxy` and `metrics` hold for every configuration that `by_config` does not name.
    `examples` is the split that few-shot examples are taken from, `example_format` how their authors write them, where
    a source states it; `subject` the field of a case that a sample is spread
    over. `config_pattern` is what a configuration may look like where there are more than `configs` can list; `drawn`
    says that the rows come in a random order, so that the first of them are a sample. `absent` are configurations of
    the authors that are not here, and why. `script` says that the repository holds a loading script, so that a copy is
    made of the hub's conversion. An evaluator is a name, or an object of your own as `as_evaluator` takes it.
    """

    name: str
    task: str
    path: str
    split: str
    fields: Mapping[str, Shape]
    load: Callable[[Source], Iterator[Case]]
    metric: str
    licence: str
    citation: str
    homepage: str
    sources: tuple[str, ...]
    evaluators: tuple[Any, ...] = ANSWER_QUALITY
    config: str | None = None
    configs: tuple[str, ...] = ()
    revision: str | None = None
    size: int | None = None
    files: str | None = None
    gated: bool = False
    note: str = ""
    proxy: str = ""
    judged: tuple[str, ...] = ()
    judged_metric: str = ""
    judged_proxy: str = ""
    metrics: tuple[tuple[str, ...], ...] = ()
    by_config: Mapping[str, ScoringRule] = field(default_factory=dict)
    examples: str | None = None
    example_format: ExampleFormat = GENERAL
    subject: str = ""
    config_pattern: str = ""
    drawn: bool = False
    absent: Mapping[str, str] = field(default_factory=dict)
    script: bool = False

    def __post_init__(self) -> None:
        wrong = next(wrong_kinds(self.fields), None)
        if wrong:
            raise ConfigurationError(
                f"benchmark {self.name!r}: fields has the kind {wrong!r}; there are {', '.join(KINDS)}, with ? after "
                "them where null is allowed",
                parameter="fields",
                value=wrong,
            )
        strays = set(self.by_config) - {*self.configs, self.config}
        if strays:
            raise ConfigurationError(
                f"benchmark {self.name!r}: by_config names {min(map(str, strays))!r}, not one of its configurations",
                parameter="by_config",
                value=min(map(str, strays)),
            )

    def scoring(self, config: str | None = None) -> ScoringRule:
        """The scoring of a configuration, by default of the default one."""
        shared = ScoringRule(
            self.evaluators, self.metric, self.proxy, self.judged, self.judged_metric, self.metrics, self.judged_proxy
        )
        return self.by_config.get(config or self.config or "", shared)


def wrong_kinds(shape: Shape) -> Iterator[object]:
    """The names in a shape that are not a kind of value."""
    if isinstance(shape, Mapping):
        for inner in shape.values():
            yield from wrong_kinds(inner)
    elif isinstance(shape, list):
        for inner in shape:
            yield from wrong_kinds(inner)
    elif not isinstance(shape, str) or shape.removesuffix("?") not in KINDS:
        yield shape


@dataclass
class Source:
    """One configuration of a benchmark, and where its files are; nothing is opened before it is asked for.

    `read_from` is what was read last, for the record: repository and commit, or the benchmark's loader alone.
    """

    benchmark: Benchmark
    config: str | None
    origin: Origin
    seed: int = 0
    read_from: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self.read_from = f"the loader of {self.benchmark.name}"

    @cached_property
    def repository(self) -> Repository:
        """The benchmark's files."""
        found = self._opened_repository()
        self.read_from = found.source
        return found

    def _opened_repository(self) -> Repository:
        benchmark = self.benchmark
        try:
            return self.origin.repository(benchmark.path, benchmark.revision, gated=benchmark.gated)
        except InputError as error:
            words = str(error)
            if benchmark.script:
                words += f", with --revision {CONVERTED}: the repository itself holds a loading script"
            if (SAMPLES / benchmark.path).is_dir():
                words += f"; a few rows come with the package: {benchmark.name}@sample"
            raise InputError(words) from error

    def rows(self, *, fields: Mapping[str, Shape] | None = None, **where: str | None) -> Iterator[Mapping[str, Json]]:
        """The rows of the benchmark's configuration and split, or of another `config`, `split`, `files` or `format`.

        A row that has not the declared shape raises, naming the field and the revision.
        """
        config = where.get("config", self.config)
        repository, names = self._locate(config, where)
        self.read_from = repository.source
        shape = self.benchmark.fields if fields is None else fields
        for name in names:
            for number, row in enumerate(repository.rows(name, where.get("format")), 1):
                problem = mismatch(row, shape)
                if problem:
                    raise InputError(
                        f"{self.benchmark.name}: {problem}, in row {number} of {name} of {repository.source}; the "
                        f"schema has changed, and {self.benchmark.revision or 'no revision'} is pinned"
                    )
                yield row

    def text(self, name: str) -> str:
        """The text of a file of the repository."""
        return self.repository.text(name)

    def matching(self, pattern: str) -> list[str]:
        """The files of the repository that match a pattern."""
        return matching(self.repository.names(), pattern)

    def _locate(self, config: str | None, where: Mapping[str, str | None]) -> tuple[Repository, list[str]]:
        split = where.get("split") or self.benchmark.split
        pattern = where.get("files") or (self.benchmark.files or "").replace("{config}", config or "")
        archive, _, member = pattern.partition(IN_ARCHIVE)
        for form in (lambda: self.repository, self.repository.converted_repository):
            repository = form()
            if repository is not None:
                listed = repository.names()
                names = matching(listed, archive) if pattern else choose_files(listed, config, split)
                if names:
                    return repository, [f"{name}{IN_ARCHIVE}{member}" for name in names] if member else names
        raise InputError(
            f"{self.benchmark.name}: {self.repository.source} has no file "
            f"{pattern if pattern else f'of configuration {config!r}, split {split!r}'}; "
            f"it has {', '.join(self.repository.names()[:8]) or 'none'}{self._conversion_advice()}"
        )

    def _conversion_advice(self) -> str:
        """Return the commands that copy the hub's conversion of a dataset whose own repository is a loading script."""
        if not any(name.endswith(".py") for name in self.repository.names()):
            return ""
        made = copying(self.benchmark.path, CONVERTED, "DIR")
        return f"; a loading script is not run: copy the hub's conversion, where there is one, with: {made}"
