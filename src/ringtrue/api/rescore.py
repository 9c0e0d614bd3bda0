"""Runs out of the store: shown again, or scored again without one model call."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ringtrue.api.planning import measured_at_once, planned, prepare_judges, remembering
from ringtrue.api.rows import documented_rows
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.parts import told_by
from ringtrue.identity import digest
from ringtrue.jsontext import parse_json
from ringtrue.metrics.metric import Metric
from ringtrue.records import Case, Output, Row, Score, Trial
from ringtrue.reports.eval_result import EvalResult
from ringtrue.runner.loop import Loop, Task
from ringtrue.runner.plan import Plan
from ringtrue.store.codec import decode_record
from ringtrue.store.database import DEFAULT, Database, StoredRun, existing
from ringtrue.store.journal import StoredJournal
from ringtrue.sync import run_sync


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
        trial = Trial(decode_record(Case, row["case"]), decode_record(Output, row["failure"] or row["output"]))
        unscored = parse_json(row["unscored"]) if row["unscored"] else {}
        own = {
            name: decode_record(Score, text)
            for name, hashed in hashes.items()
            if (text := unscored.get(hashed) or scores.get((row["answer_key"], hashed)))
        }
        if row["failure"]:
            reason = f"no answer: {trial.output.problem}"
            own = dict.fromkeys(signatures, Score.error(reason, kind=trial.output.error))
        rows.append(Row(trial, own, row["position"], row["system"], row["repeat"], True))
    return _in_order(rows, run)


def _in_order(rows: list[Row], run: StoredRun) -> list[Row]:
    order = {name: number for number, name in enumerate(run.config["systems"])}
    return sorted(rows, key=lambda row: (order.get(row.system, 0), row.position, row.repeat))


def stored_result(database: Database, run: StoredRun, metrics: Sequence[Metric] = ()) -> EvalResult:
    """A run as `evaluate` returned it."""
    rows = documented_rows(stored_rows(database, run), run.config["keys"], run.config.get("mains", {}))
    config = {**run.config, "run": run.id, "status": run.status}
    return EvalResult.of(rows, run.config["systems"], metrics, {}, config)


def rescore(
    run: str,
    evaluators: Sequence[Any],
    *,
    store: str = DEFAULT,
    metrics: Sequence[Metric] = (),
    judge: Any = None,
    judge_model: str | Sequence[str] = "",
) -> EvalResult:
    """Score the stored answers of a run with other evaluators; no system is asked.

    `judge` and `judge_model` are those of `evaluate`.
    """
    plan = planned(evaluators, judge, judge_model)
    prepare_judges(plan, None)
    with existing(store) as database:
        earlier = find_run(database, run)
        new = _begin(database, earlier, plan)
        status = "interrupted"
        try:
            rows = run_sync(_scored_again(database, earlier, new, plan))
            status = "finished"
        finally:
            database.end(new.id, status)
    documented = documented_rows(_in_order(rows, earlier), new.config["keys"], new.config["mains"])
    config = {**new.config, "run": new.id, "status": status}
    return EvalResult.of(documented, earlier.config["systems"], metrics, {}, config)


async def _scored_again(database: Database, earlier: StoredRun, new: StoredRun, plan: Plan) -> list[Row]:
    journal = StoredJournal(database, new.id, [signature for _, signature in plan.signed])
    tasks = (
        Task(
            _Silent(row["system"], row["failure"]),
            decode_record(Case, row["case"]),
            row["repeat"],
            row["position"],
            row["answer_key"],
            row["case_digest"],
        )
        for row in database.rows(earlier.id)
    )
    async with remembering(plan, database) as measuring:
        return [row async for row in Loop(measuring, journal, in_flight=measured_at_once(plan, 8)).rows(tasks)]


def _begin(database: Database, earlier: StoredRun, plan: Plan) -> StoredRun:
    config = {
        **{key: value for key, value in earlier.config.items() if key != "arguments"},
        **told_by(plan.evaluators),
        "rescored_from": earlier.id,
        "signatures": {**earlier.config["signatures"], "evaluators": [sign for _, sign in plan.signed]},
    }
    new = StoredRun(secrets.token_hex(6), digest(earlier.digest, *config["signatures"]["evaluators"]), "running", "",
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
