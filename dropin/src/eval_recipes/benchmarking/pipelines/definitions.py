"""What a benchmark names, looked up and checked before the first job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

from eval_recipes.benchmarking.jobs.places import require_names
from eval_recipes.benchmarking.schemas import AgentDefinition, InstallationFileMapping, TaskDefinition
from ringtrue.errors import ConfigurationError

Definition = TypeVar("Definition", AgentDefinition, TaskDefinition)


def defined(kind: str, name: str, known: Mapping[str, Definition]) -> Definition:
    """The definition of this name; ConfigurationError with the nearest name where there is none."""
    if name not in known:
        near = get_close_matches(name, list(known), n=1)
        there = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(map(repr, sorted(known))) or 'none'}"
        raise ConfigurationError(f"the benchmark names the {kind} {name!r}, which is not defined; {there}", value=name)
    require_names(kind, [name])
    found = known[name]
    _require_sources(f"the {kind} {name!r}", _mappings(found))
    return found


def require_once(kind: str, names: Iterable[str]) -> None:
    """Raise a ConfigurationError where a name stands twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ConfigurationError(f"{kind} stands twice in the benchmark: {name}; name it once", value=name)
        seen.add(name)


def _mappings(definition: AgentDefinition | TaskDefinition) -> list[InstallationFileMapping]:
    if isinstance(definition, AgentDefinition):
        return [*definition.installation_files, *definition.runtime_files]
    return [*definition.task_time_files, *definition.test_time_files]


def _require_sources(whose: str, mappings: Iterable[InstallationFileMapping]) -> None:
    for mapping in mappings:
        if not mapping.source.exists():
            raise ConfigurationError(
                f"{whose} wants {str(mapping.source)!r} copied to {mapping.dest!r}, which is not there", value=mapping
            )
