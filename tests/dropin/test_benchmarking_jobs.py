"""eval-recipes' job framework on ringtrue's job graph: its names, its states, and what it once got wrong."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult, JobState, JobStatus
from eval_recipes.benchmarking.job_framework.runner import CyclicDependencyError, JobRunner, MissingDependencyError
from eval_recipes.benchmarking.job_framework.state import JobStateStore
from eval_recipes.benchmarking.schemas import ScoreEvalConfig
from pydantic import BaseModel, ValidationError

from ringtrue.errors import ConfigurationError


class Number(BaseModel):
    value: int
    file: Path = Path("x")


class Work(Job[Number]):
    """Gives a number and the sum of what it is given; without a number it fails."""

    output_model = Number

    def __init__(self, name: str, number: int | None = 1, **settings: Any) -> None:
        self.name, self.number = name, number
        self.needs: list[Job[Any]] = settings.pop("needs", [])
        self.waits: list[Job[Any]] = settings.pop("waits", [])
        self.definition = settings.pop("definition", None)
        self.done: list[str] = settings.pop("done", [])

    @property
    def job_id(self) -> str:
        return self.name

    @property
    def dependencies(self) -> list[Job[Any]]:
        return self.needs

    @property
    def soft_dependencies(self) -> list[Job[Any]]:
        return self.waits

    async def run(self, context: JobContext) -> JobResult[Number]:
        self.done.append(self.name)
        if self.number is None:
            return JobResult(status=JobStatus.FAILED, error="no number", output=Number(value=-1))
        given = [context.get_output(job).value for job in self.needs]
        seen = [found.value for job in self.waits if (found := context.try_get_output(job)) is not None]
        extra = context.config.get("extra", 0)
        return JobResult(status=JobStatus.COMPLETED, output=Number(value=self.number + sum(given + seen) + extra))


def run(path: Path, *jobs: Job[Any], config: dict[str, Any] | None = None, **settings: Any) -> dict[str, JobState]:
    runner = JobRunner(path / "jobs.db", max_parallel=2, config=config)
    runner.add_jobs(jobs)
    return asyncio.run(runner.run(**settings))


def test_outputs_go_from_job_to_job_as_their_models(tmp_path: Path) -> None:
    first = Work("first", 2)
    states = run(tmp_path, Work("last", 3, needs=[first], waits=[first]), first, config={"extra": 10})
    assert {name: state.outputs for name, state in states.items()} == {
        "last": {"value": 37, "file": "x"},
        "first": {"value": 12, "file": "x"},
    }
    assert list(states) == ["last", "first"]
    state = states["first"]
    assert state.attempt_count == 1
    assert state.started_at is not None
    assert state.completed_at is not None
    assert state.created_at <= state.started_at <= state.completed_at
    assert state.error is None


def test_one_failed_trial_no_longer_keeps_the_report_from_being_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The comparison that needs the trial stays pending, as documented, and says why; what waits for it goes on."""
    trial, other = Work("trial", None), Work("other", 5)
    comparison = Work("comparison", needs=[trial, other])
    results = Work("results", 0, waits=[trial, other, comparison])
    with caplog.at_level(logging.INFO, logger="eval_recipes.benchmarking"):
        states = run(tmp_path, trial, other, comparison, results)
    assert [state.status for state in states.values()] == [
        JobStatus.FAILED,
        JobStatus.COMPLETED,
        JobStatus.PENDING,
        JobStatus.COMPLETED,
    ]
    assert states["comparison"].blocked_by == ["trial"]
    assert states["comparison"].error == "not run: 'trial' failed"
    assert states["comparison"].completed_at is None
    assert states["results"].outputs["value"] == 5, "what a failed job leaves is no output"
    assert "comparison: blocked: not run: 'trial' failed" in caplog.messages


@pytest.mark.parametrize("how", ["option", "reset"])
def test_a_failed_job_is_done_again_when_asked(tmp_path: Path, how: str) -> None:
    run(tmp_path, first := Work("first", None), Work("last", needs=[first]))
    first = Work("first", 1)
    again = first, Work("last", needs=[first])
    assert [state.status for state in run(tmp_path, *again).values()] == [JobStatus.FAILED, JobStatus.PENDING]
    if how == "reset":
        assert JobRunner(tmp_path / "jobs.db").reset_failed() == 1
    states = run(tmp_path, *again, retry_failed=how == "option")
    assert {state.status for state in states.values()} == {JobStatus.COMPLETED}


def test_a_changed_definition_is_done_again(tmp_path: Path) -> None:
    """Models among a job's attributes, and the files they name, are what it is made from."""
    script, done = tmp_path / "test.py", list[str]()
    script.write_text("1")

    def jobs(command: str) -> tuple[Job[Any], ...]:
        first = Work("first", definition=[ScoreEvalConfig(test_script=script, test_command=command)], done=done)
        return first, Work("last", needs=[first], done=done)

    for command, written, expected in [
        ("a", "1", ["first", "last"]),
        ("a", "1", []),
        ("b", "1", ["first"]),
        ("b", "2", ["first"]),
        ("b", "2", []),
    ]:
        done.clear()
        script.write_text(written)
        hashes = {name: state.content_hash for name, state in run(tmp_path, *jobs(command)).items()}
        assert done == expected
        assert all(hashes.values())


def test_a_job_may_say_what_it_is_made_from(tmp_path: Path) -> None:
    class Told(Work):
        @property
        def content(self) -> Any:
            return {"number": self.number, "model": Number(value=1)}

    done: list[str] = []
    for number in (1, 1, 2):
        run(tmp_path, Told("a", number, done=done))
    assert done == ["a", "a"]


def test_one_name_is_one_job(tmp_path: Path) -> None:
    runner = JobRunner(tmp_path / "jobs.db")
    runner.add_jobs([Work("a"), Work("a")])
    with pytest.raises(ConfigurationError, match="two different jobs are named 'a'"):
        runner.add_job(Work("a", definition=Number(value=1)))


def test_wrong_graphs_raise_before_the_first_job(tmp_path: Path) -> None:
    done: list[str] = []
    ring = Work("ring", done=done)
    ring.waits = [ring]
    for jobs, error in (
        ((Work("a", done=done), ring), CyclicDependencyError),
        ([Work("b", needs=[ring])], MissingDependencyError),
    ):
        with pytest.raises(error):
            run(tmp_path, *jobs)
    assert done == []
    with pytest.raises(ConfigurationError, match="max_parallel=0"):
        JobRunner(tmp_path / "jobs.db", max_parallel=0)


def test_a_missing_output_is_told_or_none() -> None:
    job = Work("a")
    for outputs in ({}, {"a": {}}, {"a": {"value": "no number"}}):
        context = JobContext(outputs, {})
        assert context.try_get_output(job) is None
        with pytest.raises(ValidationError):
            context.get_output(job)
    assert context.config == {}


def test_the_states_can_be_read_and_written_by_hand(tmp_path: Path) -> None:
    store = JobStateStore(tmp_path / "new" / "jobs.db", run_id="r")
    assert store.get("a") is None
    assert store.create("a").status == JobStatus.PENDING
    with pytest.raises(ValueError, match="'a' already exists in run 'r'"):
        store.create("a")
    with pytest.raises(ValueError, match="'b' is not in run 'r'"):
        store.update_status("b", JobStatus.RUNNING)
    assert store.update_status("a", JobStatus.RUNNING).attempt_count == 1
    store.update_status("a", JobStatus.FAILED, error="why")
    assert (store.get_by_status(JobStatus.FAILED)[0].error, store.get_by_status(JobStatus.PENDING)) == ("why", [])
    assert store.reset_failed_jobs() == 1
    state = store.update_status("a", JobStatus.COMPLETED, outputs=Number(value=3))
    assert (state.outputs, state.error) == ({"value": 3, "file": "x"}, None)
    store.update_status("a", JobStatus.RUNNING)
    assert store.reset_running_jobs() == 1
    assert store.create_or_get("b").job_id == "b"
    assert [state.job_id for state in store.get_all()] == ["a", "b"]
    assert JobStateStore(store.db_path).list_runs() == ["r"]
    assert (store.delete("a"), store.delete("a"), store.clear(), store.get_all()) == (True, False, 1, [])


def test_what_was_written_as_done_is_not_done(tmp_path: Path) -> None:
    store = JobStateStore(tmp_path / "jobs.db")
    store.create("first")
    store.update_status("first", JobStatus.COMPLETED, outputs={"value": 40})
    first = Work("first", None)
    assert run(tmp_path, first, Work("last", 2, needs=[first]))["last"].outputs["value"] == 42


def test_a_file_that_eval_recipes_itself_wrote_is_left_as_it_is(tmp_path: Path) -> None:
    """Nobody knows what its results were made from, so they are made anew, beside them."""
    with closing(sqlite3.connect(tmp_path / "jobs.db")) as written, written:
        written.execute("CREATE TABLE jobs (run_id TEXT, job_id TEXT, status TEXT, outputs TEXT)")
        written.execute("INSERT INTO jobs VALUES ('default', 'a', 'completed', '{}')")
    assert run(tmp_path, Work("a", 4))["a"].outputs["value"] == 4
    with closing(sqlite3.connect(tmp_path / "jobs.db")) as written:
        assert written.execute("SELECT status FROM jobs").fetchall() == [("completed",)]


def test_what_another_run_is_at_can_be_left_alone(tmp_path: Path) -> None:
    store = JobStateStore(tmp_path / "jobs.db")
    store.create("a")
    store.update_status("a", JobStatus.RUNNING)
    first = Work("a")
    states = run(tmp_path, first, Work("b", needs=[first]), reset_running=False)
    assert [state.status for state in states.values()] == [JobStatus.RUNNING, JobStatus.PENDING]


def test_a_runner_forgets_on_demand(tmp_path: Path) -> None:
    done: list[str] = []
    runner = JobRunner(tmp_path / "jobs.db")
    runner.add_job(Work("a", done=done))
    assert asyncio.run(runner.run())["a"] == runner.get_state("a") == runner.get_all_states()[0]
    assert runner.clear_state() == 1
    asyncio.run(runner.run())
    assert done == ["a", "a"]
    assert repr(Work("a")) == "Work(job_id='a')"
