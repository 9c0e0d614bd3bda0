"""`read_foreign_run`: a log of another evaluation tool as a `Run`; its scores are the tool's own."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from ringtrue.errors import InputError, RingtrueError
from ringtrue.jsontext import parse_json
from ringtrue.records import DatasetInfo, EvaluatorInfo, Json, Made, Row, Run, SystemInfo
from ringtrue.reports.foreign.deepeval_run import deepeval_rows, is_deepeval_run
from ringtrue.reports.foreign.inspect_log import inspect_rows, is_inspect_log, read_inspect_archive
from ringtrue.reports.foreign.lm_eval_samples import is_lm_eval_log, is_sample_file, lm_eval_rows, read_samples
from ringtrue.reports.foreign.promptfoo_output import is_promptfoo_output, promptfoo_rows
from ringtrue.runner.run_from_rows import run_of

SUFFIXES = (".eval", ".json")
READERS: dict[str, tuple[Callable[[Json], bool], Callable[[Mapping[str, Json]], list[Row]]]] = {
    "inspect_ai": (is_inspect_log, inspect_rows),
    "lm-evaluation-harness": (is_lm_eval_log, lm_eval_rows),
    "promptfoo": (is_promptfoo_output, promptfoo_rows),
    "deepeval": (is_deepeval_run, deepeval_rows),
}


def is_foreign_log(name: str) -> bool:
    """Whether a name is that of a file that another tool may have written."""
    path = Path(name)
    if not path.is_file():
        return False
    return path.suffix.lower() in SUFFIXES or (path.suffix.lower() == ".jsonl" and is_sample_file(path))


def read_foreign_run(path: str | os.PathLike[str]) -> Run:
    """The run that a log of another tool holds: its answers with its own scores."""
    place = Path(path)
    try:
        log = _read_log(place)
    except RingtrueError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: not JSON: {error}") from error
    except OSError as error:
        raise InputError(f"cannot read {str(place)!r}: {error.strerror or error}") from error
    tool = next((name for name, (is_log, _) in READERS.items() if is_log(log)), None)
    if tool is None:
        raise InputError(f"{place}: not a log that can be read as a run: there are readers for {', '.join(READERS)}")
    try:
        rows = READERS[tool][1](log)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{place}: not a log as {tool} writes it: {type(error).__name__}: {error}") from error
    return run_of(_made_from_rows(tool, place, rows), rows)


def _read_log(path: Path) -> Json:
    match path.suffix.lower():
        case ".eval":
            return read_inspect_archive(path)
        case ".jsonl":
            return read_samples(path)
        case _:
            return parse_json(path.read_bytes())


def _made_from_rows(tool: str, path: Path, rows: list[Row]) -> Made:
    names = list(dict.fromkeys(name for row in rows for name in row.scores))
    datasets = {name: sum(row.dataset == name for row in rows) for name in dict.fromkeys(row.dataset for row in rows)}
    return Made(
        name=path.name,
        datasets=tuple(
            DatasetInfo(name, revision="", cases=count, headline=names[0] if names else "")
            for name, count in datasets.items()
        ),
        systems=tuple(SystemInfo(name) for name in dict.fromkeys(row.system for row in rows)),
        evaluators=tuple(EvaluatorInfo(name, f"{tool}:{name}", keys={name: name}, main=name) for name in names),
        options={"read_from": tool},
    )
