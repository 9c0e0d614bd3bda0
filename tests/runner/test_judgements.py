"""Judges in the loop: their failures, their price, and the order of what they judge."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.api.runs import open_run
from ringtrue.errors import ModelError
from ringtrue.evaluators import ExactMatch
from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator
from ringtrue.evaluators.judged.judge_panel import JudgePanel
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.records import Case, Output, Score, Trial
from ringtrue.runner.budget import Budget
from ringtrue.runner.loop import Task
from ringtrue.systems.function import as_system
from support.endpoint import EndpointServer

ROWS = [{"id": n, "question": f"q{n}", "answer": f"Q{n}"} for n in range(3)]


def shout(text: str) -> str:
    return text.upper()


class Judging:
    """An asynchronous evaluator that does what its test says."""

    name, keys = "judging", ("judging",)

    def __init__(self, verdict: Callable[[Trial], Any]) -> None:
        self.verdict = verdict

    async def measure(self, trial: Trial) -> Score:
        found = self.verdict(trial)
        return await found if asyncio.iscoroutine(found) else found  # type: ignore[no-any-return]

    def signature(self) -> str:
        return "judging"


def away(trial: Trial) -> Score:
    raise ModelError("the judge is away", kind="connection")


async def silent(trial: Trial) -> Score:
    await asyncio.sleep(60)
    return Score(1.0)


def broken(trial: Trial) -> Score:
    raise KeyError("x")


def unreadable(trial: Trial) -> Score:
    return Score.error("no verdict", kind="unreadable")


@pytest.mark.parametrize(
    ("verdict", "kind", "cause"),
    [
        (away, "judge_error", "connection"),
        (silent, "judge_error", "timeout"),
        (unreadable, "judge_error", "unreadable"),
        (broken, "evaluator_error", None),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_a_judge_fails_at_has_its_own_kind(verdict: Any, kind: str, cause: str | None, store: str) -> None:
    judge = Judging(verdict)
    seconds = 1 if verdict is silent else 60
    result = evaluate(shout, ROWS, [judge, ExactMatch()], progress=False, store=store, timeout=seconds)
    assert [row.absent for row in result.rows] == [{"judging": "error"}] * 3
    assert [row.scores for row in result.rows] == [{"exact_match": 1.0}] * 3
    assert result.details["shout"]["judging"].errors == 3
    rows = list(open_run("last", store).rows)
    metadata = rows[0].scores["judging"].metadata
    assert (metadata["kind"], metadata.get("cause")) == (kind, cause)


@pytest.mark.parametrize("fault", ["401", "reset", "garbage"])
def test_an_endpoint_that_fails_is_the_judges_error(server: EndpointServer, fault: str, store: str) -> None:
    server.plan(shares={fault: 1.0})
    judges = [
        LLMJudge(Endpoint(server.base_url, max_retries=0)),
        CheckCriteriaEvaluator(criteria=["It is short"], model=Endpoint(server.base_url, max_retries=0)),
    ]
    panel = JudgePanel([LLMJudge(Endpoint(server.base_url, max_retries=0)) for _ in range(2)])
    evaluate(shout, ROWS[:1], [*judges, panel], progress=False, store=store)
    (row,) = list(open_run("last", store).rows)
    assert [(score.status, score.metadata["kind"]) for score in row.scores.values()] == [("error", "judge_error")] * 3


def test_judges_are_charged_to_the_budget() -> None:
    budget = Budget(max_tokens=10)
    paid = Score(1.0, metadata={"cost": 0.5, "cache_hits": 2}, calls=3, tokens=8)
    budget.count_scores([paid, Score.error("x", kind="judge_error"), Score.error("x", kind="evaluator_error")])
    assert (budget.cost, budget.tokens, budget.calls, budget.cache_hits, budget.errors) == (0.5, 8, 3, 2, 1)
    assert (budget.spent, budget.unpriced) == ("", 0)
    budget.count_scores([Score(1.0, metadata={"cost": None}, calls=1, tokens=3), Score(0.0, metadata={"cost": "dear"})])
    assert budget.unpriced == 1
    assert "--max-tokens 10 is used up (11)" in budget.spent


def test_a_judge_that_keeps_failing_stops_a_run_with_a_budget() -> None:
    rows = [{"question": f"q{n}"} for n in range(200)]
    result = evaluate(shout, rows, [Judging(away)], progress=False, store=None, max_errors=3)
    assert len(result.rows) < 60
    assert "--max-errors 3 is used up" in result.config["stopped_by"]


def test_a_slow_system_does_not_make_judges_wait_for_each_other() -> None:
    """One question at a time, and still several judgements at once: each waits for the others."""
    meeting: list[asyncio.Future[None]] = []

    async def meets(trial: Trial) -> Score:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        meeting.append(mine)
        if len(meeting) == 4:
            for one in meeting:
                one.set_result(None)
        await mine
        return Score(1.0)

    rows = [{"question": f"q{n}"} for n in range(4)]
    result = evaluate(shout, rows, [Judging(meets)], progress=False, store=None, max_workers=1, timeout=60)
    assert [row.scores for row in result.rows] == [{"judging": 1.0}] * 4


def tasks(count: int, read: list[int] | None = None) -> Iterator[Task]:
    system = as_system(shout)
    for n in range(count):
        if read is not None:
            read.append(n)
        yield Task(system, Case(n, f"q{n}"), 0, n, str(n), ask=_answered)


async def _answered() -> Output:
    return Output("x")


def test_a_scripted_judge_is_code_and_its_replies_are_not_kept(store: str) -> None:
    for rating, value in ((5, 1.0), (1, 0.0)):
        judge = LLMJudge(scripted_judge(lambda request, rating=rating: {"reasoning": "", "rating": rating}))
        result = evaluate(shout, ROWS, [judge], progress=False, store=store, fresh=True)
        assert [row.scores["judge_score"] for row in result.rows] == [value] * 3
