"""The loop: whatever a system or an evaluator does costs its own row or score, and nothing else."""

from __future__ import annotations

import asyncio
import itertools
import sys
import threading
import time
from typing import Any

import pytest

from ringtrue import evaluate, rescore
from ringtrue.api.runs import open_run
from ringtrue.errors import ConfigurationError, StoreError
from ringtrue.evaluators import AnswerQuality, ExactMatch, MultipleChoiceAccuracy
from ringtrue.evaluators.adapt import as_evaluator
from ringtrue.records import Case, Made, Output
from ringtrue.reports.eval_result import EvalResult
from ringtrue.runner.job import Job
from ringtrue.runner.journal import Journal, KeepNothing, NoJournal
from ringtrue.runner.loop import Task, TrialLoop
from ringtrue.runner.options import Options
from ringtrue.runner.plan import Plan
from ringtrue.store.database import Database
from ringtrue.systems.function import as_system
from ringtrue.systems.replay import Replay

ROWS = [{"id": n, "question": f"q{n}", "answer": f"Q{n}"} for n in range(4)]


def run(system: Any, rows: Any = ROWS, evaluators: Any = None, **options: Any) -> Any:
    return evaluate(system, rows, evaluators or [ExactMatch()], progress=False, **{"store": None, **options})


async def exits(text: str) -> str:
    sys.exit("enough")


async def cancels_itself(text: str) -> str:
    raise asyncio.CancelledError


async def sleeps(text: str) -> str:
    await asyncio.sleep(60)
    return text


def times_out(text: str) -> str:
    raise TimeoutError("the upstream is slow")


def returns_an_object(text: str) -> object:
    return object()


class NoOutput:
    """Speaks the runner's words, but returns nothing."""

    name, in_flight = "no output", 1

    async def answer(self, case: Any, repeat: int) -> Output:
        return None  # type: ignore[return-value]

    def signature(self) -> str:
        return self.name

    def request_key(self, case: Any, repeat: int) -> str | None:
        return None


@pytest.mark.parametrize(
    ("system", "status", "words"),
    [
        (exits, "system_error", "SystemExit: enough"),
        (cancels_itself, "system_error", "it cancelled itself"),
        (sleeps, "timeout", "no answer within 0.3 s"),
        (times_out, "timeout", "the upstream is slow"),
        (NoOutput(), "system_error", "AttributeError"),
        (returns_an_object, "ok", "the system returned object, not text"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_system_that_fails_costs_its_own_rows(system: Any, status: str, words: str, store: str) -> None:
    seconds = 0.3 if system is sleeps else 60
    for result in (run(system, timeout=seconds), run(system, timeout=seconds, store=store)):
        assert [row.status for row in result.rows] == [status] * 4
        assert words in result.rows[0].metadata["problem"]


def test_an_error_of_the_systems_own_clock_needs_no_deadline_of_ours() -> None:
    assert [row.status for row in run(times_out).rows] == ["timeout"] * 4


def test_one_failure_in_the_middle_costs_one_row() -> None:
    async def third(text: str) -> str:
        if text == "q2":
            sys.exit()
        return text.upper()

    result = run(third, max_workers=3)
    assert [row.status for row in result.rows] == ["ok", "ok", "system_error", "ok"]
    summary = result.details["third"]["exact_match"]
    assert (summary.value, summary.n, summary.errors, summary.bounds) == (1.0, 3, 1, (0.75, 1.0))


def shout(text: str) -> str:
    return text.upper()


def echo(text: str) -> str:
    return text


def test_an_evaluator_that_fails_costs_its_own_score_and_stays_in_the_denominator(store: str) -> None:
    def fails(output: str) -> float:
        if output == "Q1":
            raise ZeroDivisionError("by zero")
        if output == "Q2":
            sys.exit(1)
        return 1.0

    result = run(shout, evaluators=[fails, ExactMatch()], store=store)
    assert [row.absent for row in result.rows] == [{}, {"fails": "error"}, {"fails": "error"}, {}]
    assert result.rows[1].metadata["reasons"] == {"fails": "ZeroDivisionError: by zero"}
    shown = EvalResult(open_run("last", store))
    for found in (result, shown):
        summary = found.details["shout"]["fails"]
        assert (summary.value, summary.n, summary.errors, summary.bounds) == (1.0, 2, 2, (0.5, 1.0))
        assert found.details["shout"]["exact_match"].n == 4


def test_a_score_that_failed_is_measured_again_and_the_answer_is_not_asked_again(store: str) -> None:
    calls: list[str] = []
    broken = [True]

    def counted(text: str) -> str:
        calls.append(text)
        return "Q" if len(calls) < 4 else sys.exit()

    def moody(output: str) -> float:
        if broken[0]:
            raise OSError("the judge is away")
        return 1.0

    first = run(counted, evaluators=[moody], store=store, max_errors=0)
    assert first.config["status"] == "stopped"
    assert [row.absent for row in first.rows[:3]] == [{"moody": "error"}] * 3
    broken[0] = False
    calls[:] = []
    second = run(counted, evaluators=[moody], store=store)
    assert [row.scores for row in second.rows] == [{"moody": 1.0}] * 4
    assert calls == ["q3"]
    shown = EvalResult(open_run("last", store))
    assert (shown.details["counted"]["moody"].n, shown.details["counted"]["moody"].errors) == (4, 0)


def test_parts_keep_their_names_on_the_way_through_the_store(store: str) -> None:
    rows = [{"id": 1, "question": "The cat sat.", "answer": "cat sat down"}]
    evaluators = [AnswerQuality(), AnswerQuality(name="again")]
    first = run(echo, rows, evaluators, store=store)
    scores = first.rows[0].scores
    assert len(set(scores.values())) > 2, "the numbers tell the parts apart"
    assert list(scores) == [f"{name}{part}" for name in ("", "again.") for part in AnswerQuality.parts]
    with Database(store) as database:
        found = open_run("last", store)
        database.end(found.id, "interrupted")
        assert EvalResult(found).rows[0].scores == scores
    assert run(echo, rows, evaluators, store=store).rows[0].scores == scores
    assert EvalResult(rescore("last", evaluators, store=store)).rows[0].scores == scores


def test_the_keys_of_a_users_own_numbers_are_kept_and_so_is_their_denominator(store: str) -> None:
    def first(original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
        if processed["response"] == "Q3":
            raise ValueError
        return {"acc": 1.0, "extra": 0.5}

    def second(original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
        return {"acc": 0.0}

    alone = run(shout, evaluators=[first], store=store)
    assert alone.rows[0].scores == {"acc": 1.0, "extra": 0.5}
    assert alone.rows[3].absent == {"acc": "error", "extra": "error"}
    assert (alone.details["shout"]["acc"].n, alone.details["shout"]["acc"].errors) == (3, 1)
    assert run(shout, evaluators=[second]).rows[0].scores == {"acc": 0.0}
    both = run(shout, evaluators=[first, second], store=store)
    assert both.rows[0].scores == {"first.acc": 1.0, "extra": 0.5, "second.acc": 0.0}
    shown = EvalResult(open_run(both.config["run"], store))
    assert shown.details == both.details


def test_an_evaluator_that_never_returns_has_a_deadline() -> None:
    def stuck(output: str) -> float:
        time.sleep(60)
        return 1.0

    result = run(shout, evaluators=[stuck, ExactMatch()], timeout=1)
    assert [row.absent for row in result.rows] == [{"stuck": "error"}] * 4
    assert [row.scores for row in result.rows] == [{"exact_match": 1.0}] * 4


def test_a_users_evaluator_does_not_hold_up_the_others() -> None:
    """Four measurements meet: one that blocked the event loop would wait for the others for ever."""
    meeting = threading.Barrier(4, timeout=60)

    def meets(output: str) -> float:
        meeting.wait()
        return 1.0

    result = run(shout, evaluators=[meets], max_workers=4)
    assert [row.scores for row in result.rows] == [{"meets": 1.0}] * 4


def test_systems_are_asked_as_many_at_once_as_wanted_and_no_more() -> None:
    at_once: list[int] = []
    lock, inside = threading.Lock(), [0]
    meeting = threading.Barrier(3, timeout=60)

    def counts(text: str) -> str:
        with lock:
            inside[0] += 1
            at_once.append(inside[0])
        meeting.wait()
        with lock:
            inside[0] -= 1
        return text

    run(counts, [{"question": f"q{n}"} for n in range(12)], max_workers=3)
    assert max(at_once) == 3


def test_code_cannot_rewrite_what_evaluators_read() -> None:
    class Sorts:
        name = "sorts"

        def process(self, example: dict[str, Any]) -> dict[str, Any]:
            example["choices"].sort()
            example["answer"] = "tampered"
            return {**example, "response": "The answer is A."}

    rows = [{"id": 1, "question": "?", "choices": ["b", "a"], "correct_letter": "A"}]
    assert run(Sorts(), rows, [MultipleChoiceAccuracy()]).rows[0].scores == {"mc_accuracy": 1.0}
    assert rows[0]["choices"] == ["b", "a"]


def test_an_example_without_a_response_is_not_an_answer() -> None:
    """As text it would contain the gold answer."""

    class Forgets:
        name = "forgets"

        def process(self, example: dict[str, Any]) -> dict[str, Any]:
            return example

    result = evaluate(Forgets(), ROWS, progress=False, store=None)
    assert set(result.rows[0].scores.values()) == {0.0}
    assert result.rows[0].metadata["problem"] == "the system returned a dict without 'response'"


@pytest.mark.parametrize("rows", [[{"question": "a"}], [{"id": None, "question": "a"}]])
def test_a_row_without_a_usable_id_has_its_position(rows: Any) -> None:
    assert run(shout, rows).rows[0].example_id == 0


def test_rows_with_one_id_are_rows_of_their_own(store: str) -> None:
    rows = [{"id": 7, "question": "a"}, {"id": 7, "question": "b"}, {"id": 7, "question": "a"}, {"question": "c"}]
    result = run(shout, rows, store=store)
    assert [(row.example_id, row.response) for row in result.rows] == [(7, "A"), (7, "B"), (7, "A"), (3, "C")]
    shown = EvalResult(open_run("last", store))
    assert [(row.example_id, row.response) for row in shown.rows] == [(7, "A"), (7, "B"), (7, "A"), (3, "C")]


ODD: list[dict[Any, Any]] = [
    {1: "int key", "question": "q0", "answer": "Q0"},
    {("a", 1): "tuple key", "question": "q1", "answer": "Q1"},
    {"value": {1, 2}, "question": "q2", "answer": "Q2"},
    {"value": object(), "question": "q3", "answer": "Q3"},
    {"value": float("nan"), "question": "q4", "answer": "Q4"},
    {"value": 10**40, "question": "q5", "answer": "Q5"},
    {"value": "lone \ud800 surrogate and \x00", "question": "q6", "answer": "Q6"},
    {"value": threading.Lock(), "question": "q7", "answer": "Q7"},
    {"value": b"bytes", "question": "q8", "answer": "Q8"},
]


def test_rows_may_hold_anything(store: str) -> None:
    result = run(shout, ODD, store=store)
    assert [row.scores for row in result.rows] == [{"exact_match": 1.0}] * len(ODD)
    assert EvalResult(open_run("last", store)).details["shout"]["exact_match"].value == 1.0


def test_a_row_nested_too_deeply_is_refused_before_the_first_call(store: str) -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(ConfigurationError, match="nested too deeply"):
        run(shout, [{"question": "a", "value": nested}], store=store)


def test_an_endless_dataset_is_read_no_further_than_asked() -> None:
    read: list[int] = []

    def endless() -> Any:
        for n in itertools.count():
            read.append(n)
            yield {"question": f"q{n}", "answer": f"Q{n}"}

    assert len(run(shout, endless(), max_examples=2).rows) == 2
    assert read == [0, 1]


@pytest.mark.parametrize(
    "options",
    [
        {"repeats": 0},
        {"repeats": 1.5},
        {"max_workers": 0},
        {"timeout": -1},
        {"max_errors": "3"},
        {"max_tokens": True},
    ],
    ids=str,
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(options))):
        run(shout, **options)


def test_when_the_store_fails_nothing_more_is_asked() -> None:
    asked: list[str] = []

    async def counts(text: str) -> str:
        asked.append(text)
        await asyncio.sleep(0.01)
        return text

    class Full(NoJournal):
        async def keep_answer(self, task: Task, output: Output) -> None:
            raise StoreError("the disk is full")

    async def run_and_wait() -> None:
        system = as_system(counts)
        tasks = (Task(system, Case(n, f"q{n}"), 0, n, str(n)) for n in range(1_000))
        with pytest.raises(StoreError, match="the disk is full"):
            await anext(TrialLoop(Plan((ExactMatch(),)), Full(), in_flight=4).rows(tasks))
        await asyncio.sleep(0.1)

    asyncio.run(run_and_wait())
    assert len(asked) == 4


def test_a_source_that_breaks_ends_the_run_with_its_reason() -> None:
    def tasks() -> Any:
        yield Task(as_system(shout), Case(1, "a"), 0, 0, "k")
        raise LookupError("no more")

    async def rows() -> list[Any]:
        return [row async for row in TrialLoop(Plan((ExactMatch(),)), NoJournal(), in_flight=3).rows(tasks())]

    with pytest.raises(LookupError, match="no more"):
        asyncio.run(rows())


@pytest.mark.parametrize(
    ("evaluator", "at_once"), [(ExactMatch(), 40), (as_evaluator(lambda output: 1.0), 1)], ids=["at once", "waits"]
)
def test_replayed_answers_are_stored_many_at_once_unless_measuring_them_waits(evaluator: Any, at_once: int) -> None:
    """A judge's budget is looked at before each answer, so there as few are under way as the caller says."""
    waiting = [0]

    class Waits(NoJournal):
        under_way = 0

        async def keep_answer(self, key: str, output: Output) -> None:
            self.under_way += 1
            waiting.append(self.under_way)
            await asyncio.sleep(0.001)
            self.under_way -= 1

    class Keeper(KeepNothing):
        def journal(self, run: str, made: Made) -> Journal:
            return Waits()

    job = Job(
        systems=[Replay({n: Output("a") for n in range(40)}, "old")],
        cases=[Case(n, f"q{n}") for n in range(40)],
        plan=Plan((evaluator,)),
        options=Options(max_workers=1),
    )
    assert len(asyncio.run(job.run(Keeper())).rows) == 40
    assert max(waiting) == at_once
