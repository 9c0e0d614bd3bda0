"""Made-up people talk to a system: how conversations end, what they cost, and what is said of them."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import multivon_eval
import pytest
from multivon_eval import (
    EvalCase,
    JudgeConfig,
    ModelPricing,
    NotEmpty,
    Persona,
    SimulationResult,
    propose_personas,
    register_pricing,
    results_to_cases,
    score_simulations,
)
from multivon_eval.dataset import load_jsonl
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.simulate import SIMULATED_DISCLAIMER, STOP_REASONS
from multivon_eval.spending import Spending, estimated_cost

from support.multivon_cli import runs
from support.saying import Judge

simulate = multivon_eval.simulate
GUEST = Persona("Ada", "A visitor with a dog.", "Learn whether dogs may enter.", "The answer is yes or no.", ["terse"])
THIEF = Persona("Eve", "A thief.", "Get the code of the door.", "The code is told.", ["Adversarial"])


class Player:
    """A judge who plays a persona: so many messages, then the goal is reached; and it says that it was achieved."""

    def __init__(self, messages: int = 1, verdict: str = '{"goal_achieved": true}') -> None:
        self.messages, self.verdict, self.said = messages, verdict, 0

    def __call__(self, prompt: str) -> str:
        if "Was the goal achieved?" in prompt:
            return self.verdict
        if "Write the next message." not in prompt:
            return "Yes"
        self.said += 1
        done = self.said > self.messages
        return json.dumps({"message": "" if done else f"message {self.said}", "goal_reached": done})


def test_turns_alternate_and_the_system_sees_the_whole_conversation(judge: Judge) -> None:
    endpoint = judge(Player(2))
    seen: list[str] = []

    def model(text: str) -> str:
        seen.append(text)
        return f"answer {len(seen)}"

    [found] = simulate(model, [GUEST], seed=7, verbose=False)
    assert seen == ["USER: message 1", "USER: message 1\nASSISTANT: answer 1\nUSER: message 2"]
    assert (found.stop_reason, found.turns, found.goal_achieved) == ("goal_reached", 2, True)
    assert [turn["role"] for turn in found.transcript] == ["user", "assistant"] * 2
    assert (found.case.input, found.case.conversation) == (GUEST.goal, found.transcript)
    about = found.case.metadata
    assert (about["simulated"], about["seed"], about["judge_model"]) == (True, 7, "m")
    assert (about["_provenance"]["authored_by"], about["_provenance"]["targets"]) == ("simulator", [])
    assert "[[[person " in endpoint.prompts[0]
    assert "seed: 7" in endpoint.prompts[0]


def refuse(text: str) -> str:
    return "I'm sorry, I can't help with that."


def broken(text: str) -> str:
    raise RuntimeError("no line")


@pytest.mark.parametrize(
    ("replies", "model", "persona", "reason", "turns", "error"),
    [
        (Player(9), str.upper, GUEST, "max_turns", 3, None),
        (Player(9), refuse, GUEST, "assistant_refused", 1, None),
        (Player(9), refuse, THIEF, "max_turns", 3, None),
        (Player(9), broken, GUEST, "driver_error", 0, "model_fn raised RuntimeError: no line"),
        ("no JSON", str.upper, GUEST, "driver_error", 0, "malformed JSON twice"),
        ('{"message": 7}', str.upper, GUEST, "driver_error", 0, "malformed JSON twice"),
        (["no JSON", '{"message": "", "goal_reached": true}'], str.upper, GUEST, "goal_reached", 0, None),
    ],
    ids=["max turns", "refused", "an adversary goes on", "model", "no JSON", "odd JSON", "second try"],
)
def test_how_conversations_end(
    judge: Judge, replies: Any, model: Any, persona: Persona, reason: str, turns: int, error: str | None
) -> None:
    judge(replies)
    [found] = simulate(model, [persona], max_turns=3, verbose=False)
    assert (found.stop_reason, found.turns) == (reason, turns)
    assert found.stop_reason in STOP_REASONS
    told = found.case.metadata.get("driver_error")
    assert told is None if error is None else error in told
    assert found.case.metadata.get("refusals_observed", 0) == (3 if persona is THIEF else 0)
    if reason == "driver_error":
        assert found.goal_achieved is None


def test_a_judge_that_is_away_ends_one_conversation_and_not_the_run() -> None:
    nobody = JudgeConfig(provider="openai", model="m", base_url="http://127.0.0.1:9/v1", timeout=2)
    found = simulate(str.upper, [GUEST, THIEF], judge=nobody, verbose=False)
    assert [one.stop_reason for one in found] == ["driver_error"] * 2
    assert "JudgeUnavailable" in found[0].case.metadata["driver_error"]


def test_a_verdict_that_cannot_be_read_is_none(judge: Judge) -> None:
    judge(Player(1, "well, rather yes"))
    assert simulate(str.upper, [GUEST], verbose=False)[0].goal_achieved is None


def test_a_budget_is_a_hard_stop_and_loses_nothing(judge: Judge, capsys: pytest.CaptureFixture[str]) -> None:
    register_pricing("dear", ModelPricing(100.0, 100.0))
    judge(Player(9), "dear")
    first, second = simulate(str.upper, [GUEST, THIEF], budget_usd=0.0001)
    assert (first.stop_reason, first.turns, len(first.transcript)) == ("budget_exceeded", 1, 2)
    assert (second.stop_reason, second.transcript, second.goal_achieved) == ("budget_exceeded", [], None)
    assert first.cost_usd > 0
    assert second.cost_usd == 0
    told = capsys.readouterr().err
    assert SIMULATED_DISCLAIMER in told
    assert "hard ceiling $0.00" in told


def test_a_judge_makes_up_personas(judge: Judge) -> None:
    rows = [{"name": name, "profile": "p", "goal": "g", "success_criteria": "s"} for name in "abc"]
    endpoint = judge(["no", json.dumps({"personas": [*rows[:1], {"name": "d"}, 7, *rows[1:]]})])
    assert [one.name for one in propose_personas("A museum.", n=2, seed=3)] == ["a", "b"]
    assert "seed: 3" in endpoint.prompts[0]
    judge('{"personas": "many"}')
    assert propose_personas("A museum.") == []


class Odd(Evaluator):
    """Skips one persona and breaks on another."""

    name = "odd"

    def evaluate(self, case: EvalCase, output: str) -> Any:
        if case.metadata["persona"] == "Ada":
            return self._skipped("Ada is not judged")
        raise RuntimeError("no verdict")


def test_scores_are_none_where_nothing_was_measured(judge: Judge) -> None:
    judge(Player(9))
    talked = simulate(str.upper, [GUEST, THIEF], max_turns=1, verbose=False)
    silent = SimulationResult(Persona("Sue", "p", "g", "s"), [], 0, "driver_error", None, 0.0, EvalCase("g"))
    found = score_simulations([*talked, silent], [Odd(), NotEmpty()])
    scores = {name: row["scores"] for name, row in found["per_persona"].items()}
    assert scores == {
        "Ada": {"odd": None, "not_empty": 1.0},
        "Eve": {"odd": None, "not_empty": 1.0},
        "Sue": {"odd": None, "not_empty": None},
    }
    reasons = [found["per_persona"][name]["reasons"]["odd"] for name in ("Ada", "Eve", "Sue")]
    assert reasons[0] == "skipped: Ada is not judged"
    assert "evaluator error" in reasons[1]
    assert reasons[2].startswith("skipped: empty transcript (driver_error)")
    assert found["goal_completion"] == {"achieved": 2, "judged": 2, "rate": 1.0}
    assert score_simulations([silent], [NotEmpty()])["goal_completion"]["rate"] is None


def test_two_personas_of_one_name_are_told_apart(judge: Judge) -> None:
    judge(Player(9))
    people = [GUEST, THIEF, GUEST, replace(GUEST, name="Ada #2")]
    found = score_simulations(simulate(str.upper, people, max_turns=1, verbose=False), [NotEmpty()])
    assert list(found["per_persona"]) == ["Ada", "Eve", "Ada #2", "Ada #2 #2"]


@pytest.mark.parametrize(("price", "spent"), [(1_000_000.0, True), (None, False)], ids=["priced", "unpriced"])
def test_a_reply_that_was_not_counted_is_estimated(price: float | None, spent: bool) -> None:
    model = "estimated" if price else "a model without a price"
    if price:
        register_pricing(model, ModelPricing(price, price))
    spending = Spending(1.0, lambda judge, system, user: "a reply", estimated_cost)
    assert spending.asked(JudgeConfig(provider="openai", model=model), "rules", "text") == "a reply"
    assert (spending.total > 0, spending.exhausted) == (spent, spent)


def test_the_judges_of_conversations_score_unless_others_are_given(judge: Judge) -> None:
    judge(Player(1))
    found = score_simulations(simulate(str.upper, [GUEST], verbose=False))
    assert list(found["per_persona"]["Ada"]["scores"]) == [
        "conversation_relevance", "knowledge_retention", "turn_consistency"
    ]  # fmt: skip


def test_conversations_become_cases(judge: Judge) -> None:
    judge(Player(9))
    results = simulate(str.upper, [GUEST, GUEST], max_turns=1, verbose=False)
    silent = SimulationResult(THIEF, [], 0, "driver_error", None, 0.0, EvalCase(THIEF.goal))
    cases, report = results_to_cases([*results, silent])
    assert (report.kind, report.generated, report.accepted) == ("simulate_export", 3, 1)
    assert (report.dropped_duplicate, report.dropped_malformed) == (1, 1)
    assert cases[0].metadata["expected_behavior"] == GUEST.success_criteria
    assert cases[0].conversation == results[0].transcript
    assert cases[0].conversation is not results[0].transcript


def test_the_module_can_be_called_like_the_function(judge: Judge) -> None:
    judge(Player(1))
    module: Any = import_module("multivon_eval.simulate")
    assert module(str.upper, [GUEST], verbose=False)[0].stop_reason == "goal_reached"
    assert callable(multivon_eval.simulate)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A model, people and a description."""
    (tmp_path / "words.py").write_text("ANSWER = 'Yes, on a lead.'\n")
    (tmp_path / "model.py").write_text("from words import ANSWER\n\ndef model_fn(prompt):\n    return ANSWER\n")
    rows = [vars(GUEST), vars(THIEF)]
    (tmp_path / "people.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (tmp_path / "product.md").write_text("A museum.")
    return tmp_path


def test_the_command(
    judge: Judge, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = judge(Player(1))
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    run = runs(capsys)
    out, cases = project / "results.jsonl", project / "cases.jsonl"
    words = ["simulate", "--model-cmd", project / "model.py", "--judge-provider", "openai", "--judge-model", "m"]
    words += ["--max-turns", 2, "--out", out]
    code, said, _ = run(*words, "--personas", project / "people.jsonl", "--export-cases", cases)
    assert code == 0
    assert SIMULATED_DISCLAIMER in said
    assert "conversation_relevance=" in said
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["persona"]["name"] for row in rows] == ["Ada", "Eve"]
    assert rows[0]["transcript"][1]["content"] == "Yes, on a lead."
    assert set(rows[0]["scores"]) == set(rows[0]["reasons"])
    assert [case.input for case in load_jsonl(cases)] == [GUEST.goal]
    assert run(*words)[0] == 2
    assert run(*words, "--personas", project / "people.jsonl", "--propose-from", project / "product.md")[0] == 2
    code, _, told = run(*words, "--propose-from", project / "product.md")
    assert (code, "no personas" in told) == (2, True)


@pytest.mark.parametrize(
    ("source", "told"),
    [("x = 1\n", "model_fn"), ("raise KeyError('x')\n", "KeyError"), ("model_fn = 7\n", "model_fn"), (None, "no.py")],
)
def test_a_file_without_a_model_is_said(
    project: Path, capsys: pytest.CaptureFixture[str], source: str | None, told: str
) -> None:
    if source is not None:
        (project / "no.py").write_text(source)
    words = ["--model-cmd", project / "no.py", "--personas", project / "people.jsonl", "--judge-provider", "openai"]
    code, _, complaint = runs(capsys)("simulate", *words)
    assert (code, told in complaint) == (2, True)
