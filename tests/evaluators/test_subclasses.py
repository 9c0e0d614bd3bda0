"""Subclasses of every built-in evaluator and system: reports show their own name, and their own code runs."""

from __future__ import annotations

import copy
import pickle
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.api.score_file import score_file
from ringtrue.evaluators import AnswerQuality, ExactMatch, JSONSchemaEval, LLMJudge, NotEmpty
from ringtrue.evaluators.adapt import as_evaluator
from ringtrue.evaluators.built_in import BUILT_IN, JUDGED
from ringtrue.records import Case, Output, Score, Trial
from ringtrue.systems.command import Command
from ringtrue.systems.function import as_system
from ringtrue.systems.identity import Identity
from ringtrue.systems.json_api import JsonApi
from ringtrue.systems.local import LocalSystem
from ringtrue.systems.openai_proxy import OpenAIProxy
from ringtrue.systems.replay import Replay
from ringtrue.systems.truncation import Truncation
from support.endpoint import EndpointServer

JUDGES = [LLMJudge(name=name) for name in "ab"]
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "all_of": (NotEmpty(),), "any_of": (NotEmpty(),), "not": (NotEmpty(),), "contains": (["x"],),
    "not_contains": (["x"],), "json_schema": ({},), "latency": (100,), "max_latency": (100,), "regex_match": ("x",),
    "starts_with": ("x",), "ends_with": ("x",), "word_count": (1, 2), "judge_panel": (JUDGES,),
    "diff_applies": (".",),
}  # fmt: skip
SETTINGS: dict[str, dict[str, Any]] = {
    "check_criteria": {"criteria": ["polite"]}, "rubric_judge": {"levels": {"bad": "rude", "good": "polite"}},
    "question_judge": {"questions": ["Is it polite?"]},
    "semantic_test": {"steps": "look", "rubric": {"score": "0-100", "polite": "yes"}},
}  # fmt: skip
SYSTEMS: dict[str, tuple[type, tuple[Any, ...]]] = {
    "openai_proxy": (OpenAIProxy, ("http://127.0.0.1:9",)),
    "json_api": (JsonApi, ("http://127.0.0.1:9",)),
    "command": (Command, ("cat",)),
    "replay": (Replay, ()),
    "identity": (Identity, ()),
    "truncation": (Truncation, (5,)),
    "local": (LocalSystem, ()),
}


def class_of(name: str) -> type:
    module, found = (BUILT_IN | JUDGED)[name]
    return getattr(import_module(module), found)  # type: ignore[no-any-return]


def table() -> list[Any]:
    evaluators = [
        pytest.param(class_of(name), ARGUMENTS.get(name, ()), SETTINGS.get(name, {}), id=name)
        for name in BUILT_IN | JUDGED
    ]
    return evaluators + [pytest.param(kind, args, {}, id=f"system-{name}") for name, (kind, args) in SYSTEMS.items()]


@pytest.mark.parametrize(("kind", "args", "settings"), table())
def test_a_subclass_has_its_own_name(kind: type, args: tuple[Any, ...], settings: dict[str, Any]) -> None:
    class ByAttribute(kind):  # type: ignore[misc]
        name = "mine"

    class ByProperty(kind):  # type: ignore[misc]
        def __init__(self, word: str) -> None:
            self.word = word
            super().__init__(*args, **settings)
            self.later = word

        @property
        def name(self) -> str:
            return f"mine-{self.word}-{self.later}"

    class Plain(kind):  # type: ignore[misc]
        pass

    assert ByAttribute(*args, **settings).name == ByAttribute.name == "mine"
    assert ByAttribute(*args, name="given", **settings).name == "given"
    mine = ByProperty("x")
    assert (mine.name, mine.word, copy.copy(mine).name) == ("mine-x-x", "x", "mine-x-x")
    assert Plain(*args, **settings).name == kind(*args, **settings).name
    if hasattr(kind, "signature"):
        assert mine.signature().startswith("mine-x-x")


@pytest.mark.parametrize("name", BUILT_IN | JUDGED)
def test_the_documented_name_is_on_the_class(name: str) -> None:
    assert class_of(name).name == name  # type: ignore[attr-defined]


class WithWord(ExactMatch):
    name = "with_word"

    def __init__(self, word: str) -> None:
        self.word = word
        super().__init__()


def test_a_subclass_with_a_constructor_is_copied_and_told_apart() -> None:
    one = WithWord("x")
    assert pickle.loads(pickle.dumps(one)).word == "x"
    assert one.signature() != WithWord("y").signature()
    one.measure(Trial(Case(expected=("a",)), Output("b")))
    assert one.signature() == WithWord("x").signature(), "using it changes nothing"


class Louder(ExactMatch):
    name = "louder"

    def score(self, original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
        return {"loud": float(processed["response"].isupper())}


class Kinder(NotEmpty):
    name = "kinder"

    def evaluate(self, case: Any, output: Any, latency_ms: float | None = None) -> Any:
        return super().evaluate(case, output or "something", latency_ms)


def test_an_overridden_documented_call_is_what_runs() -> None:
    rows = [{"id": 1, "question": "q", "answer": "Paris"}]
    result = evaluate(lambda text: "OSLO", rows, [Louder(), AnswerQuality()], store=None, progress=False)
    assert result.rows[0].scores["loud"] == 1.0
    kinder = as_evaluator(Kinder())
    assert (kinder.name, kinder.measure(Trial(Case(), Output(""))).value) == ("kinder", 1.0)


class Measuring(ExactMatch):
    def measure(self, trial: Trial) -> Score:
        return self.fail("always")


class Grading(ExactMatch):
    def grade(self, trial: Trial) -> Score:
        return self.fail("always")


class GradingText(JSONSchemaEval):
    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        return self.fail("always")


@pytest.mark.parametrize("evaluator", [Measuring(), Grading(), GradingText({})], ids=lambda one: type(one).__name__)
def test_a_file_is_scored_by_what_a_subclass_overrides(evaluator: Any, tmp_path: Path) -> None:
    """Columns of texts are a shortcut of the built-in evaluators alone."""
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": 1, "answer": "1", "response": "1"}\n', "utf-8")
    (row,) = score_file(str(rows), [evaluator]).rows
    assert [score.value for score in row.scores.values()] == [0.0]


class Shouting(OpenAIProxy):
    name = "shouting"

    def process(self, example: dict[str, Any]) -> dict[str, Any]:
        found = super().process(example)
        return {**found, "response": found["response"].upper()}


def test_an_overridden_process_is_what_runs() -> None:
    rows = [{"id": n, "question": f"Say [[city {n}]].", "answer": f"CITY {n}"} for n in range(3)]
    with EndpointServer() as server:
        system = Shouting(server.base_url, "m")
        result = evaluate(system, rows, [ExactMatch(case_sensitive=True)], store=None, progress=False)
    assert [row.response for row in result.rows] == ["CITY 0", "CITY 1", "CITY 2"]
    assert result.details["shouting"]["exact_match"].value == 1.0
    assert as_system(OpenAIProxy("http://127.0.0.1:9", "m")).in_flight == 64
