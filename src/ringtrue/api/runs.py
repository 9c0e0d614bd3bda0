"""`open_run`: a run by its name in the store, or from a file of rows; `rescore`: its answers, measured again."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import finalize

from ringtrue.datasets.cases import case_mapping, mapped_case
from ringtrue.errors import ConfigurationError
from ringtrue.records import DEFAULT_STORE, Run
from ringtrue.reports.file_rows import FileRows, folder_error
from ringtrue.reports.foreign.foreign_log import is_foreign_log, read_foreign_run
from ringtrue.reports.manifest import is_manifest, read_manifest
from ringtrue.reports.progress import RunProgress
from ringtrue.reports.run_file import is_row_file, read_run
from ringtrue.runner.headline import with_headlines, with_threshold
from ringtrue.runner.job import ReplayJob
from ringtrue.runner.journal import KeepNothing
from ringtrue.runner.options import KEPT, Options
from ringtrue.runner.plan import Plan
from ringtrue.runner.planning import plan_for
from ringtrue.runner.replay_rows import CasesOfRows, PlacedRows, ReplayRows
from ringtrue.runner.run_from_rows import run_of
from ringtrue.stats.anytime_share import share_so_far
from ringtrue.stats.pairs import are_in_order
from ringtrue.stats.row_status import PASS_RATE
from ringtrue.store.runs import RunStore
from ringtrue.sync import run_sync
from ringtrue.systems.replay import Replay

_OF_ITS_WORK = ("arguments", "executor", "max_workers", *KEPT)
"""Options that say how a run was worked on, and not what its answers are."""


def open_run(run: str | os.PathLike[str] | Run, store: str = DEFAULT_STORE) -> Run:
    """Open a run: a stored id or its beginning, `last`, a file of rows (JSONL, Parquet), or a Run or a view of one.

    It also opens the folder or manifest of a run on Ray, and logs of inspect_ai (`.eval`, `.json`),
    lm-evaluation-harness (`samples_*.jsonl`), promptfoo (`output.json`) and deepeval (`.latest_test_run.json`) with
    their scores. Rows are read when they are needed; those of a run that did not end are summed up at once.
    """
    found = find_run(run, store)
    return found if found.summaries or found.status == "finished" or not len(found.rows) else _with_sums(found)


def find_run(run: str | os.PathLike[str] | Run, store: str = DEFAULT_STORE) -> Run:
    """`open_run` without the sums of a run that did not end, for which all its rows are read."""
    if not isinstance(run, (str, os.PathLike)):
        found: Run = getattr(run, "run", run)
        if not isinstance(found, Run):
            raise ConfigurationError(
                f"a run is an id, 'last', a file of rows or a Run; got {type(run).__name__}", parameter="run", value=run
            )
        return found
    name = os.fspath(run)
    if is_manifest(name):
        return read_manifest(name)
    if is_foreign_log(name):
        return read_foreign_run(name)
    if is_row_file(name):
        return read_run(name)
    keeper = RunStore.existing(store)
    try:
        kept = keeper.find(name)
    except ConfigurationError as error:
        keeper.database.close()
        if os.path.isdir(name):
            raise folder_error(name) from error
        raise
    finalize(kept.rows, keeper.database.close)
    return kept


def _with_sums(run: Run) -> Run:
    """A run that has not ended, with the sums of the rows it has: they are kept when it ends.

    The interval of the share that passes holds at any time, as the viewer shows it: what is there was not chosen.
    """
    found, repeats = run_of(run.made, run.rows), int(run.made.options.get("repeats", 1))
    sums = {
        dataset: {
            system: {key: share_so_far(one, repeats) if key == PASS_RATE else one for key, one in own.items()}
            for system, own in systems.items()
        }
        for dataset, systems in found.summaries.items()
    }
    return replace(run, summaries=sums, first_skips=found.first_skips, facts=found.facts)


def rescore(
    run: str | os.PathLike[str] | Run,
    evaluators: Sequence[Any],
    *,
    store: str | None = DEFAULT_STORE,
    judge: Any = None,
    judge_model: str | Sequence[str] = "",
    limit: int | None = None,
    mapping: Mapping[str, str] | None = None,
    output: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Run:
    """Score the answers of a run with other evaluators, without asking a system.

    The new run is kept in the store and refers to the stored answers; on Ray (`executor="ray"`) it is written to the
    folder `output`. `limit` is the largest number of cases of each dataset. `mapping` reads `input`, `expected`,
    `context` or `id` from other fields of the row. `judge` and `judge_model` are as in `evaluate`; further options are
    the fields of `ringtrue.runner.options.Options`.
    """
    earlier = find_run(run, store or DEFAULT_STORE)
    about = {name: value for name, value in earlier.made.options.items() if name not in _OF_ITS_WORK}
    about |= {"rescored_from": earlier.id or str(run)}
    chosen = Options(store=store, about=about, repeats=int(about.get("repeats", 1)), **options)
    chosen = chosen.with_facts(limit=limit, mapping=mapping)
    given = [evaluators] if isinstance(evaluators, str) else evaluators
    if chosen.executor == "ray":
        from ringtrue.api.on_shards import rescore_shards

        if limit is not None or mapping:
            words = "on Ray a run is rescored whole: leave out --limit and --map"
            raise ConfigurationError(words, parameter="executor", value=chosen.executor)
        return rescore_shards(run, given, chosen, (judge, judge_model), output)
    if isinstance(earlier.rows, FileRows) and not are_in_order(earlier.rows):
        earlier = replace(earlier, rows=PlacedRows(earlier.rows, earlier.made))
    earlier = _part_of(earlier, limit, case_mapping(mapping))
    job = _replay(earlier, plan_for(given, judge, judge_model, **chosen.judging), chosen)
    with RunStore.open(store) if store else KeepNothing() as keeper:
        return run_sync(job.run(keeper))


def _part_of(run: Run, limit: int | None, mapping: Mapping[str, str]) -> Run:
    """A run with at most `limit` cases of each dataset; a mapping names the fields they are read from."""
    if limit is None and not mapping:
        return run
    change = partial(mapped_case, mapping=mapping) if mapping else None
    taken = [one if limit is None else replace(one, cases=min(one.cases, limit)) for one in run.made.datasets]
    made = replace(run.made, datasets=tuple(taken))
    unasked = run.unasked_count if limit is None else 0
    return replace(run, made=made, rows=ReplayRows(run.rows, made, limit=limit, change=change), unasked_count=unasked)


def _replay(earlier: Run, plan: Plan, options: Options) -> ReplayJob:
    rows = earlier.rows
    datasets = with_headlines(earlier.made.datasets, plan.infos)
    names = [one.name for one in earlier.made.systems] or list(dict.fromkeys(row.system for row in rows))
    signatures = {one.name: one.signature for one in earlier.made.systems}
    return ReplayJob(
        systems=[Replay(name=name, signature=signatures.get(name, "")) for name in names],
        cases=CasesOfRows(rows),
        answers=rows,
        unasked=earlier.unasked_count,
        plan=with_threshold(plan, datasets, options.threshold),
        options=options,
        datasets=datasets,
        kind="rescore",
        listener=RunProgress(shown=options.progress),
    )
