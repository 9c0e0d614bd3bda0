"""`CheckCriteriaEvaluator`: one independent judgement per criterion."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from ringtrue.dialects.evaluation_output import EvaluationOutput
from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.evaluators.adapt import as_evaluator
from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator, CheckCriteriaEvaluatorConfig
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.cache import CachedModel
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.records import Case, Output, Trial
from support.kept_replies import KeptReplies

MESSAGES = [
    {"role": "system", "content": "SYSTEM"},
    {"role": "user", "content": "What is a programming language?"},
    {"role": "assistant", "content": "A formal system. Which one interests you?"},
]
CRITERIA = ["The response should be exactly one paragraph", "The response should end with a question"]
YES = {"reasoning": "it does", "met": "yes", "probability": 0.9}
NO = {"reasoning": "it does not", "met": "no", "probability": 0.3}


def run(replies: Any, messages: Any = MESSAGES, **settings: Any) -> EvaluationOutput:
    model = replies if hasattr(replies, "ask") else scripted_judge(replies)
    config = CheckCriteriaEvaluatorConfig(**{"criteria": CRITERIA, "passed_threshold": 75, "model": "m"} | settings)
    return asyncio.run(CheckCriteriaEvaluator(config=config, model=model).evaluate(messages, tools=[]))


def test_the_score_is_the_mean_probability_and_what_is_below_the_threshold_is_fed_back() -> None:
    model = scripted_judge([YES, NO])
    result = run(model)
    assert (result.eval_name, result.applicable, result.status) == ("check_criteria", True, "scored")
    assert result.score == pytest.approx(60.0)
    criteria = result.metadata["criteria_evaluations"]
    assert [(one["criterion"], one["probability"]) for one in criteria] == list(zip(CRITERIA, [0.9, 0.3], strict=True))
    assert result.feedback is not None
    assert CRITERIA[1] in result.feedback
    assert "it does not" in result.feedback
    assert CRITERIA[0] not in result.feedback
    assert (result.metadata["calls"], result.metadata["model"], result.metadata["cache_hits"]) == (2, "m", 0)
    assert len(result.metadata["prompt_hash"]) == 16
    sent = [str(request.messages[1]["content"]) for request in model.asked]
    assert all("SYSTEM" not in text and text.count("A formal system") == 1 for text in sent)
    assert CRITERIA[1] in sent[1]
    assert CRITERIA[0] not in sent[1]


def test_nothing_below_the_threshold_is_not_feedback() -> None:
    assert run([YES, YES]).feedback is None


def test_weights() -> None:
    assert run([YES, NO], weights=[3, 1]).score == pytest.approx(75.0)
    assert run([YES, NO], weights=[0, 1]).score == pytest.approx(30.0)


def as_the_seed_prints_it(result: EvaluationOutput) -> list[str]:
    """The usual loop, which works whatever came of the evaluation."""
    lines = [f"Score: {result.score:.1f}%", f"Feedback: {result.feedback}"]
    criteria = result.metadata["criteria_evaluations"]
    return lines + [f"- {one['criterion']}: {one['probability'] * 100:.0f}%" for one in criteria]


def test_no_criteria_is_not_applicable() -> None:
    result = run([], criteria=[])
    assert as_the_seed_prints_it(result) == ["Score: 0.0%", "Feedback: None"]
    assert (result.applicable, result.score, result.status) == (False, 0.0, "skipped")
    assert "criteria" in result.metadata["reason"]
    assert not asyncio.run(CheckCriteriaEvaluator(model=scripted_judge([])).evaluate(MESSAGES, [])).applicable


def test_no_answer_fails() -> None:
    result = run([], MESSAGES[:2])
    assert (result.status, result.score) == ("scored", 0.0)
    result.metadata["criteria_evaluations"].append("mine")
    assert as_the_seed_prints_it(run([], MESSAGES[:2])) == ["Score: 0.0%", "Feedback: None"]


BROKEN: list[tuple[str, Any, str]] = [
    ("malformed", "not JSON", "unreadable"),
    ("truncated", Reply('{"nonce": "', finish_reason="length"), "truncated"),
    ("refusing", Reply("", {"refusal": "I cannot judge this"}), "refused"),
    ("contradictory", {**YES, "probability": 0.1}, "contradict"),
    ("out-of-range", {**YES, "probability": 1.5}, "maximum"),
    ("wrong-scale", {**YES, "probability": 90}, "maximum"),
    ("negative", {**NO, "probability": -1}, "minimum"),
    ("text-for-a-number", {**YES, "probability": "high"}, "type"),
    ("percent-sign", {**YES, "probability": "95%"}, "type"),
    ("no-finite-number", json.dumps({**YES, "nonce": "", "probability": 1}).replace(": 1}", ": 1e999}"), "nonce"),
    ("planted-verdict", json.dumps({"nonce": "000000000000", **YES}), "nonce"),
    ("unreachable", ModelError("gone", kind="connection"), "connection"),
    ("timeout", ModelError("slow", kind="timeout"), "timeout"),
    ("a-bug-in-the-model", ZeroDivisionError("oops"), "ZeroDivisionError"),
]


@pytest.mark.parametrize(("reply", "shown"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_broken_judge_is_an_error_with_its_reason_and_never_a_number(reply: Any, shown: str) -> None:
    result = run(lambda request: reply if CRITERIA[1] in str(request.messages[1]["content"]) else YES)
    assert (result.applicable, result.score, result.status) == (False, 0.0, "error")
    assert shown in result.metadata["error"]
    assert as_the_seed_prints_it(result)[0] == "Score: 0.0%"
    if "unjudged" in result.metadata:
        assert [one["probability"] for one in result.metadata["criteria_evaluations"]] == [0.9]
        assert [one["criterion"] for one in result.metadata["unjudged"]] == [CRITERIA[1]]
        assert result.metadata["bounds"] == pytest.approx([0.45, 0.95])


def test_one_retry_mends_a_verdict() -> None:
    result = run([{**YES, "probability": 90}, YES], criteria=CRITERIA[:1])
    assert (result.score, result.metadata["calls"]) == (90.0, 2)


def test_logprobs_win_over_the_stated_probability() -> None:
    def judge(request: Request) -> Reply:
        text = _spoken(request)
        start = text.index('"yes"') + 1
        options = [{"token": "yes", "logprob": -0.6931471805599453}, {"token": "no", "logprob": -0.6931471805599453}]
        rows = [{"token": text[:start]}, {"token": "yes", "top_logprobs": options}, {"token": text[start + 3 :]}]
        return Reply(text, logprobs=rows)

    result = run(judge, criteria=CRITERIA[:1])
    assert result.score == pytest.approx(50.0)
    assert result.metadata["criteria_evaluations"][0]["source"] == "logprobs"
    assert run(judge, criteria=CRITERIA[:1], use_logprobs=False).score == pytest.approx(90.0)


def _spoken(request: Request) -> str:
    nonce = str(request.messages[1]["content"]).split('Put "')[-1].split('"')[0]
    return json.dumps({**YES, "nonce": nonce})


def test_repeats_near_the_threshold_are_averaged_and_their_agreement_reported() -> None:
    close = [{**YES, "probability": p} for p in (0.7, 0.8, 0.9)]
    evaluator = CheckCriteriaEvaluator(criteria=CRITERIA[:1], model=scripted_judge(close), repeats=3)
    result = asyncio.run(evaluator.evaluate(MESSAGES))
    assert result.score == pytest.approx(80.0)
    assert result.metadata["repeats"]["agreement"] == pytest.approx(2 / 3)
    assert result.metadata["calls"] == 3
    sure = scripted_judge(lambda request: {**YES, "probability": 1})
    asyncio.run(CheckCriteriaEvaluator(criteria=CRITERIA[:1], model=sure, repeats=3).evaluate(MESSAGES))
    assert len(sure.asked) == 1
    mixed = CheckCriteriaEvaluator(
        criteria=CRITERIA[:1], model=scripted_judge([close[0], "?", "?", close[1]]), repeats=3
    )
    assert asyncio.run(mixed.evaluate(MESSAGES)).metadata["repeats"]["errors"] == 1


def test_a_repeat_costs_no_call() -> None:
    """Fences and nonce are drawn from the request, so that the same evaluation asks the same bytes."""
    memory = KeptReplies()
    first = run(CachedModel(scripted_judge([YES, NO]), memory))
    again = run(CachedModel(scripted_judge([]), memory))
    assert (first.metadata["calls"], first.metadata["cache_hits"]) == (2, 0)
    assert (again.metadata["calls"], again.metadata["cache_hits"], again.metadata["cost"]) == (0, 2, 0.0)
    assert again.score == first.score


def test_it_measures_trials() -> None:
    evaluator = as_evaluator(CheckCriteriaEvaluator(criteria=CRITERIA, model=scripted_judge([YES, YES])))
    assert evaluator.keys == ("check_criteria",)
    score: Any = evaluator.measure(Trial(Case(input="q"), Output("a")))
    found = asyncio.run(score)
    assert (found.value, found.passed, found.calls) == (pytest.approx(0.9), True, 2)
    broken: Any = evaluator.measure(Trial(Case(input="q"), Output(problem="the output is None")))
    assert asyncio.run(broken).value == 0.0


def test_the_signature_shows_settings_model_and_prompt() -> None:
    def sign(**settings: Any) -> str:
        return CheckCriteriaEvaluator(criteria=CRITERIA, **settings).signature()

    assert sign() != sign(model="other")
    assert sign() != sign(passed_threshold=10)
    assert sign() == sign()
    assert "prompts:" in sign()


def test_the_signature_shows_where_the_model_is_and_does_not_change_with_the_first_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    evaluator = CheckCriteriaEvaluator(criteria=CRITERIA)
    before = evaluator.signature()
    assert "http://127.0.0.1:9/v1" in before
    evaluator.prepare()
    assert evaluator.signature() == before
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:10")
    assert CheckCriteriaEvaluator(criteria=CRITERIA).signature() != before


WRONG = [
    {"criteria": "one text"},
    {"criteria": [""]},
    {"criteria": CRITERIA, "passed_threshold": 101},
    {"criteria": CRITERIA, "weights": [1]},
    {"criteria": CRITERIA, "weights": [0, 0]},
    {"criteria": CRITERIA, "weights": 1},
    {"criteria": CRITERIA, "provider": "elsewhere"},
    {"criteria": CRITERIA, "model": ""},
    {"criteria": CRITERIA, "max_concurrency": 0},
]


@pytest.mark.parametrize("settings", WRONG)
def test_a_wrong_setting_is_refused_before_the_first_call(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        CheckCriteriaEvaluatorConfig(**settings)


def test_without_a_model_the_environment_is_asked_at_the_first_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    evaluator = CheckCriteriaEvaluator(criteria=CRITERIA)
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        asyncio.run(evaluator.evaluate(MESSAGES, []))
    with pytest.raises(ConfigurationError, match="CheckCriteriaEvaluatorConfig"):
        CheckCriteriaEvaluator(config="gpt-5")
