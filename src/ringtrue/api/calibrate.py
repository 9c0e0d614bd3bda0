"""`calibrate`: an evaluator before human labels."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from ringtrue.api.given import Given
from ringtrue.api.planning import measured_at_once, planned, prepare_judges, remembering
from ringtrue.api.score_file import SHOWN_PROBLEMS, Judging, main_part
from ringtrue.datasets.files.reader import named_format, read_chunks
from ringtrue.datasets.samples import sample_path
from ringtrue.dialects.coercion import plain_text
from ringtrue.dialects.fields import Fields
from ringtrue.dialects.human_labels import field_value, label_field, numbers, without_field
from ringtrue.errors import ConfigurationError, RingtrueError
from ringtrue.records import Json, Problem, Row, Score, Trial
from ringtrue.require import require_share
from ringtrue.runner.budget import Budget
from ringtrue.runner.loop import Loop, Task
from ringtrue.runner.plan import Plan
from ringtrue.stats.calibration import Calibration, calibration
from ringtrue.stats.cutoff import Criterion
from ringtrue.store.database import DEFAULT, Database
from ringtrue.sync import run_sync
from ringtrue.systems.replay import Replay

Rows = list[tuple[str, Mapping[str, Json]]]
"""Where each row is, and the row."""


@dataclass(frozen=True)
class Calibrated:
    """Each evaluator's calibration by its name, on which labels, from how many rows, and what judges took for it."""

    label: str
    rows: int
    labelled: int
    evaluators: Mapping[str, Calibration]
    signatures: Mapping[str, str] = field(default_factory=dict)
    problems: int = 0
    first_problems: tuple[Problem, ...] = ()
    spent: Mapping[str, float | None] = field(default_factory=dict)


def calibrate(
    rows: str | os.PathLike[str] | Iterable[Any],
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
    judging: Judging | None = None,
    seed: int = 0,
    source: str | None = None,
    costs: tuple[float, float] | None = None,
    held_out: tuple[str, str] | None = None,
) -> Calibrated:
    """Compare evaluators with the human labels in rows: agreement, a threshold, and a mean that the labels correct.

    `rows` are files or dicts with answers and, at least in some, a label. `label` names its field, else a usual name is
    looked for; numbers beyond [0, 1] need `label_range`, and `positive` names the values that mean yes. `score_field`
    compares scores that are in the rows already, and asks nobody. `part` is the evaluators' part to compare, else
    their main one. No evaluator is shown the label. Everything random follows `seed`.

    `source` names the field that tells what rows come from: those of one source stay together. `costs`, of a wrong
    answer that passes and a right one that fails, ask for the threshold that is cheapest; the rows in which the field
    of `held_out` has the value beside it are kept from that, and it is tried on them.
    """
    if threshold is not None:
        require_share("threshold", threshold)
    judging = judging or Judging()
    plan = _plan(evaluators, score_field, part, judging)
    read, problems = _read(rows, format)
    found = label_field([row for _, row in read], label)
    fields = Fields(mapping, blank_is_missing=_blank_is_missing(rows, format), answered=True)
    read = _answered(read, fields, problems) if plan else read
    labels = numbers([field_value(row, found) for _, row in read], positive=positive, ends=label_range)
    columns = _stored(read, score_field, score_range)
    budget = Budget(judging.max_cost, judging.max_tokens)
    if plan:
        trials = [fields.trial(without_field(row, found), place) for place, (_, row) in enumerate(read)]
        columns |= _measured(plan, trials, part, judging, budget)
    own = {evaluator.name: _own_threshold(evaluator) for evaluator in plan.evaluators} if plan else {}
    settings: dict[str, Any] = {"threshold": threshold, "criterion": criterion, "seed": seed}
    settings["costs"] = (1.0, 1.0) if costs is None and held_out is not None else costs
    settings |= _split([row for _, row in read], source, held_out)
    return Calibrated(
        found,
        len(read),
        sum(one is not None for one in labels),
        {name: calibration(scores, labels, own=own.get(name, 0.5), **settings) for name, scores in columns.items()},
        {evaluator.name: evaluator.signature() for evaluator in plan.evaluators} if plan else {},
        len(problems),
        tuple(problems[:SHOWN_PROBLEMS]),
        _bill(budget) if plan and plan.awaited else {},
    )


def _read(rows: Any, format: str | None) -> tuple[Rows, list[Problem]]:
    found: Rows = []
    problems: list[Problem] = []
    items = [rows] if isinstance(rows, (str, os.PathLike)) else rows
    for number, item in enumerate(items, 1):
        if isinstance(item, Mapping):
            found.append((f"row {number}", item))
            continue
        if not isinstance(item, (str, os.PathLike)):
            raise ConfigurationError(f"rows are files or dicts; got {type(item).__name__}", parameter="rows")
        for chunk in read_chunks(_file(item), format):
            some, broken = chunk.read()
            problems += broken
            found += [(chunk.place(position), row) for position, row in some]
    return found, problems


def _split(
    rows: Sequence[Mapping[str, Json]], source: str | None, held_out: tuple[str, str] | None
) -> dict[str, list[Any]]:
    """What each row comes from, itself alone where it does not say, and whether it is held out."""
    found: dict[str, list[Any]] = {}
    if source is not None:
        named = [field_value(row, source) for row in rows]
        _must_be_there(named, "source", source)
        found["sources"] = [place if one is None else plain_text(one) for place, one in enumerate(named)]
    if held_out is not None:
        field, value = held_out
        kept = [plain_text(field_value(row, field)) == value for row in rows]
        _must_be_there([one or None for one in kept], "held_out", f"{field} = {value}")
        found["held_out"] = kept
    return found


def _must_be_there(values: Sequence[Any], parameter: str, what: str) -> None:
    if all(value is None for value in values):
        raise ConfigurationError(f"{parameter}: no row has {what}", parameter=parameter, value=what)


def _file(path: str | os.PathLike[str]) -> str:
    name = os.fspath(path)
    return sample_path(name) if name.endswith("@sample") else name


def _blank_is_missing(rows: Any, format: str | None) -> bool:
    names = [rows] if isinstance(rows, (str, os.PathLike)) else rows
    formats = {format or named_format(os.fspath(name)) for name in names if not isinstance(name, Mapping)}
    return bool(formats) and formats <= {"csv", "tsv"}


def _answered(read: Rows, fields: Fields, problems: list[Problem]) -> Rows:
    """The rows that hold a response; the others join the problems."""
    replay = Replay(fields)
    read = [(where, fields.lift_paths(row)) for where, row in read]
    holes = [replay.problem(row, where) for where, row in read]
    problems += [hole for hole in holes if hole]
    return [pair for pair, hole in zip(read, holes, strict=True) if not hole]


def _plan(evaluators: Any, score_field: str | None, part: str | None, judging: Judging) -> Plan | None:
    given = [evaluators] if isinstance(evaluators, str) else list(evaluators)
    if not given:
        if score_field is None:
            raise ConfigurationError(
                "nothing to compare with the labels: give an evaluator (-e), or the field that holds a judge's scores "
                "(--score-field)",
                parameter="evaluators",
            )
        return None
    plan = planned(given, judging.judge, judging.judge_model)
    for evaluator in plan.evaluators:
        parts = getattr(evaluator, "parts", ())
        if part is not None and parts and part not in parts:
            raise ConfigurationError(
                f"{evaluator.name!r} has no part {part!r}; there are {', '.join(parts)}", parameter="part", value=part
            )
    prepare_judges(plan, judging.max_cost)
    return plan


def _stored(read: Rows, name: str | None, ends: tuple[float, float] | None) -> dict[str, list[Score]]:
    """The scores that are in the rows already."""
    if name is None:
        return {}
    values = numbers([field_value(row, name) for _, row in read], what="score", ends=ends)
    return {name: [Score.skipped(f"no {name!r}") if value is None else Score(value) for value in values]}


def _measured(
    plan: Plan, trials: Sequence[Trial], part: str | None, judging: Judging, budget: Budget
) -> dict[str, list[Score]]:
    """Each evaluator's scores of the trials; of its part where one is named."""
    rows = run_sync(_scored(plan, trials, judging, budget))
    found = {}
    for evaluator in plan.evaluators:
        wanted = None if part in (None, main_part(evaluator)) else part
        found[evaluator.name] = [_of_part(row.scores[evaluator.name], wanted) for row in rows]
    return found


async def _scored(plan: Plan, trials: Sequence[Trial], judging: Judging, budget: Budget) -> list[Row]:
    given = Given([trial.output for trial in trials], "labelled rows")
    store = (DEFAULT if judging.store == "" else judging.store) if plan.awaited else None
    in_flight = judging.judge_workers or measured_at_once(plan, 1)
    with Database(store) if store else nullcontext() as database:
        async with remembering(plan, database) as measuring:
            loop = Loop(measuring, given, in_flight, judging.case_seconds, budget)
            async with aclosing(loop.in_order(_tasks(given, trials))) as rows:
                found = [row async for row in rows]
    if budget.spent:
        raise RingtrueError(f"stopped: {budget.spent} after {len(found):,} of {len(trials):,} rows")
    return found


def _tasks(given: Given, trials: Sequence[Trial]) -> Iterator[Task]:
    for place, trial in enumerate(trials):
        yield Task(given, trial.case, 0, place, str(place))


def _of_part(score: Score, part: str | None) -> Score:
    if part is None or score.value is None:
        return score
    if part not in score.parts:
        return Score.skipped(f"no part {part!r}")
    value = score.parts[part]
    if not 0 <= value <= 1:
        raise ConfigurationError(f"the part {part!r} is {value:g}, which is no score in [0, 1]", parameter="part")
    return replace(score, value=value, passed=None)


def _own_threshold(evaluator: Any) -> float:
    found = getattr(evaluator, "threshold", None)
    return float(found) if isinstance(found, (int, float)) and 0 <= found <= 1 else 0.5


def _bill(budget: Budget) -> dict[str, float | None]:
    return {
        "calls": budget.calls,
        "cache_hits": budget.cache_hits,
        "tokens": budget.tokens,
        "cost": None if budget.unpriced else budget.cost,
    }
