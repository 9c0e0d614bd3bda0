"""`compare`: which system is better on the same cases, by how much, and how sure that is."""

from __future__ import annotations

import os

from ringtrue.api.runs import open_run
from ringtrue.errors import ConfigurationError
from ringtrue.records import DEFAULT_STORE, Run
from ringtrue.reports.comparing.case_pairs import Side, with_own_names
from ringtrue.reports.comparing.compare_runs import compare_sides, compare_systems
from ringtrue.reports.comparing.comparison import DEFAULT_MARGIN, Comparison
from ringtrue.require import require_share

RunLike = str | os.PathLike[str] | Run


def compare(
    *runs: RunLike,
    system: str | None = None,
    margin: float = DEFAULT_MARGIN,
    seed: int = 0,
    store: str = DEFAULT_STORE,
) -> Comparison:
    """Compare systems on the same cases: the first run with each of the others, or the systems inside one run.

    A run is anything that `open_run` takes; `RUN:system` names one of its systems, and `system` one for all runs. In a
    single run, the best system is compared with each of the others.
    """
    require_share("margin", margin)
    if not runs:
        raise ConfigurationError("compare needs a run with several systems, or two runs", parameter="runs")
    found = [_open(run, store) for run in runs]
    if len(found) == 1 and not found[0][1] and system is None:
        run, _, called = found[0]
        if len(run.made.systems) < 2:
            words = f"{called} has one system; name a second run to compare it with"
            raise ConfigurationError(words, parameter="runs")
        return compare_systems(run, margin=margin, seed=seed)
    if len(found) == 1:
        raise ConfigurationError(
            "there is only one system; name a second run or system to compare it with", parameter="runs"
        )
    sides = [_side(run, chosen or system, called) for run, chosen, called in found]
    return compare_sides(with_own_names(sides), margin=margin, seed=seed)


def _open(given: RunLike, store: str) -> tuple[Run, str, str]:
    """A run, the system that `RUN:system` names, and the name under which a comparison shows the run."""
    if not isinstance(given, (str, os.PathLike)):
        run = open_run(given, store)
        return run, "", run.id or run.made.name or "run"
    name, colon, system = os.fspath(given).rpartition(":")
    if not colon or os.path.exists(given):
        name, system = os.fspath(given), ""
    if not name:
        raise ConfigurationError(f"write RUN:system; got {given!r}", parameter="run", value=given)
    run = open_run(name, store)
    return run, system, os.path.basename(name) or run.id


def _side(run: Run, system: str | None, called: str) -> Side:
    named = [one.name for one in run.made.systems] or list(dict.fromkeys(row.system for row in run.rows))
    if len(named) == 1 and system is None:
        return Side(run, named[0], called)
    if system is None:
        words = f"{called} has {len(named)} systems: write {called}:SYSTEM; there are {', '.join(named)}"
        raise ConfigurationError(words, parameter="system", value=system)
    if system not in named:
        words = f"{called} has no system {system!r}; there are {', '.join(named)}"
        raise ConfigurationError(words, parameter="system", value=system)
    return Side(run, system, called)
