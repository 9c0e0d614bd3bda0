"""Where a run's files lie."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ringtrue.errors import ConfigurationError

PROJECT = "/project"
"""Where an agent works, in its container."""
RESULTS = "results"
COMPARISONS = "comparisons"
LOG = "benchmark.log"
"""What a run says while it runs; it lies in the run's folder, and a copy of it beside the report."""
IMAGES = "images.txt"
SCORE_STATE, COMPARISON_STATE = "jobs.db", "comparison_jobs.db"
_TAKEN = (RESULTS, COMPARISONS, LOG, IMAGES, SCORE_STATE, COMPARISON_STATE)
_NAME_BYTES = 200


def output_dir(config: dict[str, Any]) -> Path:
    """The folder of a run: the setting `output_dir`, or one in the current folder."""
    return Path(config.get("output_dir") or Path.cwd() / ".benchmark_results_v2")


def trial_dir(config: dict[str, Any], agent_id: str, task_name: str, trial: str) -> Path:
    """The folder of one trial, made where it is not there."""
    folder = output_dir(config) / agent_id / task_name / trial
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def require_names(kind: str, names: Iterable[str]) -> None:
    """Raise a ConfigurationError unless every name can be a folder's name below a run's."""
    for name in names:
        fits = name.isprintable() and len(os.fsencode(name)) <= _NAME_BYTES and not set(name) & set("/\\")
        if not fits or not name.strip(". ") or name in _TAKEN:
            raise ConfigurationError(
                f"{kind} {name!r} cannot be the name of a folder; give it a short name without slashes and line breaks "
                f"that is none of {', '.join(map(repr, _TAKEN))}",
                parameter=kind,
                value=name,
            )
