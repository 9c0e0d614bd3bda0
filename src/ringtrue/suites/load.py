"""`load_suite`: a suite that a file describes, ready to run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ringtrue.datasets.files.whole_file import read_rows
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Evaluator, as_evaluator
from ringtrue.evaluators.combined import CombinedEvaluator
from ringtrue.evaluators.spec import build, find
from ringtrue.records import Json, Run
from ringtrue.reports.eval_report import EvalReport
from ringtrue.suites.file_format import CheckSpec, SuiteFile, read_suite
from ringtrue.suites.suite import EvalSuite
from ringtrue.systems.spec import described_system
from ringtrue.systems.system import System

_GATE = ("fail_threshold", "max_error_rate")


@dataclass(frozen=True)
class LoadedSuite:
    """A suite with the system and the options its file names."""

    file: SuiteFile
    suite: EvalSuite

    def system(self) -> System:
        """The system the file names."""
        described, path = self.file.system, self.file.path
        if described is None:
            raise ConfigurationError(
                f"{path}: system: there is none; write MODULE:FUNCTION, a command or an endpoint", parameter="system"
            )
        try:
            return described_system(described, path.parent, _rows)
        except (ConfigurationError, TypeError) as error:
            raise ConfigurationError(f"{path}: system: {error}", parameter="system", value=described) from error

    def run(self, fn: Any = None, **options: Any) -> EvalReport:
        """Run the suite as its file says; what is given here comes first."""
        return self.suite.run(self.system() if fn is None else fn, **{**self.file.options, **options})

    def regrade(self, report: EvalReport | Run, **options: Any) -> EvalReport:
        """Check the outputs of a run again, with the gate of the file unless another is given."""
        gate = {name: self.file.options[name] for name in _GATE if name in self.file.options}
        return self.suite.regrade(report, **{**gate, **options})


def _rows(path: Path) -> Iterator[Mapping[str, Json]]:
    return (row for _, row in read_rows(path))


def load_suite(path: str | os.PathLike[str], mapping: Mapping[str, str] | None = None) -> LoadedSuite:
    """Load a suite from a YAML, TOML or JSON file, and check everything except the system at once.

    `mapping` names the fields of `input`, `expected`, `context` or `id`, as in `evaluate`.
    """
    file = read_suite(path, mapping)
    suite = EvalSuite(file.name, file.model_id, file.purpose)
    suite.add_evaluators(*(_check(spec, file.path) for spec in file.checks))
    for case, checks in file.cases:
        suite.add_case(case, [_check(spec, file.path) for spec in checks])
    return LoadedSuite(file, suite)


def _check(spec: CheckSpec, path: Path) -> tuple[Evaluator, float]:
    try:
        return _evaluator(spec.spec, spec.settings), spec.weight
    except ConfigurationError as error:
        raise ConfigurationError(f"{path}: {spec.where}: {error}", parameter=spec.where, value=error.value) from error


def _evaluator(name: str, settings: Json) -> Evaluator:
    if settings is None:
        return build(name)
    factory = find(name)
    try:
        if isinstance(factory, type) and issubclass(factory, CombinedEvaluator):
            return _combine(factory, settings)
        return as_evaluator(factory(**settings) if isinstance(settings, dict) else factory(settings))
    except TypeError as error:
        what = str(error).removeprefix(f"{getattr(factory, '__name__', '')}.__init__() ")
        raise ConfigurationError(f"{name}: {what}; 'ringtrue explain {name}' shows its settings") from error


def _combine(factory: type[CombinedEvaluator], settings: Json) -> Evaluator:
    """Members are listed, or are under `evaluators` beside a name; a single one needs no list."""
    table: Mapping[str, Json] = settings if isinstance(settings, dict) and "evaluators" in settings else {}
    members = table.get("evaluators", settings)
    built = [_member(item) for item in (members if isinstance(members, list) else [members])]
    return factory(*built, **{key: value for key, value in table.items() if key != "evaluators"})


def _member(item: Json) -> Evaluator:
    if isinstance(item, str):
        return build(item)
    if isinstance(item, dict) and len(item) == 1:
        ((name, settings),) = item.items()
        return _evaluator(name, settings)
    raise ConfigurationError(f"an evaluator is text or {{name: settings}}; got {item!r}", value=item)
