"""Endpoints that refuse: a handful of requests, the endpoint's own words once, and prices that are learnt later."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringtrue.api.runs import open_run
from ringtrue.cli import main
from support.json_server import JsonServer

Command = Callable[..., tuple[int, str, str]]
NO_MODEL = {"error": {"message": "The model `gpt-zzz` does not exist"}}
ANSWER = {
    "choices": [{"message": {"role": "assistant", "content": "yes"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 100, "completion_tokens": 10},
}


@pytest.fixture
def command(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-this-test")

    def run(*words: str) -> tuple[int, str, str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        return int(str(ended.value.code)), *capfd.readouterr()

    return run


def questions(count: int) -> str:
    rows = [{"id": n, "question": f"Question {n}?", "answer": "yes", "response": "yes"} for n in range(count)]
    Path("q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return "q.jsonl"


def test_a_refused_model_costs_a_handful_of_requests_and_is_reported_once(command: Command) -> None:
    with JsonServer(lambda sent: (404, NO_MODEL, {})) as server:
        code, out, err = command("run", questions(200), "--proxy", server.root, "-m", "gpt-zzz")
        assert len(server.sent) <= 10
    assert code == 3
    assert (" ".join(out.split()) + err).count("The model `gpt-zzz` does not exist") == 1


def test_without_a_table_the_cause_is_reported_all_the_same(command: Command) -> None:
    with JsonServer(lambda sent: (404, NO_MODEL, {})) as server:
        code, _, err = command("run", questions(20), "--proxy", server.root, "-m", "gpt-zzz", "-q")
    assert (code, err.count("does not exist")) == (3, 1)


@pytest.mark.parametrize(("status", "words"), [(404, "Not Found"), (405, "Method Not Allowed"), (400, "unknown route")])
def test_the_fallback_does_not_hide_what_a_judge_said_first(command: Command, status: int, words: str) -> None:
    def answer(sent: Any) -> Any:
        return (404, NO_MODEL, {}) if sent.path.endswith("chat/completions") else (status, {"detail": words}, {})

    with JsonServer(answer) as server:
        judged = ["-e", "llm_judge", "--judge-url", server.root, "--judge-model", "gpt-zzz"]
        code, out, _ = command("score", questions(3), *judged)
    assert code == 3
    assert "The model `gpt-zzz` does not exist" in " ".join(out.split())


def test_an_answer_asked_without_a_price_gets_one_when_it_is_known(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    with JsonServer(lambda sent: (200, ANSWER, {"Content-Type": "application/json"})) as server:
        words = ["run", questions(3), "--proxy", server.root, "-m", "house-model", "--json"]
        first = json.loads(command(*words)[1])
        outputs = [" ".join(command("show", "last")[1].split())]
        Path("prices.json").write_text(json.dumps({"models": {"house-model": {"input": 1000.0, "output": 10_000.0}}}))
        monkeypatch.setenv("RINGTRUE_PRICES", "prices.json")
        second = json.loads(command(*words)[1])
        assert len(server.sent) == 3, "the second run asks nothing"
        outputs += [" ".join(command(*call)[1].split()) for call in (words[:-1], ["show", "last"])]
    assert ["cost unknown: no price of the model" in one for one in outputs] == [True, False, False]
    assert ["$0.6000" in one for one in outputs] == [False, True, True]
    assert re.search(r"3 of 3 answers reused\s+from\s+run\s+[0-9a-f]{12}\s+of ", outputs[1])
    assert first["cost"]["systems"] is None
    assert second["cost"]["systems"] == pytest.approx(3 * (100 * 1000 + 10 * 10_000) / 1e6)
    costs = [[row.trial.output.cost for row in open_run(run["run"]).rows] for run in (first, second)]
    assert costs == [[None] * 3, [pytest.approx(0.2)] * 3], "each run keeps what it knew"
    Path("rules.toml").write_text('[[rules]]\nmax_cost = 0.61\nsystem = "house-model"\n')
    assert [command("gate", run["run"], "--rules", "rules.toml")[0] for run in (first, second)] == [2, 0]


def test_a_suite_file_that_is_not_there_is_called_so(command: Command) -> None:
    code, _, err = command("suite", "nope.toml")
    assert (code, err) == (64, "ringtrue: 'nope.toml' does not exist; give a file in YAML, TOML or JSON\n")
