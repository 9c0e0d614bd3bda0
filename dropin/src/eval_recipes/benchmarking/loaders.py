"""Agents, tasks and benchmarks from YAML files; relative paths in them start at the file's own folder."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from eval_recipes.benchmarking.schemas import (
    AgentDefinition,
    BenchmarkDefinition,
    InstallationFileMapping,
    ScoreEvalConfig,
    TaskDefinition,
)
from ringtrue.datasets.files.config_file import read_structured
from ringtrue.errors import InputError

Definition = TypeVar("Definition", bound=BaseModel)


class UnreadableDefinition(InputError, yaml.YAMLError):
    """A definition's file cannot be read as YAML; the message says where."""


def load_agents(agents_dir: Path) -> dict[str, AgentDefinition]:
    """The agents of every agent.yaml below a folder, by id; what is broken or doubled is left out with a warning."""
    agents: dict[str, AgentDefinition] = {}
    for path, agent in _definitions(agents_dir, "agent.yaml", AgentDefinition):
        files = {name: _placed(getattr(agent, name), path.parent) for name in ("installation_files", "runtime_files")}
        _add(agents, agent.id, agent.model_copy(update=files), path)
    return agents


def load_tasks(tasks_dir: Path) -> dict[str, TaskDefinition]:
    """The tasks of every task.yaml below a folder, by name; what is broken or doubled is left out with a warning."""
    tasks: dict[str, TaskDefinition] = {}
    for path, task in _definitions(tasks_dir, "task.yaml", TaskDefinition):
        configs = [_scripted(config, path.parent) for config in task.evaluation_configs]
        absent = [str(one.test_script) for one in configs if _without_script(one)]
        if absent:
            _warn(f"{path}: its test_script {', '.join(absent)} is not there; the task is left out")
            continue
        files = {name: _placed(getattr(task, name), path.parent) for name in ("task_time_files", "test_time_files")}
        _add(tasks, task.name, task.model_copy(update={**files, "evaluation_configs": configs}), path)
    return tasks


def load_benchmark(benchmark_file: Path) -> BenchmarkDefinition:
    """The benchmark in a file; an absent file, broken YAML and a wrong definition raise, each in its own way."""
    if not benchmark_file.exists():
        raise FileNotFoundError(f"there is no benchmark file {str(benchmark_file)!r}")
    return _definition(benchmark_file, BenchmarkDefinition)


def _definitions(folder: Path, name: str, kind: type[Definition]) -> Iterator[tuple[Path, Definition]]:
    if not folder.is_dir():
        _warn(f"there is no folder {str(folder)!r}, so no {name} in it")
        return
    for path in sorted(folder.rglob(name)):  # sorted, so that of two with one name the same is kept everywhere
        try:
            found = _definition(path, kind)
        except (UnreadableDefinition, ValidationError) as error:
            _warn(f"{path} is left out: {error}")
        else:
            yield path, found


def _definition(path: Path, kind: type[Definition]) -> Definition:
    try:
        written = read_structured(path)
    except InputError as error:
        raise UnreadableDefinition(str(error)) from error
    return kind.model_validate({} if written is None else written, context={"where": f"{path}: "})


def _add(definitions: dict[str, Any], name: str, definition: Any, path: Path) -> None:
    if name in definitions:
        _warn(f"{path} is left out: {name!r} is defined before it")
    definitions.setdefault(name, definition)


def _placed(mappings: list[InstallationFileMapping], folder: Path) -> list[InstallationFileMapping]:
    return [one.model_copy(update={"source": folder.absolute() / one.source}) for one in mappings]


def _scripted(config: Any, folder: Path) -> Any:
    if not isinstance(config, ScoreEvalConfig):
        return config
    return config.model_copy(update={"test_script": folder.absolute() / config.test_script})


def _without_script(config: Any) -> bool:
    return isinstance(config, ScoreEvalConfig) and not config.test_script.is_file()


def _warn(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=3)
