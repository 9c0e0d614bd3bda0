"""Runs out of the store: shown again, or scored again without one model call."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ringtrue.api.journal import StoredJournal
from ringtrue.api.result import EvalResult, eval_row
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import as_evaluator
from ringtrue.evaluators.spec import build
from ringtrue.metrics.metric import Metric
from ringtrue.models.blocking import run as run_blocking
from ringtrue.records import Case, Output, Row, Score, Trial
from ringtrue.runner.plan import Plan
from ringtrue.runner.trials import Loop, Task
from ringtrue.store.codec import decode_record, digest
from ringtrue.store.database import DEFAULT, Database, StoredRun


def find_run(database: Database, id: str) -> StoredRun:
    """A run by its id, by the beginning of it, or `last`."""
    runs = database.runs()
    found = runs[:1] if id == "last" else [run for run in runs if run.id.startswith(id)]
    if len(found) != 1:
        what = f"{len(found)} runs begin with" if found else "there is no run"
        raise ConfigurationError(f"{what} {id!r}; 'ringtrue list runs' shows all", parameter="run", value=id)
    return found[0]


def stored_rows(database: Database, run: StoredRun) -> list[Row]:
    """The rows of a run, with the scores its evaluators gave."""
    signatures = dict(zip(run.config["evaluators"], run.config["signatures"]["evaluators"], strict=True))
    found = database.rows(run.id)
    hashes = {name: digest(signature) for name, signature in signatures.items()}
    scores = database.scores([row["answer_key"] for row in found], list(hashes.values()))
    rows = []
    for row in found:
        failure = row["failure"]
        trial = Trial(decode_record(Case, row["case"]), decode_record(Output, failure or row["output"]))
        own = {
            name: decode_record(Score, text)
            for name, hashed in hashes.items()
            if (text := scores.get((row["answer_key"], hashed)))
        }
        if failure:
            reason = f"no answer: {trial.output.problem}"
            own = dict.fromkeys(signatures, Score.error(reason, kind=trial.output.error))
        rows.append(Row(trial, own, row["position"], row["system"], row["repeat"], True))
    order = {name: number for number, name in enumerate(run.config["systems"])}
    return sorted(rows, key=lambda row: (order.get(row.system, 0), row.position, row.repeat))


def stored_result(database: Database, run: StoredRun, metrics: Sequence[Metric] = ()) -> EvalResult:
    """A run as `evaluate` returned it."""
    keys = {name: tuple(keys) for name, keys in run.config.get("keys", {}).items()}
    rows = [eval_row(row, keys) for row in stored_rows(database, run)]
    config = {**run.config, "run": run.id, "status": run.status}
    return EvalResult.of(rows, run.config["systems"], metrics, {}, config)


def rescore(run: str, evaluators: Sequence[Any], *, store: str = DEFAULT, metrics: Sequence[Metric] = ()) -> EvalResult:
    """Score the stored answers of a run with other evaluators; no system is asked."""
    plan = Plan(tuple(build(item) if isinstance(item, str) else as_evaluator(item) for item in evaluators))
    with Database(store) as database:
        earlier = find_run(database, run)
        new = _begin(database, earlier, plan)
        rows = run_blocking(_scored_again(database, earlier, new, plan))
        database.end(new.id, "finished")
    keys = {evaluator.name: evaluator.keys for evaluator in plan.evaluators}
    order = {name: number for number, name in enumerate(earlier.config["systems"])}
    rows.sort(key=lambda row: (order.get(row.system, 0), row.position, row.repeat))
    config = {**new.config, "run": new.id, "status": "finished"}
    return EvalResult.of([eval_row(row, keys) for row in rows], earlier.config["systems"], metrics, {}, config)


async def _scored_again(database: Database, earlier: StoredRun, new: StoredRun, plan: Plan) -> list[Row]:
    journal = StoredJournal(database, new.id, [signature for _, signature in plan.signed])
    loop = Loop(plan, journal, in_flight=8)
    tasks = (
        Task(_Silent(row["system"], row["failure"]), decode_record(Case, row["case"]), row["repeat"], row["position"],
             row["answer_key"])
        for row in database.rows(earlier.id)
    )  # fmt: skip
    return [row async for row in loop.rows(tasks)]


def _begin(database: Database, earlier: StoredRun, plan: Plan) -> StoredRun:
    config = {
        **{key: value for key, value in earlier.config.items() if key != "arguments"},
        "evaluators": [evaluator.name for evaluator in plan.evaluators],
        "keys": {evaluator.name: evaluator.keys for evaluator in plan.evaluators},
        "rescored_from": earlier.id,
        "signatures": {**earlier.config["signatures"], "evaluators": [sign for _, sign in plan.signed]},
    }
    new = StoredRun(secrets.token_hex(4), digest(earlier.digest, *config["signatures"]["evaluators"]), "running", "",
                    time.time(), None, config)  # fmt: skip
    database.start(new)
    return new


@dataclass(frozen=True)
class _Silent:
    """The system of a stored run: it has nothing new to say, only the failure it left."""

    name: str
    failure: str | None
    in_flight: int = 1

    async def answer(self, case: Case, repeat: int) -> Output:
        if self.failure:
            return decode_record(Output, self.failure)
        return Output(problem="the store no longer has this answer", error="system_error")

    def signature(self) -> str:
        return self.name

    def request_key(self, case: Case, repeat: int) -> str | None:
        return None
