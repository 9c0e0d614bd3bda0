"""`calibrate`: an evaluator before human labels."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ringtrue.api.calibrated import Calibrated
from ringtrue.datasets.files.reader import read_chunks
from ringtrue.datasets.row_sources import table_rows
from ringtrue.datasets.samples import SAMPLE, sample_path
from ringtrue.dialects.coercion import plain_row, plain_text
from ringtrue.dialects.fields import Fields
from ringtrue.dialects.human_labels import field_value, label_field, numbers, without_field
from ringtrue.errors import ConfigurationError, RingtrueError
from ringtrue.records import DEFAULT_STORE, DEFAULT_THRESHOLD, Json, Made, Problem, Row, Run, Score
from ringtrue.require import require_share
from ringtrue.runner.file_job import SHOWN_PROBLEMS
from ringtrue.runner.headline import with_headlines
from ringtrue.runner.job import ReplayJob, datasets_of
from ringtrue.runner.journal import KeepNothing
from ringtrue.runner.options import Options
from ringtrue.runner.plan import Plan
from ringtrue.runner.planning import plan_for
from ringtrue.stats.calibration import calibration
from ringtrue.stats.cutoff import Criterion
from ringtrue.stats.row_pages import ListRows
from ringtrue.store.database import existing
from ringtrue.store.human_labels import HumanLabels
from ringtrue.store.runs import RunStore
from ringtrue.sync import run_sync
from ringtrue.systems.replay import Replay, RowReader

Rows = list[tuple[str, Mapping[str, Json]]]
"""Where each row is, and the row."""


def calibrate(
    rows: str | os.PathLike[str] | Run | Iterable[Any],
    evaluators: str | Sequence[Any] = (),
    *,
    label: str | None = None,
    positive: Sequence[str] = (),
    label_range: tuple[float, float] | None = None,
    score_field: str | None = None,
    score_range: tuple[float, float] | None = None,
    part: str | None = None,
    threshold: float | None = None,
    criterion: Criterion = "youden",
    mapping: Mapping[str, str] | None = None,
    format: str | None = None,
    judge: Any = None,
    judge_model: str | Sequence[str] = "",
    seed: int = 0,
    source: str | None = None,
    stored_labels: bool = False,
    **options: Any,
) -> Calibrated:
    """Compare evaluators with human labels: agreement, a recommended threshold, and a mean corrected by the labels.

    `rows` are files or dicts with answers, some of them with a label, or a run whose cases have labels. `label` names
    the field; by default the usual names are tried. With `stored_labels`, the labels are those that people gave in the
    viewer. Labels outside [0, 1] need `label_range`; `positive` names the values that mean yes. `score_field` compares
    scores that the rows already contain, without asking a judge. `part` is the part of the evaluators to compare, by
    default the main one. Evaluators never see the label. `seed` fixes everything random.

    `source` names the field with the source of a row; rows of one source stay together. `judge` and `judge_model` are
    as in `evaluate`; further options are the fields of `ringtrue.runner.options.Options`.
    """
    if threshold is not None:
        require_share("threshold", threshold)
    chosen = Options(**{"store": DEFAULT_STORE, **options}).require_this_machine("calibrate")
    plan = _plan(evaluators, score_field, part, (judge, judge_model, chosen), isinstance(rows, Run))
    read, problems = _read(rows, format)
    found = STORED if stored_labels else label_field([row for _, row in read], label)
    fields = Fields(mapping, blank_is_missing=True, answered=True)
    read = _rows_with_answers(read, fields, problems) if plan and not isinstance(rows, Run) else read
    if stored_labels:
        labels = _stored_labels(rows, chosen.store)
    else:
        labels = numbers([field_value(row, found) for _, row in read], positive=positive, ends=label_range)
    columns = _stored_scores(read, score_field, score_range)
    if isinstance(rows, Run):
        answers = [_without_label(row, found) for row in rows.rows]
    else:
        trials = [fields.trial(without_field(row, found), place) for place, (_, row) in enumerate(read)]
        answers = [Row(trial, scores={}, position=place, system=LABELLED) for place, trial in enumerate(trials)]
    run = _measure(plan, answers, chosen) if plan else _run_of(rows, answers)
    columns |= _columns(run, part)
    own = {one.name: one.threshold for one in run.made.evaluators}
    settings: dict[str, Any] = {"threshold": threshold, "criterion": criterion, "seed": seed}
    settings["sources"] = None if source is None else _sources([row for _, row in read], source)
    return Calibrated(
        label=found,
        labelled=sum(one is not None for one in labels),
        evaluators={
            name: calibration(scores, labels, own=own.get(name, DEFAULT_THRESHOLD), **settings)
            for name, scores in columns.items()
        },
        run=replace(run, problems=len(problems), first_problems=tuple(problems[:SHOWN_PROBLEMS])),
    )


LABELLED = "labelled rows"
"""The system whose answers people labelled."""


STORED = "labels in the store"


def _stored_labels(run: Any, store: str | None) -> list[float | None]:
    """Return the labels that people gave a run's answers in the viewer, as numbers; None without labels."""
    if not isinstance(run, Run):
        raise ConfigurationError("stored labels are those of a run; give a run's id, not rows", parameter="rows")
    with existing(store or DEFAULT_STORE) as database:
        found = HumanLabels(database).numbers(row.trial for row in run.rows)
    if not any(number is not None for number in found):
        message = "no answer of this run has a label in the store; label some in 'ringtrue view'"
        raise ConfigurationError(message, parameter="stored_labels")
    return found


def _read(rows: Any, format: str | None) -> tuple[Rows, list[Problem]]:
    found: Rows = []
    problems: list[Problem] = []
    if isinstance(rows, Run):
        return [(f"row {row.position + 1}", row.trial.case.fields) for row in rows.rows], problems
    items = [rows] if isinstance(rows, (str, os.PathLike)) else table_rows(rows)
    for number, item in enumerate(items, 1):
        if isinstance(item, Mapping):
            found.append((f"row {number}", plain_row(item)))
            continue
        if not isinstance(item, (str, os.PathLike)):
            raise ConfigurationError(f"rows are files or dicts; got {type(item).__name__}", parameter="rows")
        for chunk in read_chunks(_file(item), format):
            some, broken = chunk.read()
            problems += broken
            found += [(chunk.place(position), row) for position, row in some]
    return found, problems


def _sources(rows: Sequence[Mapping[str, Json]], field: str) -> list[Any]:
    """Return the source of each row: the row itself if it names none."""
    named = [field_value(row, field) for row in rows]
    if all(value is None for value in named):
        raise ConfigurationError(f"source: no row has {field}", parameter="source", value=field)
    return [place if one is None else plain_text(one) for place, one in enumerate(named)]


def _file(path: str | os.PathLike[str]) -> str:
    name = os.fspath(path)
    return sample_path(name) if name.endswith(SAMPLE) else name


def _without_label(row: Row, label: str) -> Row:
    """A row of a run whose case has no label."""
    case = replace(row.trial.case, fields=without_field(row.trial.case.fields, label))
    return replace(row, trial=replace(row.trial, case=case))


def _rows_with_answers(read: Rows, fields: Fields, problems: list[Problem]) -> Rows:
    """The rows that hold a response; the others join the problems."""
    reader = RowReader(fields)
    read = [(where, fields.lift_paths(row)) for where, row in read]
    holes = [reader.problem(row, where) for where, row in read]
    problems += [hole for hole in holes if hole]
    return [pair for pair, hole in zip(read, holes, strict=True) if not hole]


def _plan(
    evaluators: Any, score_field: str | None, part: str | None, judge: tuple[Any, Any, Options], of_run: bool
) -> Plan | None:
    given = [evaluators] if isinstance(evaluators, str) else list(evaluators)
    if not given:
        if score_field is None and not of_run:
            raise ConfigurationError(
                "nothing to compare with the labels: give an evaluator (-e), or the field that holds a judge's scores "
                "(--score-field)",
                parameter="evaluators",
            )
        return None
    plan = plan_for(given, *judge[:2], **judge[2].judging)
    for evaluator in plan.evaluators:
        parts = getattr(evaluator, "parts", ())
        if part is not None and parts and part not in parts:
            raise ConfigurationError(
                f"{evaluator.name!r} has no part {part!r}; there are {', '.join(parts)}", parameter="part", value=part
            )
    return plan


def _measure(plan: Plan, answers: Sequence[Row], options: Options) -> Run:
    """The rows with the evaluators' scores; judged ones are kept, and cost nothing a second time."""
    systems = list(dict.fromkeys(row.system for row in answers)) or [LABELLED]
    job = ReplayJob(
        systems=[Replay(name=name) for name in systems],
        cases=[row.trial.case for row in answers],
        answers=answers,
        plan=plan,
        options=options,
        datasets=with_headlines(datasets_of(row.trial.case for row in answers), plan.infos),
        kind="calibrate",
    )
    with RunStore.open(options.store) if options.store and plan.has_awaited else KeepNothing() as keeper:
        run = run_sync(job.run(keeper))
    if run.stopped_by:
        raise RingtrueError(f"stopped: {run.stopped_by} after {len(run.rows):,} of {len(answers):,} rows")
    return run


def _run_of(rows: Any, answers: Sequence[Row]) -> Run:
    if isinstance(rows, Run):
        return rows
    return Run(made=Made(job="calibrate"), rows=ListRows(answers, Made()), summaries={})


def _columns(run: Run, part: str | None) -> dict[str, list[Score]]:
    """Each evaluator's scores of the rows; of its part where one is named."""
    found = {}
    for one in run.made.evaluators:
        wanted = None if part in (None, one.main) else part
        missing = Score.skipped("not measured")
        found[one.name] = [_of_part(row.scores.get(one.name, missing), wanted) for row in run.rows]
    return found


def _stored_scores(read: Rows, name: str | None, ends: tuple[float, float] | None) -> dict[str, list[Score]]:
    """The scores that are in the rows already."""
    if name is None:
        return {}
    values = numbers([field_value(row, name) for _, row in read], what="score", ends=ends)
    return {name: [Score.skipped(f"no {name!r}") if value is None else Score(value) for value in values]}


def _of_part(score: Score, part: str | None) -> Score:
    if part is None or score.value is None:
        return score
    if part not in score.parts:
        return Score.skipped(f"no part {part!r}")
    value = score.parts[part]
    if not 0 <= value <= 1:
        raise ConfigurationError(f"the part {part!r} is {value:g}, which is not a score in [0, 1]", parameter="part")
    return replace(score, value=value, passed=None)
