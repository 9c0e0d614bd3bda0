"""Jobs are done after what they need, once, and again only where something has changed."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError, StoreError
from ringtrue.runner.jobs import CyclicDependency, Given, Job, JobEnd, MissingDependency, run_jobs
from ringtrue.runner.jobs_content import Fingerprints
from ringtrue.store.database import Database
from ringtrue.store.jobs import JobLedger


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[JobLedger]:
    with Database(str(tmp_path / "jobs.db")) as database:
        yield JobLedger(database)


class Graph:
    """Jobs that note when they are done; what they give is in `gives`, an exception is raised."""

    def __init__(self, ledger: JobLedger) -> None:
        self.ledger = ledger
        self.done: list[str] = []
        self.gives: dict[str, Any] = {}
        self.seen: dict[str, dict[str, JobEnd]] = {}

    def job(self, id: str, **settings: Any) -> Job:
        def work(given: Given) -> Any:
            self.done.append(id)
            self.seen[id] = dict(given)
            value = self.gives.get(id, id)
            if isinstance(value, BaseException):
                raise value
            return value

        return Job(id, work, **settings)

    def run(self, *jobs: Job, **settings: Any) -> dict[str, str]:
        """The statuses; `done` is what was done this time."""
        self.done.clear()
        self.ends = asyncio.run(run_jobs(jobs, self.ledger, **settings))
        return {name: end.status for name, end in self.ends.items()}


@pytest.fixture
def graph(ledger: JobLedger) -> Graph:
    return Graph(ledger)


def test_a_diamond_is_done_in_its_order_and_hands_outputs_on(graph: Graph) -> None:
    tip = graph.job("d", needs=["b"], waits_for=["c"])
    assert set(graph.run(tip, graph.job("b", needs=["a"]), graph.job("c", needs=["a"]), graph.job("a")).values()) == {
        "completed"
    }
    assert graph.done[0] == "a"
    assert graph.done[-1] == "d"
    assert {name: end.output for name, end in graph.seen["d"].items()} == {"b": "b", "c": "c"}
    assert list(graph.ends) == ["d", "b", "c", "a"]


def test_no_jobs_are_no_trouble(graph: Graph) -> None:
    assert graph.run() == {}


@pytest.mark.parametrize(
    ("edges", "error", "words"),
    [
        pytest.param({"a": ["gone"]}, MissingDependency, "'a' depends on 'gone'", id="missing"),
        pytest.param({"a": ["a"]}, CyclicDependency, "'a' -> 'a'", id="itself"),
        pytest.param({"a": ["b"], "b": ["a"]}, CyclicDependency, "ring", id="two"),
        pytest.param({"ok": [], "a": ["c"], "b": ["a"], "c": ["b"]}, CyclicDependency, "ring", id="three"),
    ],
)
@pytest.mark.parametrize("kind", ["needs", "waits_for"])
def test_a_graph_that_cannot_be_worked_through_raises_before_the_first_job(
    graph: Graph, edges: dict[str, list[str]], error: type[Exception], words: str, kind: str
) -> None:
    with pytest.raises(error, match=words):
        graph.run(*(graph.job(name, **{kind: others}) for name, others in edges.items()))
    assert graph.done == []
    assert graph.ledger.kept() == {}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        pytest.param(lambda graph: graph.run(graph.job("a"), graph.job("a")), "two jobs are named 'a'", id="twice"),
        pytest.param(lambda graph: graph.run(graph.job("a"), at_once=0), "at_once=0 must be 1", id="nobody works"),
        pytest.param(lambda graph: graph.job("a", retries=-1), "retries=-1 of job 'a'", id="retries"),
        pytest.param(lambda graph: graph.run(graph.job("")), "cannot name a job", id="no name"),
        pytest.param(lambda graph: graph.run(graph.job("a\0")), "cannot name a job", id="NUL"),
        pytest.param(lambda graph: graph.run(graph.job("\ud800")), "cannot name a job", id="lone surrogate"),
    ],
)
def test_what_is_set_up_wrongly_raises(graph: Graph, make: Callable[[Graph], Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        make(graph)
    assert graph.done == []


def test_a_failed_need_blocks_and_those_that_only_wait_go_on(graph: Graph) -> None:
    """In the shape that once left a report unwritten for ever: trial fails, comparison needs it, results wait."""
    graph.gives["trial"] = RuntimeError("no container")
    jobs = [
        graph.job("trial"),
        graph.job("comparison", needs=["trial"]),
        graph.job("summary", needs=["comparison"]),
        graph.job("results", waits_for=["trial", "comparison", "summary"]),
    ]
    assert graph.run(*jobs) == {
        "trial": "failed",
        "comparison": "blocked",
        "summary": "blocked",
        "results": "completed",
    }
    assert graph.done == ["trial", "results"]
    assert graph.ends["trial"].error == "RuntimeError: no container"
    assert graph.ends["comparison"].blocked_by == ("trial",)
    assert graph.ends["summary"].error == "not run: 'comparison' could not run"
    assert [end.status for end in graph.seen["results"].values()] == ["failed", "blocked", "blocked"]
    assert graph.ledger.kept()["summary"].status == "blocked"


def test_what_was_skipped_satisfies_those_that_need_it(graph: Graph) -> None:
    graph.gives["a"] = JobEnd("skipped")
    assert graph.run(graph.job("a"), graph.job("b", needs=["a"])) == {"a": "skipped", "b": "completed"}


def test_what_is_done_is_not_done_again(graph: Graph) -> None:
    jobs = [graph.job("a", content=1), graph.job("b", needs=["a"], content=2)]
    graph.run(*jobs)
    assert graph.run(*jobs) == {"a": "completed", "b": "completed"}
    assert graph.done == []
    assert all(end.reused for end in graph.ends.values())


def test_a_changed_definition_is_done_again_and_what_its_output_changes_with_it(graph: Graph) -> None:
    chain = [graph.job("b", needs=["a"]), graph.job("c", needs=["b"]), graph.job("other")]
    graph.run(graph.job("a", content={"version": 1}), *chain)
    graph.gives["a"] = "new"
    graph.run(graph.job("a", content={"version": 2}), *chain)
    assert graph.done == ["a", "b"], "b gives what it gave, so c holds"


def test_a_rerun_that_was_killed_before_its_dependants_is_still_noticed(graph: Graph) -> None:
    """What a job was given is part of what is kept of it, so that it does not matter when the run ended."""
    graph.run(graph.job("a", content=1), graph.job("b", needs=["a"]))
    graph.gives["a"] = "new"
    graph.run(graph.job("a", content=2))
    graph.run(graph.job("a", content=2), graph.job("b", needs=["a"]))
    assert graph.done == ["b"]


@pytest.mark.parametrize(
    ("write", "again"),
    [
        pytest.param(lambda folder: (folder / "test.py").write_text("assert 1"), False, id="nothing"),
        pytest.param(lambda folder: (folder / "test.py").write_text("assert 2"), True, id="a file in a folder"),
        pytest.param(lambda folder: (folder / "test.py").chmod(0o755), True, id="what may be executed"),
        pytest.param(lambda folder: (folder / "new").mkdir(), True, id="a folder more"),
        pytest.param(lambda folder: (folder / "test.py").rename(folder / "other.py"), True, id="a name"),
        pytest.param(lambda folder: (folder / "link").symlink_to("/"), True, id="a link"),
        pytest.param(lambda folder: os.mkfifo(folder / "pipe"), True, id="a pipe, which is not opened"),
        pytest.param(lambda folder: (folder / "test.py").unlink(), True, id="a file less"),
    ],
)
def test_the_files_a_definition_names_are_part_of_it(
    graph: Graph, tmp_path: Path, write: Callable[[Path], Any], again: bool
) -> None:
    folder = tmp_path / "task"
    folder.mkdir()
    (folder / "test.py").write_text("assert 1")
    job = graph.job("a", content={"files": [folder, tmp_path / "absent"]})
    graph.run(job)
    write(folder)
    graph.run(job)
    assert graph.done == ["a"] * again


def test_a_file_counts_wherever_it_lies(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text("same")
    (tmp_path / "link").symlink_to(tmp_path / "one")
    prints = Fingerprints()
    assert prints.of([tmp_path / "one", 1]) == prints.of((tmp_path / "two", 1)) == prints.of([tmp_path / "link", 1])
    assert prints.of(tmp_path / "one") != prints.of(tmp_path / "absent")


def test_what_failed_is_done_again_when_asked_or_when_it_has_changed(graph: Graph) -> None:
    graph.gives["a"] = RuntimeError("down")
    late = graph.job("b", needs=["a"]), graph.job("sum", waits_for=["a", "b"])
    graph.run(graph.job("a"), *late)
    graph.gives["a"] = "up"
    assert graph.run(graph.job("a"), *late) == {"a": "failed", "b": "blocked", "sum": "completed"}
    assert graph.done == []
    assert graph.ends["a"].error == "RuntimeError: down"
    assert graph.run(graph.job("a"), *late, retry_failed=True) == dict.fromkeys(("a", "b", "sum"), "completed")
    assert graph.done == ["a", "b", "sum"], "the sum was made without them"
    graph.gives["z"] = RuntimeError("down")
    graph.run(graph.job("z", content=1))
    graph.run(graph.job("z", content=2))
    assert graph.done == ["z"]


def test_a_failure_is_tried_as_often_as_the_job_says(graph: Graph) -> None:
    graph.gives["a"] = JobEnd("failed", error="no")
    assert graph.run(graph.job("a", retries=2)) == {"a": "failed"}
    assert graph.done == ["a"] * 3
    assert graph.ledger.kept()["a"].attempts == 3


def test_what_a_dead_run_was_at_is_done_again_unless_it_may_not(graph: Graph) -> None:
    jobs = [graph.job("a"), graph.job("b", needs=["a"]), graph.job("c", waits_for=["a"]), graph.job("d")]
    graph.ledger.expect(["a"])
    graph.ledger.began("a", "whatever")
    assert graph.run(*jobs, take_over=False) == {"a": "running", "b": "blocked", "c": "blocked", "d": "completed"}
    assert set(graph.run(*jobs).values()) == {"completed"}
    assert graph.done[0] == "a"


def test_what_a_person_wrote_holds(graph: Graph) -> None:
    graph.ledger.expect(["a"])
    graph.ledger.amend("a", "completed", output="by hand")
    graph.run(graph.job("a", content=1), graph.job("b", needs=["a"]))
    assert graph.done == ["b"]
    assert graph.seen["b"]["a"].output == "by hand"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        pytest.param(SystemExit(3), "SystemExit", id="exit"),
        pytest.param(asyncio.CancelledError(), "CancelledError", id="cancels itself"),
        pytest.param(KeyboardInterrupt(), "KeyboardInterrupt", id="interrupt"),
        pytest.param(RuntimeError("\ud800\0\u202e"), "\ud800\0\u202e", id="a message with anything"),
        pytest.param(JobEnd("pending"), "ended as 'pending'", id="no end"),
    ],
)
def test_whatever_a_job_does_is_its_own_failure(graph: Graph, value: Any, words: str) -> None:
    graph.gives["a"] = value
    assert graph.run(graph.job("a"), graph.job("b")) == {"a": "failed", "b": "completed"}
    assert words in graph.ends["a"].error
    assert words in graph.ledger.kept()["a"].error


def test_an_output_that_cannot_be_kept_is_a_failure(graph: Graph) -> None:
    deep: list[Any] = []
    deep.append(deep)
    graph.gives["a"] = deep
    assert graph.run(graph.job("a"), graph.job("b")) == {"a": "failed", "b": "completed"}
    assert "nested too deeply" in graph.ends["a"].error


def test_a_dependant_is_given_what_it_would_be_given_after_a_restart(graph: Graph) -> None:
    graph.gives["a"] = {"pair": (1, 2), 3: "\ud800"}
    jobs = [graph.job("a"), graph.job("b", needs=["a"])]
    graph.run(*jobs)
    fresh = graph.seen["b"]["a"].output
    assert fresh == {"pair": [1, 2], "3": "\ud800"} == graph.ledger.kept()["a"].output
    graph.run(*jobs)
    assert graph.done == []


def test_jobs_that_block_do_not_hold_up_others_and_no_more_than_allowed_are_at_work(ledger: JobLedger) -> None:
    """Three jobs meet at a barrier that opens for three, so they are at work at once; a fourth would be kept."""
    meeting = threading.Barrier(3)
    beside: list[int] = []

    def work(given: Given) -> None:
        meeting.wait(60)

    async def awaited(given: Given) -> None:
        meeting.wait(60)

    def on_end(job: str, end: JobEnd) -> None:
        beside.append(len(ledger.kept("running")))

    jobs = [Job(str(number), (work, awaited)[number % 2]) for number in range(9)]
    ends = asyncio.run(run_jobs(jobs, ledger, at_once=3, on_end=on_end))
    assert {end.status for end in ends.values()} == {"completed"}
    assert max(beside) <= 2


@pytest.mark.parametrize("times", [1, 3], ids=["once", "impatiently"])
def test_leaving_a_run_lets_its_jobs_tidy_up_and_the_next_one_does_them(ledger: JobLedger, times: int) -> None:
    said: list[str] = []
    begun = threading.Event()

    async def work(given: Given) -> str:
        if said:
            return "second"
        begun.set()
        try:
            await asyncio.sleep(3600)
        finally:
            time.sleep(0.3)
            said.append("tidied up")
        return "first"

    async def interrupted() -> None:
        run = asyncio.create_task(run_jobs([Job("a", work)], ledger))
        await asyncio.to_thread(begun.wait)
        for _ in range(times):
            run.cancel()
            await asyncio.sleep(0.05)
        await run

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(interrupted())
    assert said == ["tidied up"]
    assert ledger.kept()["a"].status == "running"
    assert asyncio.run(run_jobs([Job("a", work)], ledger))["a"].output == "second"


def test_one_process_works_on_a_run(ledger: JobLedger) -> None:
    """Whoever comes second would take what the first is at for abandoned."""

    async def second(given: Given) -> None:
        await run_jobs([Job("b", lambda given: None)], ledger)

    end = asyncio.run(run_jobs([Job("a", second)], ledger))["a"]
    assert end.error.startswith(StoreError.__name__)
    assert "'default'" in end.error
    assert "b" not in ledger.kept()


def test_ends_are_told_after_they_are_kept(graph: Graph) -> None:
    told: list[tuple[str, str]] = []

    def on_end(job: str, end: JobEnd) -> None:
        kept = graph.ledger.job(job)
        assert kept is not None
        told.append((job, kept.status))
        assert kept.status == end.status

    graph.gives["a"] = RuntimeError()
    graph.run(graph.job("a"), graph.job("b", needs=["a"]), on_end=on_end)
    assert told == [("a", "failed"), ("b", "blocked")]


@settings(max_examples=40)
@given(st.data())
def test_any_graph_ends_and_every_job_comes_after_those_before_it(data: st.DataObject) -> None:
    """Whatever fails: all jobs have an end, blocked ones have a reason, and a second run does nothing."""
    size = data.draw(st.integers(1, 8))
    fails = data.draw(st.sets(st.integers(0, size - 1)))
    order: list[int] = []

    def job(number: int) -> Job:
        earlier = st.sets(st.sampled_from(range(number))) if number else st.just(set[int]())
        needs, waits_for = data.draw(earlier), data.draw(earlier)

        def work(given: Given) -> int:
            order.append(number)
            if number in fails:
                raise RuntimeError
            return number

        return Job(str(number), work, sorted(map(str, needs)), sorted(map(str, waits_for)))

    jobs = [job(number) for number in range(size)]
    with Database("sqlite://") as database:
        ledger = JobLedger(database)
        ends = asyncio.run(run_jobs(data.draw(st.permutations(jobs)), ledger, at_once=data.draw(st.integers(1, 3))))
        for one in jobs:
            end = ends[one.id]
            bad = tuple(name for name in one.needs if ends[name].status in ("failed", "blocked"))
            assert end.blocked_by == bad
            assert end.status == ("blocked" if bad else "failed" if int(one.id) in fails else "completed")
            ran = [name for name in one.before if ends[name].status != "blocked"]
            assert bad or all(order.index(int(name)) < order.index(int(one.id)) for name in ran)
        first = list(order)
        again = asyncio.run(run_jobs(jobs, ledger))
        assert order == first
        assert {name: end.status for name, end in again.items()} == {name: end.status for name, end in ends.items()}
