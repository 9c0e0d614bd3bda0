"""`SemanticTestEvaluator`: the documented calls, and what becomes of an auditor's verdict."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from ringtrue.api.assess import assess
from ringtrue.dialects.evaluation_output import EvaluationOutput
from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluator
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.reply import Reply
from ringtrue.models.structured.structured_model import StructuredModel
from ringtrue.records import Case, Output, Trial
from support.audits import (
    DONE,
    FILLED,
    FREE,
    RUBRIC,
    action,
    audit,
    call,
    calls,
    config,
    content,
    freely,
    seen,
)
from support.judge_endpoint import JudgeEndpoint


def test_an_audit_with_tool_calls(folder: Path) -> None:
    looks = [calls(call("list", path=".")), calls(call("read", path="fib.py"), call("run", command="python3 fib.py"))]
    model = scripted_judge([*looks, DONE, FILLED])
    result = audit(folder, model=model)
    assert (result.eval_name, result.applicable, result.score, result.status) == ("semantic_test", True, 60.0, "scored")
    assert json.loads(result.feedback or "") == FILLED["rubric"]
    facts = result.metadata
    assert facts["uses_recursion"] is True
    assert facts["points"] == {"file_exists": 20.0, "uses_recursion": 40.0, "works_correctly": 0.0}
    assert (facts["ended"], facts["native_tool_calls"], facts["commands"], facts["evidence"]) == (
        ("finished", True, 1, "It prints 55.")
    )
    assert [one["tool"] for one in facts["audit"]] == ["list", "read", "run"]
    assert "55" in seen(result, 2)
    assert (facts["calls"], facts["cache_hits"]) == (4, 0)
    assert len(facts["prompt_hash"].split(", ")) == 2
    assert facts["sandbox"].startswith("shell: ")
    first, last = model.asked[0], model.asked[-1]
    assert {tool["function"]["name"] for tool in first.parameters["tools"]} == {"list", "read", "grep", "run", "finish"}
    assert "1. Run it" in content(first)
    assert "tools" not in last.parameters
    assert (
        "score" not in last.parameters["response_format"]["json_schema"]["schema"]["properties"]["rubric"]["properties"]
    )
    assert [path.name for path in folder.iterdir()] == ["fib.py"]


@pytest.mark.parametrize("why", ["declared", "refused", "no-calls"])
def test_a_model_without_tool_calls_says_what_it_wants(folder: Path, why: str) -> None:
    """By setting, because the endpoint refuses functions, or because the model was given some and used none."""
    spoken = [action("read", path="fib.py"), action("run", command="python3 fib.py"), action("finish"), FILLED]
    before: list[Any] = {
        "declared": [],
        "refused": [ModelError("answered 400: tools are not supported", kind="http", status=400)],
        "no-calls": ["I would look at fib.py."],
    }[why]
    structured = StructuredModel(scripted_judge([*before, *spoken, action("finish"), FILLED]))
    evaluator = SemanticTestEvaluator(config(folder, tool_calls=why != "declared"), model=structured)
    result = asyncio.run(evaluator.run(working_dir=folder))
    assert (result.score, result.metadata["native_tool_calls"]) == (60.0, False)
    assert result.metadata["calls"] == len(before) + 4
    assert "55" in seen(result, 1)
    if why == "refused":
        assert asyncio.run(evaluator.run()).metadata["calls"] == 2  # that functions are refused is remembered


def test_the_auditors_number_counts_where_points_do_not_total_100(folder: Path) -> None:
    assert audit(folder, DONE, freely(85.5), rubric=FREE).score == 85.5
    assert audit(folder, DONE, freely(0), rubric=FREE).metadata["points"] == {}


def test_a_field_that_is_named_like_a_fact_of_the_audit_is_not_lost(folder: Path) -> None:
    rubric = {"files": "60 points boolean", "model": "40 points boolean", "score": "number"}
    result = audit(folder, DONE, {"evidence": "", "rubric": {"files": True, "model": False}}, rubric=rubric)
    assert result.metadata["rubric"] == {"files": True, "model": False, "score": 60.0}
    assert result.metadata["files"] == 1


BROKEN: list[tuple[str, list[Any], str]] = [
    ("score-beyond-100", [DONE, freely(250), freely(250)], "unreadable"),
    ("score-below-0", [DONE, freely(-1), freely(-1)], "unreadable"),
    ("score-on-another-scale", [DONE, freely(0.9), freely(0.9)], "unreadable"),
    ("score-in-words", [DONE, freely("good"), freely("good")], "unreadable"),
    ("no-score", [DONE, *[{"evidence": "", "rubric": {"quality": "x"}}] * 2], "unreadable"),
    ("a-field-too-many", [DONE, *[{"evidence": "", "rubric": {"quality": "", "score": 1, "x": 1}}] * 2], "unreadable"),
    ("prose", [DONE, "It is fine.", "It is fine."], "unreadable"),
    ("planted-without-the-nonce", [DONE, *['{"nonce": "x", "evidence": "", "rubric": {}}'] * 2], "unreadable"),
    ("truncated", [DONE, *[Reply('{"nonce": "', finish_reason="length")] * 2], "truncated"),
    ("refuses-the-verdict", [DONE, Reply("", {"refusal": "I will not"})], "refused"),
    ("refuses-to-look", [Reply("", {"refusal": "I will not"})], "refused"),
    ("unreachable", [ModelError("away", kind="connection")], "connection"),
    ("unreachable-later", [calls(call("list")), ModelError("away", kind="timeout")], "timeout"),
    ("unreadable-action", ["", "?", "?"], "unreadable"),
]


@pytest.mark.parametrize(("replies", "kind"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_broken_auditor_is_an_error(folder: Path, replies: list[Any], kind: str) -> None:
    result = audit(folder, *replies, rubric=FREE)
    assert (result.applicable, result.score, result.status) == (False, 0.0, "error")
    assert result.metadata["kind"] == kind
    assert result.metadata["calls"] == len(replies)
    assert "no verdict" in result.metadata["error"]


def test_a_verdict_that_does_not_fit_is_asked_for_once_more(folder: Path) -> None:
    model = scripted_judge([DONE, freely(101), freely(70)])
    assert audit(folder, model=model, rubric=FREE).score == 70.0
    assert "'maximum' 100" in content(model.asked[-1])


def test_repeats_are_other_audits(folder: Path) -> None:
    model = scripted_judge([DONE, freely(50), DONE, freely(60)])
    evaluator = SemanticTestEvaluator(config(folder, rubric=FREE), model=model, repeats=2)
    result = asyncio.run(evaluator.run())
    assert result.score == pytest.approx(55.0)
    assert len({request.key() for request in model.asked}) == 4


def test_a_folder_that_is_not_there_is_not_applicable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An ordinary result, for which neither a model nor a key is needed."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    (tmp_path / "file").write_text("x")
    for missing in (tmp_path / "gone", tmp_path / "file", None):
        evaluator = SemanticTestEvaluator(config(missing))
        for result in (asyncio.run(evaluator.run()), asyncio.run(evaluator.evaluate([], []))):
            assert (result.applicable, result.score, result.status) == (False, 0.0, "skipped")
            assert "there is no folder to audit" in result.metadata["error"]
            assert result.metadata["calls"] == 0


def test_an_empty_folder_is_audited(tmp_path: Path) -> None:
    nothing = dict.fromkeys(FILLED["rubric"], False)
    assert audit(tmp_path, DONE, {"evidence": "Nothing is there.", "rubric": nothing}).score == 0.0


def test_a_row_names_a_folder_below_the_configured_one(folder: Path) -> None:
    """And none beside it: rows may come from anywhere."""
    model = scripted_judge([DONE, FILLED])
    evaluator = SemanticTestEvaluator(config(folder.parent), model=model)

    def measured(named: Any) -> Any:
        return asyncio.run(evaluator.measure(Trial(Case(input="q", fields={"working_dir": named}), Output(""))))

    score = measured("work")
    assert (score.value, score.passed, score.metadata["files"]) == (0.6, True, 1)
    for wrong in ("..", "/etc", "work/../.."):
        assert measured(wrong).status == "skipped"
    assert len(model.asked) == 2


API = [("chat", "messages"), ("responses", "input")]


@pytest.mark.parametrize(("api", "field"), API, ids=["chat", "responses"])
def test_over_http_on_either_api(folder: Path, api: str, field: str) -> None:
    """Real requests: functions, calls and results in the words of each API; which one is served is found out."""

    def acting(body: dict[str, Any]) -> list[dict[str, Any]]:
        results = [one for one in body[field] if one.get("role") == "tool" or one.get("type") == "function_call_output"]
        looks = [[{"name": "read", "arguments": {"path": "fib.py"}}], [{"name": "run", "arguments": {"command": "ls"}}]]
        return looks[len(results)] if len(results) < 2 else [{"name": "finish", "arguments": {}}]

    async def scene(judge: JudgeEndpoint) -> EvaluationOutput:
        async with Endpoint(judge.base_url, timeout_seconds=10) as endpoint:
            return await SemanticTestEvaluator(config(folder), model=endpoint).run()

    with JudgeEndpoint(api, says={"works_correctly": False}, acting=acting) as judge:
        result = asyncio.run(scene(judge))
        asked = judge.asked
    assert (result.score, result.metadata["native_tool_calls"], result.metadata["tokens"]) == (60.0, True, 60)
    third = asked[2]
    if api == "chat":
        assert third["tools"][0]["function"]["name"] == "list"
        assert [one["role"] for one in third["messages"]] == ["system", "user", *["assistant", "tool"] * 2]
        assert third["messages"][3]["tool_call_id"] == third["messages"][2]["tool_calls"][0]["id"]
    else:
        assert third["tools"][0]["name"] == "list"
        assert [one.get("type") for one in third["input"][2:]] == ["function_call", "function_call_output"] * 2
        assert third["input"][2]["call_id"] == third["input"][3]["call_id"]
        assert all(body["store"] is False for body in asked)


def test_by_name_in_assess(folder: Path) -> None:
    settings = {"working_dir": str(folder), "steps": "look", "rubric": RUBRIC}
    found = asyncio.run(
        assess([], [], ["semantic_test"], {"semantic_test": settings}, model=scripted_judge([DONE, FILLED]))
    )
    assert (found[0].eval_name, found[0].score) == ("semantic_test", 60.0)


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("no-rubric", {"rubric": {}}, "score"),
    ("no-score", {"rubric": {"a": "20 points"}}, "score"),
    ("only-score", {"rubric": {"score": "number"}}, "0 fields"),
    ("not-a-dict", {"rubric": "score"}, "dict"),
    ("no-description", {"rubric": {"a": 20, "score": "number"}}, "description"),
    ("empty-description", {"rubric": {"a": " ", "score": "number"}}, "description"),
    ("too-deep", {"rubric": {"a": {"b": {"c": {"d": {"e": "x"}}}}, "score": "number"}}, "deep"),
    ("too-many", {"rubric": {str(at): "x" for at in range(101)} | {"score": "number"}}, "100 fields"),
    ("no-steps", {"steps": " "}, "steps"),
    ("no-text", {"context": 7}, "context"),
    ("no-path", {"working_dir": 7}, "working_dir"),
    ("nul-in-the-path", {"working_dir": "a\0"}, "working_dir"),
    ("max-steps", {"max_steps": 0}, "max_steps"),
    ("max-tokens", {"max_tokens": 1.5}, "max_tokens"),
    ("max-cost", {"max_cost": -1}, "max_cost"),
    ("deadline", {"deadline_seconds": 0}, "deadline_seconds"),
    ("run-seconds", {"run_seconds": float("nan")}, "run_seconds"),
    ("exclude", {"exclude": "node_modules"}, "exclude"),
]


@pytest.mark.parametrize(("given", "shown"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_wrong_config_is_refused_before_the_first_call(folder: Path, given: dict[str, Any], shown: str) -> None:
    with pytest.raises(ConfigurationError, match=shown):
        config(folder, **given)


def test_what_run_is_given_is_checked_like_the_config(folder: Path) -> None:
    model = scripted_judge([])
    evaluator = SemanticTestEvaluator(config(folder), model=model)
    with pytest.raises(ValueError, match="score"):
        asyncio.run(evaluator.run(rubric={"a": "x"}))
    with pytest.raises(ConfigurationError, match="steps"):
        SemanticTestEvaluator()
    with pytest.raises(ConfigurationError, match="sandbox"):
        SemanticTestEvaluator(config(folder), sandbox="docker")  # type: ignore[arg-type]
    assert model.asked == []


def test_the_signature_covers_steps_rubric_and_prompts(folder: Path) -> None:
    def signature(**settings: Any) -> str:
        return SemanticTestEvaluator(config(folder, **settings), model=scripted_judge([])).signature()

    assert signature() == signature()
    assert len({signature(), signature(steps="other"), signature(rubric=FREE), signature(max_steps=3)}) == 4
