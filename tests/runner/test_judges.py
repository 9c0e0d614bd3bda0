"""The models that judged evaluators ask, from Python."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ringtrue import EvalSuite, aevaluate, evaluate, rescore, score_file
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import ExactMatch, build
from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.judge_panel import JudgePanel
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.structured.structured_model import StructuredModel
from ringtrue.records import Case, Output
from ringtrue.reports.eval_result import EvalResult
from ringtrue.runner.judges import judged_by
from support.judge_endpoint import JudgeEndpoint

ROWS = [{"id": n, "question": f"q{n}", "answer": f"Q{n}"} for n in range(3)]


def shout(text: str) -> str:
    return text.upper()


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "AZURE_OPENAI_ENDPOINT", "RINGTRUE_PRICES"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def store(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'r.db'}"


def target(evaluator: Any) -> tuple[str, str]:
    assert isinstance(evaluator, Judge)
    endpoint, name = evaluator.structured_model().target(evaluator.config.model)
    return endpoint, name


def test_a_judge_is_asked_by_all_who_have_no_model_of_their_own() -> None:
    own = LLMJudge("http://localhost:1", "own")
    panel = JudgePanel([LLMJudge(), LLMJudge("http://localhost:2")])
    given = [build("check_criteria(criteria=['a'])"), build("guidance(model='named')"), own, panel, ExactMatch()]
    placed = judged_by(given, "http://localhost:9", "judge")  # type: ignore[arg-type]
    assert [target(one) for one in placed[:3]] == [
        ("http://localhost:9/v1", "judge"),
        ("http://localhost:9/v1", "named"),
        ("http://localhost:1/v1", "own"),
    ]
    assert placed[0].structured_model() is placed[1].structured_model(), "one limiter, one pool of connections"  # type: ignore[attr-defined]
    asked = [target(one) for one in placed[3].judges]  # type: ignore[attr-defined]
    assert asked == [("http://localhost:9/v1", "judge"), ("http://localhost:2/v1", "gpt-4")]
    assert placed[4] is given[4]
    assert len(placed) == 5
    assert not given[0].has_own_model, "what the caller gave stays as it was"  # type: ignore[attr-defined]


def test_without_a_judged_evaluator_a_judge_gets_one() -> None:
    placed = judged_by([ExactMatch()], ["http://localhost:1", "http://localhost:2"], ["a", "b"])
    assert [one.name for one in placed] == ["exact_match", "llm_judge", "llm_judge_2"]
    assert [target(one)[1] for one in placed[1:]] == ["a", "b"]
    assert [one.keys for one in placed[1:]] == [("judge_score",), ("llm_judge_2.judge_score",)]


def test_evaluators_at_one_provider_share_an_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:7")
    first, second = judged_by([CheckCriteriaEvaluator(criteria=["a"]), LLMJudge()], model="m")  # type: ignore[list-item]
    assert first.structured_model() is second.structured_model()  # type: ignore[attr-defined]
    assert target(first) == target(second) == ("http://localhost:7/v1", "m")


@pytest.mark.parametrize("judge", ["address", "endpoint", "structured"])
def test_evaluate_takes_a_judge(judge: str, store: str) -> None:
    with JudgeEndpoint(says={"rating": 4}) as served:
        url = served.base_url
        given = {"address": url, "endpoint": Endpoint(url), "structured": StructuredModel(Endpoint(url))}[judge]
        result = evaluate(shout, ROWS, progress=False, store=store, judge=given, judge_model="m")
        assert [row.scores["judge_score"] for row in result.rows] == [0.75] * 3
        assert {body["model"] for body in served.asked} == {"m"}
        again = EvalResult(rescore("last", ["llm_judge"], store=store, judge=given, judge_model="m"))
        assert [row.scores for row in again.rows] == [{"judge_score": 0.75}] * 3
        fresh = evaluate(shout, ROWS, progress=False, store=store, judge=given, judge_model="m", fresh=True)
        assert fresh.config["run"] != result.config["run"]
        assert len(served.asked) == 3, "a second time comes from the store"


def test_wiring_adds_a_judge_to_every_dataset() -> None:
    rows = [{"dataset": "gsm8k", "question": "1+1", "answer": "2"}, {"question": "x", "answer": "b"}]
    with JudgeEndpoint(says={"rating": 5}) as served:
        result = evaluate(shout, rows, progress=False, store=None, judge=served.base_url)
    assert [set(row.scores) & {"math_equiv", "judge_score"} for row in result.rows] == [
        {"math_equiv", "judge_score"},
        {"judge_score"},
    ]


@dataclass
class Free:
    """A system that costs nothing."""

    asked: list[str]
    name: str = "free"
    in_flight: int = 1

    async def answer(self, case: Case, repeat: int) -> Output:
        self.asked.append(case.input)
        return Output("")

    def signature(self) -> str:
        return "free"

    def request_key(self, case: Case, repeat: int) -> None:
        return None

    def has_price(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"evaluators": [LLMJudge()]}, "set OPENAI_API_KEY"),
        ({"judge": "http://h", "max_cost": 1.0}, "--max-cost needs prices"),
        ({"judge": "http://h", "judge_model": "gpt-4.1", "max_cost": 1.0}, "the price of 'gpt-4.1'"),
        ({"judge_model": "m"}, "no evaluator asks the judge 'm'"),
        ({"judge": 42}, "a model is a name, an object with ask"),
        ({"judge": "ftp://h"}, "ftp"),
        ({"judge_workers": 0}, "judge_workers"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else None,
)
def test_a_wrong_judge_is_refused_before_the_first_call(options: dict[str, Any], message: str) -> None:
    asked: list[str] = []
    with pytest.raises(ConfigurationError, match=message):
        evaluate(Free(asked), ROWS, progress=False, store=None, **options)
    assert asked == []


def test_a_suite_prepares_and_remembers_its_judges(store: str) -> None:
    with JudgeEndpoint(says={"rating": 5}) as served:
        judge = LLMJudge(served.base_url)
        suite = EvalSuite("s").add_case({"question": "a", "case_id": "a"}, [judge])
        suite.add_case({"question": "b", "case_id": "b"}, [LLMJudge(served.base_url, name="own")])
        for _ in range(2):
            report = suite.run(shout, verbose=False, store=store, fresh=True)
            assert report.pass_rate == 1.0
        assert len(served.asked) == 2
    unprepared = EvalSuite("s").add_case({"question": "a"}, [LLMJudge()])
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        unprepared.run(shout, verbose=False, store=None)


def test_files_are_judged_from_python_inside_a_running_loop(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps({**row, "response": row["answer"]}) + "\n" for row in ROWS))
    judge = scripted_judge(lambda request: {"reasoning": "", "rating": 5})

    async def cell() -> Any:
        return score_file(path, ["llm_judge", "exact_match"], judge=judge, store=None)

    run = asyncio.run(cell())
    assert run.summary("judge_score").value == 1.0
    assert run.summary("exact_match").n == 3
    assert run.spent["calls"] == 3
    assert not (tmp_path / ".ringtrue").exists()


def test_the_two_calls_have_one_signature() -> None:
    import inspect

    assert inspect.signature(evaluate) == inspect.signature(aevaluate)
    assert (evaluate.__name__, evaluate.__doc__) == ("evaluate", aevaluate.__doc__)


def test_a_mirror_of_datasets_is_an_argument(tmp_path: Path) -> None:
    with pytest.raises(Exception, match=str(tmp_path)):
        evaluate(shout, "gsm8k", progress=False, store=None, data_dir=tmp_path, max_examples=1)
