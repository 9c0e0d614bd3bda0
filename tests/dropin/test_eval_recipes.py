"""eval-recipes' names: configs and results as pydantic models, and `evaluate` over all of them."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from eval_recipes.evaluate import RECIPES, evaluate
from eval_recipes.evaluations.check_criteria.check_criteria_evaluator import (
    CheckCriteriaEvaluator,
    CheckCriteriaEvaluatorConfig,
)
from eval_recipes.evaluations.guidance.guidance_evaluator import (
    GuidanceEvaluator,
    GuidanceEvaluatorConfig,
    InputGuidanceEval,
)
from eval_recipes.evaluations.preference_adherence.preference_adherence_evaluator import (
    InputUserPreferences,
    PreferenceAdherenceEvaluator,
)
from eval_recipes.evaluations.semantic_test.semantic_test_evaluator import (
    SemanticTestEvaluator,
    SemanticTestEvaluatorConfig,
)
from eval_recipes.evaluations.tool_usage.tool_usage_evaluator import (
    InputTool,
    InputToolUsageEvaluator,
    ToolUsageEvaluator,
    ToolUsageEvaluatorConfig,
)
from eval_recipes.schemas import BaseEvaluatorConfig, EvaluationOutput, EvaluatorProtocol
from openai.types.chat.chat_completion_tool_param import ChatCompletionToolParam
from openai.types.responses import EasyInputMessageParam, ResponseFunctionToolCallParam
from openai.types.responses.response_input_param import FunctionCallOutput
from pydantic import ValidationError

from ringtrue.evaluators.judged.judge import Judge
from support.judge_endpoint import JudgeEndpoint

MESSAGES: list[Any] = [
    EasyInputMessageParam(role="system", content="You search and edit documents. The user likes brief answers."),
    EasyInputMessageParam(role="user", content="Which material is the most elastic?"),
    ResponseFunctionToolCallParam(type="function_call", call_id="call_1", name="search", arguments='{"query": "x"}'),
    FunctionCallOutput(type="function_call_output", call_id="call_1", output='{"results": ["A: 90%", "B: 40%"]}'),
    EasyInputMessageParam(role="assistant", content="Material A, with 90%."),
]
TOOLS = [
    ChatCompletionToolParam(
        type="function",
        function={
            "name": name,
            "description": f"{name} something",
            "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
        },
    )
    for name in ("search", "edit_file")
]


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeEndpoint]:
    with JudgeEndpoint(says={"is_in_scope_probability": 5, "score": 40}) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        yield running


class WordCountEvaluator:
    def __init__(self, config: BaseEvaluatorConfig | None = None) -> None:
        self.config = config or BaseEvaluatorConfig()

    async def evaluate(self, messages: Any, tools: Any) -> EvaluationOutput:
        words = len(str(messages[-1]["content"]).split())
        return EvaluationOutput(eval_name="word_count", applicable=True, score=80, metadata={"words": words})


class Nothing:
    pass


class FailingEvaluator(WordCountEvaluator):
    async def evaluate(self, messages: Any, tools: Any) -> EvaluationOutput:
        raise RuntimeError("not today")


def run(*evaluations: Any, configs: Any = None, **options: Any) -> list[EvaluationOutput]:
    return asyncio.run(evaluate(MESSAGES, TOOLS, list(evaluations), configs, **options))


def test_evaluate_runs_all_in_the_order_asked_for(judge: JudgeEndpoint) -> None:
    names = ["guidance", "preference_adherence", "tool_usage", "check_criteria"]
    configs = {
        "guidance": GuidanceEvaluatorConfig(model="gpt-5", capability_manifest="Can: search. Cannot: buy."),
        "tool_usage": ToolUsageEvaluatorConfig(tool_thresholds={"search": 85, "edit_file": 70}),
        "check_criteria": CheckCriteriaEvaluatorConfig(criteria=["It is brief"], model="gpt-5-nano"),
    }
    found = run(*names, configs=configs, max_concurrency=4)
    assert [one.eval_name for one in found] == names
    assert all(type(one) is EvaluationOutput and one.applicable for one in found)
    assert found[0].score == 40
    assert found[0].feedback == "It is as the judge says."
    assert found[1].metadata["extracted_user_preferences"]["preferences"]
    assert {one["tool_name"] for one in found[2].metadata["tool_evaluations"]["tool_evaluations"]} == {
        "search",
        "edit_file",
    }
    assert found[3].metadata["criteria_evaluations"][0]["criterion"] == "It is brief"
    assert {body["model"] for body in judge.asked} == {"gpt-5", "gpt-5-nano"}


def test_custom_evaluators_get_their_config_and_the_raw_messages() -> None:
    configs = {"WordCountEvaluator": BaseEvaluatorConfig(model="gpt-5-mini")}
    (found,) = run(WordCountEvaluator, configs=configs)
    assert found == EvaluationOutput(eval_name="word_count", applicable=True, score=80.0, metadata={"words": 4})
    assert isinstance(WordCountEvaluator(), EvaluatorProtocol)


def test_a_custom_config_may_have_fields_of_its_own() -> None:
    class Limits(BaseEvaluatorConfig):
        most: int = 3

    assert Limits(most=5, model="any-name").model_dump() == {"provider": "openai", "model": "any-name", "most": 5}


def test_one_that_fails_hides_no_other(judge: JudgeEndpoint) -> None:
    failed, counted = run(FailingEvaluator, WordCountEvaluator)
    assert (failed.applicable, failed.score, failed.metadata["error"]) == (False, 0.0, "RuntimeError: not today")
    assert "not today" in failed.metadata["traceback"]
    assert counted.score == 80


def test_the_same_name_twice_is_found_twice_and_asked_once(judge: JudgeEndpoint) -> None:
    first, second = run("tool_usage", "tool_usage")
    assert (first.eval_name, first.score) == (second.eval_name, second.score)
    assert len(judge.asked) == 1


def test_nothing_asked_for_is_nothing_found() -> None:
    assert run() == []


WRONG: dict[str, tuple[Any, dict[str, Any], str]] = {
    "unknown name": ("tool_usge", {}, "did you mean 'tool_usage'"),
    "no evaluator": (5, {}, "5 is not an evaluator"),
    "class without evaluate": (Nothing, {}, "is not an evaluator"),
    "no places": (WordCountEvaluator, {"max_concurrency": 0}, "max_concurrency must be a whole number"),
    "another's config": (
        "tool_usage",
        {"configs": {"tool_usage": GuidanceEvaluatorConfig()}},
        "ToolUsageEvaluator needs config=ToolUsageEvaluatorConfig",
    ),
}


@pytest.mark.parametrize(("evaluation", "options", "says"), WRONG.values(), ids=WRONG)
def test_a_wrong_plan_raises_before_the_first_call(
    evaluation: Any, options: dict[str, Any], says: str, judge: JudgeEndpoint
) -> None:
    with pytest.raises(ValueError, match=says):
        run(evaluation, **options)
    assert judge.asked == []


def test_a_plain_config_says_who_is_asked(judge: JudgeEndpoint) -> None:
    run(
        "tool_usage", "guidance", configs={name: BaseEvaluatorConfig(model="o3") for name in ("tool_usage", "guidance")}
    )
    assert {body["model"] for body in judge.asked} == {"o3"}


def test_configs_of_evaluations_not_asked_for_are_left_alone() -> None:
    shared = {"guidance": GuidanceEvaluatorConfig(), "WordCountEvaluator": BaseEvaluatorConfig()}
    assert len(run(WordCountEvaluator, configs=shared)) == 1
    with pytest.warns(UserWarning, match="word_count"):
        run(WordCountEvaluator, configs={"word_count": BaseEvaluatorConfig()})


BROKEN: dict[str, tuple[type[BaseEvaluatorConfig], dict[str, Any]]] = {
    "provider": (BaseEvaluatorConfig, {"provider": "bedrock"}),
    "model": (BaseEvaluatorConfig, {"model": " "}),
    "no criteria": (CheckCriteriaEvaluatorConfig, {}),
    "criteria is a string": (CheckCriteriaEvaluatorConfig, {"criteria": "It is brief"}),
    "threshold above 100": (CheckCriteriaEvaluatorConfig, {"criteria": [], "passed_threshold": 175}),
    "no places": (CheckCriteriaEvaluatorConfig, {"criteria": [], "max_concurrency": 0}),
    "scope threshold": (GuidanceEvaluatorConfig, {"in_scope_probability_threshold": -1}),
    "tool threshold": (ToolUsageEvaluatorConfig, {"tool_thresholds": {"search": 101}}),
}


@pytest.mark.parametrize(("kind", "settings"), BROKEN.values(), ids=BROKEN)
def test_a_broken_config_raises_in_its_constructor(kind: type[BaseEvaluatorConfig], settings: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        kind(**settings)


def test_a_setting_no_one_reads_is_left_out_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="passed_treshold"):
        config = CheckCriteriaEvaluatorConfig(criteria=["x"], passed_treshold=10)  # type: ignore[call-arg]
    assert config.model_dump() == {
        "provider": "openai",
        "model": "gpt-5",
        "criteria": ["x"],
        "passed_threshold": 75,
        "max_concurrency": 1,
    }


def test_results_are_models() -> None:
    output = EvaluationOutput(eval_name="x", applicable=True, score=80)
    assert output.model_dump() == {
        "eval_name": "x", "applicable": True, "score": 80.0, "feedback": None, "metadata": {},
    }  # fmt: skip
    assert EvaluationOutput.model_validate_json(output.model_dump_json()) == output
    with pytest.raises(ValidationError):
        EvaluationOutput(eval_name="x", applicable=True, score="high")  # type: ignore[arg-type]


def test_two_tools_of_one_name_are_no_input() -> None:
    tool = InputTool(tool_name="search", tool_text="Search", was_called=False)
    assert tool.threshold == 50
    with pytest.raises(ValidationError, match="same name"):
        InputToolUsageEvaluator(tools=[tool, tool], conversation_history_full="User: Hi")


def test_without_criteria_nothing_is_asked(judge: JudgeEndpoint) -> None:
    found = asyncio.run(CheckCriteriaEvaluator().evaluate(MESSAGES, []))
    assert (found.applicable, found.score, judge.asked) == (False, 0.0, [])


def test_the_config_stays_as_it_is_when_a_manifest_is_generated(judge: JudgeEndpoint) -> None:
    config = GuidanceEvaluatorConfig()
    found = asyncio.run(GuidanceEvaluator(config=config).evaluate(MESSAGES, TOOLS))
    assert config.capability_manifest is None
    assert found.metadata["capability_manifest"].startswith("## Can")
    assert "search and edit documents" in str(judge.asked[0])


DOWN: dict[str, Any] = {
    "tool_usage": lambda: ToolUsageEvaluator().run(
        InputToolUsageEvaluator(
            tools=[InputTool(tool_name="t", tool_text="t", was_called=True)], conversation_history_full="User: Hi"
        )
    ),
    "preference_adherence": lambda: PreferenceAdherenceEvaluator().run(
        InputUserPreferences(conversation_history_full="User: Hi", conversation_history_beginning_turn="User: Hi")
    ),
    "guidance": lambda: GuidanceEvaluator(GuidanceEvaluatorConfig(capability_manifest="Can: talk")).run(
        InputGuidanceEval(conversation_history_full="User: Hi", conversation_history_beginning_turn="User: Hi")
    ),
}


@pytest.mark.parametrize("name", DOWN)
def test_a_judge_that_cannot_be_read_is_an_error_and_no_score(name: str, judge: JudgeEndpoint) -> None:
    judge.says = {"tool_evaluations": [], "preferences": "none", "is_in_scope_probability": "low"}
    found = asyncio.run(DOWN[name]())
    assert found.status == "error"
    assert found.score == 0
    assert "no verdict" in str(found)


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_is_one_of_ringtrues_evaluators(name: str) -> None:
    recipe = RECIPES[name]
    assert issubclass(recipe.judged_class, Judge)
    assert recipe.judged_class.default_name == name
    assert recipe.judged_class.__name__ == recipe.__name__


AUDIT: dict[str, Any] = {
    "steps": "1. Look whether there is a file",
    "rubric": {"exists": "100 points boolean - is there a file?", "score": "number (0-100)"},
    "context": "Write a file",
}


def test_an_audit_needs_a_config() -> None:
    with pytest.raises(ValueError, match="needs config=SemanticTestEvaluatorConfig"):
        SemanticTestEvaluator()
    with pytest.raises(ValueError, match="needs config=SemanticTestEvaluatorConfig"):
        run("semantic_test")


def test_a_rubric_without_a_score_is_not_a_rubric(tmp_path: Path) -> None:
    broken = {**AUDIT, "rubric": {"exists": "boolean"}}
    with pytest.raises(ValidationError, match="score"):
        SemanticTestEvaluatorConfig(working_dir=tmp_path, **broken)
    evaluator = SemanticTestEvaluator(SemanticTestEvaluatorConfig(working_dir=tmp_path, **AUDIT))
    with pytest.raises(ValueError, match="score"):
        asyncio.run(evaluator.run(working_dir=tmp_path, **broken))


def test_an_audit_by_name_and_by_evaluate(judge: JudgeEndpoint, tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("here")
    config = SemanticTestEvaluatorConfig(working_dir=tmp_path, model="gpt-5-mini", **AUDIT)
    (found,) = run("semantic_test", configs={"semantic_test": config})
    assert (found.eval_name, found.applicable, found.score) == ("semantic_test", True, 100.0)
    assert found.metadata["exists"] is True
    again = asyncio.run(SemanticTestEvaluator(config=config).evaluate(messages=[], tools=[]))
    assert (again.score, again.feedback) == (100.0, found.feedback)
    assert {body["model"] for body in judge.asked} == {"gpt-5-mini"}


@pytest.mark.parametrize("name", [name for name in RECIPES if name != "semantic_test"])
def test_importing_and_making_does_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluator = RECIPES[name]()
    if name == "check_criteria":  # without criteria no model is asked
        assert not asyncio.run(evaluator.evaluate(MESSAGES, TOOLS)).applicable
        evaluator = RECIPES[name](CheckCriteriaEvaluatorConfig(criteria=["It is brief"]))
    with pytest.raises(ValueError, match="OPENAI_API_KEY"):
        asyncio.run(evaluator.evaluate(MESSAGES, TOOLS))
