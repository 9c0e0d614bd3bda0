"""What is reused is exactly what was asked: each field of the key, changed once, is a miss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from ringtrue import Case, Score, Trial, evaluate, rescore
from ringtrue.evaluators import Contains, ExactMatch
from ringtrue.reports.eval_result import EvalResult
from ringtrue.systems.openai_proxy import OpenAIProxy
from support.endpoint import EndpointServer

ROW: dict[str, Any] = {
    "id": 1,
    "question": "Say [[yes]].",
    "context": "A context.",
    "answer": "yes",
    "choices": ["yes", "no"],
}


def asks(messages: list[dict[str, Any]]) -> Callable[[dict[str, Any]], list[dict[str, Any]]]:
    def built(example: dict[str, Any]) -> list[dict[str, Any]]:
        return messages

    return built


MESSAGE = {"role": "user", "content": "Say [[yes]]."}
PARAMETERS: dict[str, Any] = {"temperature": 0.0, "max_tokens": 10, "stop": ["a", "b"], "metadata": {"a": 1, "b": 2}}
SYSTEM: dict[str, Any] = {"model": "m", "name": "s", "system_prompt": "Be brief.", "extra_body": PARAMETERS}


def ask(server: EndpointServer, store: str, row: Any = ROW, path: str = "v1", repeats: int = 1, **changes: Any) -> int:
    """How many requests a run takes."""
    before = server.stats()["requests"]
    system = OpenAIProxy(f"http://127.0.0.1:{server.port}/{path}", **{**SYSTEM, **changes})
    result = evaluate(system, [row], [ExactMatch()], store=store, progress=False, repeats=repeats)
    assert [(found.status, found.response) for found in result.rows] == [("ok", "yes")] * repeats
    return int(server.stats()["requests"] - before)


def test_unchanged_is_a_hit(server: EndpointServer, store: str) -> None:
    server.plan()
    assert [ask(server, store) for _ in range(3)] == [1, 0, 0]
    same = {"metadata": {"b": 2, "a": 1}, **{key: PARAMETERS[key] for key in ("stop", "max_tokens", "temperature")}}
    assert ask(server, store, extra_body=same) == 0, "the order of keys is nobody's choice"
    assert ask(server, store, dict(reversed(ROW.items()))) == 0
    assert ask(server, store, timeout=9.0, max_retries=7, api_key="another") == 0, "how it is sent is not what is asked"


SYSTEM_CHANGES: dict[str, dict[str, Any]] = {
    "endpoint": {"path": "other/v1"},
    "model": {"model": "n"},
    "system_prompt": {"system_prompt": "Be brief!"},
    "no_system_prompt": {"system_prompt": None},
    "messages": {"build_messages": asks([MESSAGE])},
    "parameter_value": {"extra_body": {**PARAMETERS, "temperature": 0.1}},
    "parameter_type": {"extra_body": {**PARAMETERS, "temperature": 0}},
    "parameter_number": {"extra_body": {**PARAMETERS, "max_tokens": 11}},
    "parameter_list": {"extra_body": {**PARAMETERS, "stop": ["b", "a"]}},
    "parameter_nested": {"extra_body": {**PARAMETERS, "metadata": {"a": 1, "b": 3}}},
    "parameter_added": {"extra_body": {**PARAMETERS, "seed": 1}},
    "parameter_null": {"extra_body": {**PARAMETERS, "seed": None}},
    "parameter_removed": {"extra_body": {"temperature": 0.0}},
    "name": {"name": "t"},
}


@pytest.mark.parametrize("change", SYSTEM_CHANGES)
def test_a_changed_system_is_a_miss(server: EndpointServer, store: str, change: str) -> None:
    server.plan()
    assert ask(server, store) == 1
    assert ask(server, store, **SYSTEM_CHANGES[change]) == 1
    assert ask(server, store, **SYSTEM_CHANGES[change]) == 0
    assert ask(server, store) == 0


MESSAGE_CHANGES: dict[str, list[dict[str, Any]]] = {
    "content": [{**MESSAGE, "content": "Say [[yes]]!"}],
    "role": [{**MESSAGE, "role": "system"}],
    "another_field": [{**MESSAGE, "name": "Ada"}],
    "one_more": [{"role": "system", "content": ""}, MESSAGE],
    "twice": [MESSAGE, MESSAGE],
    "parts": [{**MESSAGE, "content": [{"type": "text", "text": "Say [[yes]]."}]}],
}


@pytest.mark.parametrize("change", MESSAGE_CHANGES)
def test_a_changed_message_is_a_miss(server: EndpointServer, store: str, change: str) -> None:
    server.plan()
    messages = [dict(MESSAGE)]
    build = asks(messages)  # one function: only what it says changes
    assert ask(server, store, build_messages=build) == 1
    assert ask(server, store, build_messages=build) == 0
    messages[:] = MESSAGE_CHANGES[change]
    assert ask(server, store, build_messages=build) == 1


CASE_CHANGES: dict[str, Any] = {
    "question": {**ROW, "question": "Please say [[yes]]."},
    "context": {**ROW, "context": "Another."},
    "gold": {**ROW, "answer": ["yes", "Yes"]},
    "id_as_text": {**ROW, "id": "1"},
    "id": {**ROW, "id": 2},
    "a_field_nobody_sends": {**ROW, "choices": ["no", "yes"]},
    "a_new_field": {**ROW, "source_id": "s"},
    "tags": Case(1, "Say [[yes]].", ("yes",), "A context.", tags=("t",), fields=ROW),
}


@pytest.mark.parametrize("change", CASE_CHANGES)
def test_a_changed_case_is_a_miss(server: EndpointServer, store: str, change: str) -> None:
    server.plan()
    assert ask(server, store) == 1
    assert ask(server, store, CASE_CHANGES[change]) == 1
    assert ask(server, store, CASE_CHANGES[change]) == 0


def test_each_repeat_is_asked_once(server: EndpointServer, store: str) -> None:
    server.plan()
    assert ask(server, store) == 1
    assert ask(server, store, repeats=3) == 2, "the first repeat is known"
    assert ask(server, store, repeats=3) == 0


def test_equal_rows_are_asked_each_for_itself(server: EndpointServer, store: str) -> None:
    server.plan()
    system = OpenAIProxy(server.base_url, **SYSTEM)
    for requests in (3, 3):
        result = evaluate(system, [ROW, ROW, dict(ROW)], [ExactMatch()], store=store, progress=False)
        assert [row.response for row in result.rows] == ["yes"] * 3
        assert server.stats()["requests"] == requests


def test_two_systems_on_one_host_are_never_confused(server: EndpointServer, store: str) -> None:
    server.plan()

    def saying(word: str) -> OpenAIProxy:
        return OpenAIProxy(server.base_url, "m", f"says {word}", build_messages=asks([
            {"role": "user", "content": f"[[{word}]]"}
        ]))  # fmt: skip

    rows = [{"id": number, "question": "?", "answer": "A"} for number in (1, "1", 2)]
    for order in ("AB", "BA", "AB"):
        result = evaluate([saying(word) for word in order], rows, [ExactMatch()], store=store, progress=False)
        assert [(row.system, row.response) for row in result.rows] == [
            (f"says {word}", word) for word in order for _ in rows
        ]
        assert [row.example_id for row in result.rows] == [1, "1", 2] * 2
    assert server.stats()["requests"] == 6


@dataclass
class Counting:
    """An evaluator in the runner's words that counts what it measures."""

    name: str = "counting"
    setting: int = 1
    version: str = "1.0"
    measured: list[str] = field(default_factory=list)

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.name,)

    def measure(self, trial: Trial) -> Score:
        self.measured.append(trial.output.text)
        return Score(min(1.0, self.setting / 10))

    def signature(self) -> str:
        return f"{self.name}=Counting({self.setting})|{self.version}"


@pytest.mark.parametrize("change", [{"setting": 2}, {"version": "1.1"}, {"name": "other"}], ids=str)
def test_a_changed_evaluator_measures_again_and_asks_nothing(
    server: EndpointServer, store: str, change: dict[str, Any]
) -> None:
    server.plan()

    def measured(evaluator: Counting) -> int:
        system = OpenAIProxy(server.base_url, **SYSTEM)
        result = evaluate(system, [ROW], [evaluator], store=store, progress=False)
        assert result.rows[0].scores == {evaluator.name: evaluator.setting / 10}
        return len(evaluator.measured)

    assert [measured(Counting()), measured(Counting())] == [1, 0]
    assert [measured(Counting(**change)), measured(Counting(**change))] == [1, 0]
    assert measured(Counting()) == 0
    assert server.stats()["requests"] == 1


def test_two_evaluators_of_one_class_are_never_confused(server: EndpointServer, store: str) -> None:
    server.plan()
    one, two = Contains(["yes"], name="one"), Contains(["no"], name="two")
    for evaluators in ([one, two], [two, one], [one, two]):
        result = evaluate(
            OpenAIProxy(server.base_url, **SYSTEM), [ROW], evaluators, store=store, progress=False, fresh=True
        )
        assert result.rows[0].scores == {"one.contains": 1.0, "two.contains": 0.0}
    swapped = [Contains(["no"], name="one"), Contains(["yes"], name="two")]
    result = evaluate(OpenAIProxy(server.base_url, **SYSTEM), [ROW], swapped, store=store, progress=False)
    assert result.rows[0].scores == {"one.contains": 0.0, "two.contains": 1.0}
    assert server.stats()["requests"] == 1


def test_scoring_again_asks_nothing(server: EndpointServer, store: str) -> None:
    server.plan(shares={"401": 0.4})
    rows = [{"id": n, "question": f"Say [[city {n}]].", "answer": f"city {n}"} for n in range(20)]
    system = OpenAIProxy(server.base_url, "m", "proxy", max_retries=0)
    first = evaluate(system, rows, [ExactMatch()], store=store, progress=False)
    errors = sum(row.status != "ok" for row in first.rows)
    assert 0 < errors < 20
    requests = server.stats()["requests"]
    again = EvalResult(rescore(first.config["run"], [Contains(["city"]), "word_count(max_words=1)"], store=store))
    assert server.stats()["requests"] == requests
    summary = again.details["proxy"]["contains"]
    assert (summary.n, summary.errors, summary.value) == (20 - errors, errors, 1.0)
    assert [row.status for row in again.rows] == [row.status for row in first.rows]
    assert [row.response for row in again.rows] == [row.response for row in first.rows]


def test_the_answers_of_code_serve_their_own_run_only(store: str) -> None:
    calls: list[str] = []

    def code(text: str) -> str:
        calls.append(text)
        return text

    for asked in (1, 2):
        evaluate(code, [ROW], [ExactMatch()], store=store, progress=False)
        assert len(calls) == asked, "a finished run of code is not an answer to the next one"


def test_what_is_asked_is_what_the_key_says(server: EndpointServer, store: str) -> None:
    server.plan()
    made: list[int] = []

    def build(example: dict[str, Any]) -> list[dict[str, Any]]:
        made.append(1)
        return [{"role": "user", "content": f"[[draw {len(made)}]]"}]

    system = OpenAIProxy(server.base_url, "m", "proxy", build_messages=build)
    result = evaluate(system, [ROW], [ExactMatch()], store=store, progress=False)
    assert (result.rows[0].response, len(made)) == ("draw 1", 1)


def test_a_case_whose_messages_cannot_be_built_costs_its_own_row(server: EndpointServer, store: str) -> None:
    server.plan()

    def build(example: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"role": "user", "content": example["question"] + example["hint"]}]

    rows = [{"id": 1, "question": "[[a]]", "hint": "!"}, {"id": 2, "question": "[[b]]"}, {"id": 3}]
    system = OpenAIProxy(server.base_url, "m", "proxy", build_messages=build)
    result = evaluate(system, rows, [Contains(["a"])], store=store, progress=False)
    assert [row.status for row in result.rows] == ["ok", "system_error", "system_error"]
    assert result.rows[1].metadata["problem"] == "KeyError: 'hint'"
    nothing = evaluate(OpenAIProxy(server.base_url, "m", "p"), rows, [Contains(["a"])], store=store, progress=False)
    assert [row.status for row in nothing.rows] == ["ok", "ok", "system_error"]
    assert "asks nothing" in nothing.rows[2].metadata["problem"]
