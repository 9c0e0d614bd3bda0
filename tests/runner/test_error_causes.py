"""Why scores are errors, and a budget that is looked at before each measurement."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from ringtrue.errors import ModelError
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.scripted import nonce_of
from ringtrue.models import ScriptedModel
from ringtrue.models.reply import Reply
from ringtrue.records import Case, Output, Score, Trial
from ringtrue.runner.budget import Budget
from ringtrue.runner.error_causes import ErrorCauses
from ringtrue.runner.judges import judged_by

TRIAL = Trial(Case(input="q"), Output("a"))


def test_causes_are_counted_with_the_endpoints_own_words() -> None:
    model = ScriptedModel(lambda request: ModelError("answered 401: 'bad key'", kind="http", status=401))
    judge = LLMJudge(model)

    async def scene() -> list[Score]:
        return [await judge.measure(TRIAL) for _ in range(20)]

    found = ErrorCauses.of({"llm_judge": score} for score in asyncio.run(scene()))
    first, then = found.by_frequency()
    assert (first.count, then.count, len(model.asked)) == (15, 5, 5)
    assert str(first).startswith("llm_judge: 15 errors (denied): ")
    assert str(then) == "llm_judge: 5 errors (http 401): no verdict (http): answered 401: 'bad key'"


def test_numbers_and_skips_are_no_failures() -> None:
    found = ErrorCauses.of(
        [{"a": Score(1.0), "b": Score.skipped("no answer")}, {"a": Score.error("it broke", kind="x")}]
    )
    assert list(map(str, found.by_frequency())) == ["a: 1 error (x): it broke"]


def test_causes_of_two_parts_are_those_of_the_whole() -> None:
    parts = [[{"a": Score.error("first", kind="x")}], [{"a": Score.error("second", kind="x")}, {"b": Score(1.0)}]]
    found = ErrorCauses.of(parts[0])
    found.merge(ErrorCauses.of(parts[1]))
    assert found.by_frequency() == ErrorCauses.of([*parts[0], *parts[1]]).by_frequency()
    assert list(map(str, found.by_frequency())) == ["a: 2 errors (x): first"]


def test_a_budget_shows_its_final_sum() -> None:
    budget = Budget(max_cost=0.1)
    for _ in range(3):
        budget.count_scores([Score(1.0, metadata={"cost": 0.06}, calls=1)])
    assert budget.spent == "--max-cost 0.1 is used up (0.18)"
    assert budget.passed_limit == "cost"
    assert Budget(max_cost=1.0).spent == ""


def test_a_run_stops_within_what_was_in_flight() -> None:
    """Sixteen at once take 15 tokens each: a limit is passed by what was under way, not by three times as much."""
    from ringtrue import evaluate

    def judge(request: Any) -> Reply:
        text = f'{{"reasoning": "", "rating": 5, "nonce": "{nonce_of(request)}"}}'
        return Reply(text, cost=0.0045, input_tokens=10, output_tokens=5)

    class Paid(ScriptedModel):
        async def ask(self, request: Any) -> Reply:
            await asyncio.sleep(0.01)
            return await super().ask(request)

    model = Paid(judge)
    rows = [{"id": str(number), "question": f"q{number}", "answer": "x"} for number in range(200)]
    settings: dict[str, Any] = {"store": None, "max_tokens": 300, "progress": False}
    found = evaluate(systems=lambda text: text, dataset=rows, evaluators=[LLMJudge(model)], **settings)
    match = re.fullmatch(r"--max-tokens 300 is used up \((\d+)\)", str(found.config["stopped_by"]))
    assert match is not None
    assert 300 < int(match[1]) <= 300 + 17 * 25, "the final sum, of what sixteen rows in flight may add"
    assert len(model.asked) * 15 <= int(match[1])


def test_criteria_and_a_time_for_judges_are_one_argument_each() -> None:
    slow = LLMJudge("http://localhost:1", timeout=5)
    placed = judged_by([slow], "http://localhost:2", timeout=70, criteria=["It is polite"])
    judges: list[Any] = list(placed)
    assert [one.name for one in judges] == ["llm_judge", "check_criteria"]
    assert [one.config.timeout for one in judges] == [5, 70]
    assert judges[1].config.criteria == ["It is polite"]
    assert "70" not in judges[1].signature(), "how long it may take decides no verdict"


def test_a_judges_own_key_and_time_hold_in_runs(monkeypatch: Any) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "ENVKEY")
    mine = LLMJudge(api_key="MYKEY", timeout=1)
    (placed,) = judged_by([mine])
    judge: Any = placed
    assert judge.has_own_model
    endpoint = judge.structured_model().model
    assert endpoint._key == "MYKEY"
    assert judge.session().timeout_seconds == 1
