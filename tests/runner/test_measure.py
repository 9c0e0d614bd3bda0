"""Evaluators of one trial that wait do so at once, within bounds, and nothing else changes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue import EvalSuite, evaluate
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import ExactMatch
from ringtrue.evaluators.judged.judge_panel import JudgePanel
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.records import Case, Output, Row, Score, StoredAnswer, Trial
from ringtrue.runner.journal import NoJournal
from ringtrue.runner.loop import Task, TrialLoop
from ringtrue.runner.measure import AWAITED_AT_ONCE
from ringtrue.runner.options import Options
from ringtrue.runner.plan import Plan
from ringtrue.systems.function import as_system

VALUES = (0.0, 0.25, 0.5, 0.75, 1.0)


def shout(text: str) -> str:
    return text.upper()


class Room:
    """Counts who is in it."""

    def __init__(self) -> None:
        self.now, self.most, self.left, self.cancelled = 0, 0, 0, 0
        self.lock = threading.Lock()

    def __enter__(self) -> None:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)

    def __exit__(self, kind: Any, *_: object) -> None:
        with self.lock:
            self.now -= 1
            self.left += 1
            self.cancelled += kind is asyncio.CancelledError


class Waiting:
    """An evaluator that is awaited; `local` ones ask the model of this process."""

    def __init__(self, name: str, room: Room, turns: int = 5, value: float = 1.0, *, local: bool = False) -> None:
        self.name, self.keys, self.local = name, (name,), local
        self.room, self.turns, self.value = room, turns, value

    async def measure(self, trial: Trial) -> Score:
        with self.room:
            for _ in range(self.turns):
                await asyncio.sleep(0)
            return Score(self.value)

    def signature(self) -> str:
        return self.name


class Blocking(Waiting):
    """One that leaves the loop for a thread, and meets another there if it is let."""

    blocking = True

    def __init__(self, name: str, room: Room, meets: threading.Barrier | None = None) -> None:
        super().__init__(name, room)
        self.meets = meets

    def measure(self, trial: Trial) -> Score:  # type: ignore[override]
        with self.room:
            if self.meets is not None:
                self.meets.wait(60)
            return Score(1.0)


def task(number: int = 0) -> Task:
    async def answered() -> Output:
        return Output("x")

    return Task(as_system(shout), Case(number, "q", expected=("x",)), 0, number, str(number), ask=answered)


def row(*evaluators: Any, **settings: Any) -> Row:
    async def main() -> Row:
        async with aclosing(TrialLoop(Plan(evaluators), NoJournal(), **settings).rows([task()])) as rows:
            return await anext(rows)

    return asyncio.run(main())


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 12), st.sampled_from(VALUES), st.booleans()), max_size=9),
    st.sampled_from([0, 1, 2, 5, None]),
)
def test_order_and_scores_do_not_depend_on_how_many_wait(plan: list[tuple[int, float, bool]], at_once: Any) -> None:
    room = Room()
    made = [Waiting(f"e{n}", room, turns, value, local=local) for n, (turns, value, local) in enumerate(plan)]
    found = row(*made[:3], ExactMatch(), *made[3:], evaluator_workers=at_once)
    expected = [(one.name, one.value) for one in made]
    expected.insert(min(3, len(made)), ("exact_match", 1.0))
    assert [(name, score.value) for name, score in found.scores.items()] == expected
    assert (room.now, room.left) == (0, len(made))
    assert room.most <= (len(made) if at_once is None else at_once or AWAITED_AT_ONCE + 1)


@pytest.mark.parametrize(
    ("at_once", "elsewhere", "here"),
    [(0, AWAITED_AT_ONCE, 1), (1, 1, 1), (3, 3, 3), (None, 9, 9)],
    ids=["unless-told", "one", "three", "all"],
)
def test_how_many_wait_at_once(at_once: int | None, elsewhere: int, here: int) -> None:
    """By default, the model of this process takes one question at a time."""
    asked, local = Room(), Room()
    row(*(Waiting(f"e{n}", asked) for n in range(9)), evaluator_workers=at_once)
    row(*(Waiting(f"e{n}", local, local=True) for n in range(9)), evaluator_workers=at_once)
    assert (asked.most, local.most) == (elsewhere, here)


def test_code_in_threads_is_at_work_alone_unless_asked() -> None:
    """A system's latency is taken meanwhile."""
    alone, beside = Room(), Room()
    row(*(Blocking(f"e{n}", alone) for n in range(6)), *(Waiting(f"w{n}", beside) for n in range(6)))
    assert (alone.most, alone.left, beside.most) == (1, 6, AWAITED_AT_ONCE)


@pytest.mark.parametrize("at_once", [2, None])
def test_on_request_code_in_threads_is_at_work_at_once(at_once: int | None) -> None:
    room, meeting = Room(), threading.Barrier(2)
    found = row(*(Blocking(f"e{n}", room, meeting) for n in range(2)), evaluator_workers=at_once, case_seconds=90.0)
    assert (room.most, [score.value for score in found.scores.values()]) == (2, [1.0, 1.0])


class Failing(Waiting):
    async def measure(self, trial: Trial) -> Score:
        raise KeyError("x")


class Endless(Waiting):
    async def measure(self, trial: Trial) -> Score:
        with self.room:
            await asyncio.Event().wait()
        raise AssertionError


def test_one_that_fails_or_is_late_costs_its_own_score() -> None:
    room = Room()
    found = row(
        Failing("fails", room), Endless("late", room), Waiting("fine", room), case_seconds=1, evaluator_workers=None
    )
    kinds = {name: score.metadata.get("kind") for name, score in found.scores.items()}
    assert kinds == {"fails": "evaluator_error", "late": "judge_error", "fine": None}
    assert found.scores["fine"].value == 1.0
    assert room.now == 0


@pytest.mark.parametrize("leave", ["closed", "cancelled"])
def test_leaving_a_row_ends_all_that_waits_in_it(leave: str) -> None:
    """Nothing is left running, and those that had no place yet never begin."""
    room = Room()

    async def main() -> None:
        evaluators: Any = tuple(Endless(f"e{n}", room) for n in range(AWAITED_AT_ONCE + 3))
        rows = TrialLoop(Plan(evaluators), NoJournal()).rows([task()])
        first = asyncio.ensure_future(anext(rows))
        while room.now < AWAITED_AT_ONCE:
            await asyncio.sleep(0)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        if leave == "closed":
            await rows.aclose()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())
    assert (room.now, room.left, room.cancelled) == (0, AWAITED_AT_ONCE, AWAITED_AT_ONCE)


def test_scores_that_are_known_are_not_made_again() -> None:
    room = Room()
    known = Score(0.5)

    class Half(NoJournal):
        async def stored_answers(self, keys: Any) -> Any:
            return {key: StoredAnswer(Output("x"), {"e1": known}) for key in keys}

    async def main() -> Row:
        evaluators: Any = tuple(Waiting(f"e{n}", room) for n in range(3))
        async with aclosing(TrialLoop(Plan(evaluators), Half()).rows([task()])) as rows:
            return await anext(rows)

    found = asyncio.run(main())
    assert list(found.scores) == ["e0", "e1", "e2"]
    assert found.scores["e1"] is known
    assert room.left == 2


def test_a_system_that_failed_is_measured_by_no_one() -> None:
    room = Room()

    async def main() -> Row:
        async def failed() -> Output:
            raise OSError("away")

        evaluators: Any = (Waiting("a", room), Waiting("b", room))
        broken = Task(as_system(shout), Case(0, "q"), 0, 0, "0", ask=failed)
        async with aclosing(TrialLoop(Plan(evaluators), NoJournal()).rows([broken])) as rows:
            return await anext(rows)

    assert {score.status for score in asyncio.run(main()).scores.values()} == {"error"}
    assert room.left == 0


def ran(judges: list[Any], at_once: int | None) -> None:
    evaluate(shout, [{"question": "q"}], judges, progress=False, store=None, evaluator_workers=at_once)


def checked(judges: list[Any], at_once: int | None) -> None:
    suite = EvalSuite("s").add_case({"question": "q"}).add_evaluators(*judges)
    suite.run(shout, verbose=False, store=None, evaluator_workers=at_once)


async def awaited(judges: list[Any], at_once: int | None) -> None:
    suite = EvalSuite("s").add_case({"question": "q"}).add_evaluators(*judges)
    await suite.run_async(shout, verbose=False, store=None, evaluator_workers=at_once)


@pytest.mark.parametrize("run", [ran, checked, awaited], ids=["evaluate", "suite", "run_async"])
@pytest.mark.parametrize(("at_once", "most"), [(None, 7), (2, 2), (0, AWAITED_AT_ONCE)])
def test_runs_and_suites_take_the_bound(
    run: Callable[[list[Any], int | None], Awaitable[None] | None], at_once: int | None, most: int
) -> None:
    room = Room()
    work = run([Waiting(f"e{n}", room) for n in range(7)], at_once)
    if asyncio.iscoroutine(work):
        asyncio.run(work)
    assert (room.most, room.left) == (most, 7)


@pytest.mark.parametrize("options", [Options])
@pytest.mark.parametrize("wrong", [-1, 1.5, True, "2"])
def test_a_wrong_bound_is_refused(options: Any, wrong: Any) -> None:
    with pytest.raises(ConfigurationError, match="evaluator_workers"):
        options(evaluator_workers=wrong)


def test_a_judge_knows_whether_its_model_is_in_this_process() -> None:
    class Here:
        endpoint = "local:weights"
        name = "m"

        async def ask(self, request: Any) -> Any:
            raise AssertionError

    here, away = LLMJudge(Here()), LLMJudge(scripted_judge([]), name="b")
    assert here.local
    assert not away.local
    assert not LLMJudge("http://localhost:1").local
    assert JudgePanel([here, away]).local
    assert not JudgePanel([away, LLMJudge(scripted_judge([]))]).local
