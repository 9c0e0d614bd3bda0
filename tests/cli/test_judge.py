"""Judged evaluators on files and in runs, as a user meets them: a real endpoint, real files, counted calls."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest

from ringtrue.models.local import weights
from support.command import Command, exported
from support.endpoint import EndpointServer
from support.judge_endpoint import JudgeEndpoint

CRITERIA = "check_criteria(criteria=['It is short', 'It asks'])"
YES = {"met": "yes", "probability": 0.75}
LOCAL = pytest.mark.skipif(
    weights.embedded_path() is None or weights.installed_version(weights.ENGINE) is None,
    reason="the local model is not installed: run 'ringtrue local install'",
)


class Slow(JudgeEndpoint):
    """Answers the later the earlier a chat is in its file."""

    def text(self, body: dict[str, Any]) -> str:
        said = json.dumps(body)
        time.sleep(next((0.3 for number in range(3) if f"answer {number}?" in said), 0.0))
        return super().text(body)


def chat(number: int) -> dict[str, Any]:
    said = [{"role": "user", "content": f"q{number}"}, {"role": "assistant", "content": f"answer {number}?"}]
    return {"id": f"c{number}", "messages": said, "tools": []}


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "chats.jsonl", [chat(number) for number in range(6)])
    answers = [{"id": n, "question": f"q{n}", "answer": f"Q{n}", "response": f"Q{n}"} for n in range(3)]
    write(tmp_path / "answers.jsonl", answers)
    (tmp_path / "things.py").write_text("def up(text):\n    return text.upper()\n")
    return tmp_path


def found(said: dict[str, Any]) -> dict[str, Any]:
    """The summaries of a run of one dataset and one system."""
    ((own,),) = ([*systems.values()] for systems in said["summaries"].values())
    return dict(own)


def flat(said: str) -> str:
    return " ".join(said.split())


def test_score_judges_transcripts_and_a_repeat_costs_no_call(
    folder: Path, ringtrue: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeEndpoint(says=YES) as judge:
        monkeypatch.setenv("OPENAI_BASE_URL", judge.base_url)
        words = ["score", "chats.jsonl", "-e", CRITERIA, "-e", "contains(['answer'])", "--json", "-o", "out.jsonl"]
        first = json.loads(ringtrue(*words).stdout)
        assert len(judge.asked) == 12
        assert {body["model"] for body in judge.asked} == {"gpt-5"}
        rows = (folder / "out.jsonl").read_bytes()
        again = json.loads(ringtrue(*words).stdout)
        assert len(judge.asked) == 12
    assert first["summaries"] == again["summaries"]
    assert found(first)["check_criteria"]["value"] == 0.75
    assert found(first)["contains"]["value"] == 1.0
    assert (first["spent"]["calls"], first["spent"]["tokens"], again["spent"]["calls"]) == (12, 180, 0)
    lines = [json.loads(line) for line in rows.splitlines()]
    assert [line["id"] for line in lines] == [f"c{number}" for number in range(6)]
    assert lines[0]["scores"]["check_criteria"]["metadata"]["calls"] == 2


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_rows_are_written_in_order_however_late_they_come(folder: Path, ringtrue: Command, kind: str) -> None:
    with (folder / "chats.jsonl").open("a") as file:
        file.write("broken\n" + json.dumps(chat(6)) + "\n" + json.dumps({"id": "x", "question": "?"}) + "\n")
    with Slow(says=YES) as judge:
        done = ringtrue(
            "score", "chats.jsonl", "-e", CRITERIA, "-e", "tool_usage", "--judge-url", judge.base_url,
            "--judge-model", "m", "-o", f"out.{kind}",
        )  # fmt: skip
        assert {body["model"] for body in judge.asked} == {"m"}
    out = folder / f"out.{kind}"
    if kind == "jsonl":
        rows = [json.loads(line) for line in out.read_text().splitlines()]
        assert rows[0]["scores"]["tool_usage"]["status"] == "skipped"
    else:
        rows = (
            list(csv.DictReader(out.read_text().splitlines())) if kind == "csv" else parquet.read_table(out).to_pylist()
        )
        assert [float(row["check_criteria"]) for row in rows] == [0.75] * 7
        assert {row["tool_usage.status"] for row in rows} == {"skipped"}
        assert {row["tool_precision"] or None for row in rows} == {None}
    assert [(row["id"], int(row["row"])) for row in rows] == [*((f"c{n}", n + 1) for n in range(6)), ("c6", 8)]
    assert "7 rows · " in done.stdout
    assert " · 2 broken rows left out" in done.stdout
    assert "judges took 14 calls and 210 tokens, cost unknown; 0 replies came from the store" in flat(done.stdout)
    assert "chats.jsonl:7: not JSON" in done.stderr
    assert "chats.jsonl:9: no response" in done.stderr


def test_a_judge_alone_rates_answers(ringtrue: Command) -> None:
    with JudgeEndpoint(says={"rating": 4}) as judge:
        done = ringtrue("score", "answers.jsonl", "--judge-url", judge.base_url, "--fail-under", "judge_score=0.8",
                        check=1)  # fmt: skip
    assert "gate failed: judge_score is 0.75 over 3 rows" in done.stderr


def test_a_judge_that_no_evaluator_asks_rates_answers_beside_them(ringtrue: Command) -> None:
    with JudgeEndpoint(says={"rating": 5}) as judge:
        words = ["score", "answers.jsonl", "-e", "exact_match", "--judge-url", judge.base_url, "--json"]
        own = found(json.loads(ringtrue(*words).stdout))
    assert (own["exact_match"]["n"], own["judge_score"]["n"], own["judge_score"]["value"]) == (3, 3, 1.0)


@pytest.mark.parametrize(
    ("evaluator", "why", "needs"),
    [
        ("guidance(capability_manifest='It answers.')", "the request is in scope", ""),
        ("tool_usage", "the assistant has no tools", "; it needs a transcript and the assistant's tools; --map names"),
    ],
    ids=["a-judge-said-that-it-does-not-apply", "an-input-is-missing"],
)
def test_where_nothing_was_measured_it_says_why(ringtrue: Command, evaluator: str, why: str, needs: str) -> None:
    with JudgeEndpoint(says={"is_in_scope_probability": 90}) as judge:
        said = ringtrue("score", "chats.jsonl", "-e", evaluator, "--judge-url", judge.base_url, check=3).stderr
    assert said.count(f"the first: {why}") == 1
    assert f"found nothing to measure in any row{needs}" in said
    assert ("--map" in said) == bool(needs)


def test_what_a_judge_fails_at_is_a_row_with_a_reason(folder: Path, ringtrue: Command, server: EndpointServer) -> None:
    server.plan(shares={"401": 1.0})
    words = ["score", "chats.jsonl", "-e", CRITERIA, "--judge-url", server.base_url, "-o", "out.jsonl"]
    done = ringtrue(*words, check=3)
    assert "nothing was measured: 6 rows, 6 errors" in done.stderr
    (line,) = [line.split() for line in done.stdout.splitlines() if line.startswith("answers ")]
    assert (line[1], line[-5:]) == ("–", ["–", "0", "0", "0", "6"])
    assert "401" in done.stdout
    score = json.loads((folder / "out.jsonl").read_text().splitlines()[0])["scores"]["check_criteria"]
    assert (score["status"], score["value"]) == ("error", None)
    assert (score["metadata"]["kind"], score["metadata"]["cause"]) == ("judge_error", "http")
    (folder / "out.jsonl").unlink()
    done = ringtrue(*words, "-e", "contains(['answer'])", "--max-errors", "3", check=3)
    assert "6 errors; the budget is 3" in done.stderr or "--max-errors 3 is used up" in done.stdout


def test_a_judge_that_never_answers_has_a_deadline(folder: Path, ringtrue: Command, server: EndpointServer) -> None:
    server.plan(shares={"hang": 1.0})
    ringtrue("score", "answers.jsonl", "--judge-url", server.base_url, "--timeout", "0.3", "-o", "out.jsonl", check=3)
    scores = [json.loads(line)["scores"]["llm_judge"] for line in (folder / "out.jsonl").read_text().splitlines()]
    assert [(one["status"], one["metadata"]["cause"], one["reason"]) for one in scores] == [
        ("error", "timeout", "no answer within 0.3 s")
    ] * 3


def test_a_budget_stops_before_the_rest_is_asked_and_what_was_asked_is_kept(folder: Path, ringtrue: Command) -> None:
    write(folder / "many.jsonl", [chat(number) for number in range(200)])
    words = ["score", "many.jsonl", "-e", CRITERIA, "-o", "out.csv", "--judge-model", "gpt-4.1-mini"]
    with JudgeEndpoint(says=YES) as judge:
        words += ["--judge-url", judge.base_url]
        done = ringtrue(*words, "--max-tokens", "600", check=3)
        assert "stopped early: --max-tokens 600 is used up" in done.stdout
        assert "replies are kept" in done.stderr
        asked = len(judge.asked)
        assert 40 < asked < 200
        assert not (folder / "out.csv").exists()
        ringtrue(*words)
        assert len(judge.asked) == 400, "no row that was judged is asked about again"
    assert len((folder / "out.csv").read_text().splitlines()) == 201


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-e", CRITERIA, "--max-cost", "1", "--judge-model", "no-such"], "the price of 'no-such'"),
        (["--judge-model", "a", "--judge-model", "b"], "2 models for 1 judges"),
        (["-e", CRITERIA, "--fail-under", "f1=1"], "no part 'f1'; there are check_criteria"),
        (["-e", "check_criteria(criteria='It is short')"], "criteria must be a list of texts"),
        (["--judge-workers", "0"], "0 is not 1 or more"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None,
)
def test_a_wrong_call_is_refused_before_the_first_question(
    ringtrue: Command, server: EndpointServer, words: list[str], said: str
) -> None:
    server.plan()
    assert said in ringtrue("score", "chats.jsonl", "--judge-url", server.base_url, *words, check=64).stderr
    assert server.stats()["requests"] == 0


def test_without_an_endpoint_score_says_what_to_set(ringtrue: Command) -> None:
    done = ringtrue("score", "chats.jsonl", "-e", CRITERIA, check=64)
    assert "set OPENAI_API_KEY, or OPENAI_BASE_URL" in done.stderr


@LOCAL
@pytest.mark.heavy
def test_the_embedded_model_judges_and_a_repeat_costs_no_call(folder: Path, ringtrue: Command) -> None:
    write(folder / "one.jsonl", [{"id": 1, "question": "2+2?", "answer": "4", "response": "4"}])
    words = ["score", "one.jsonl", "-e", "llm_judge", "--judge-url", "local", "--json"]
    for _ in range(6):  # what cannot be read is asked for again, with other codes: a small model fails at some
        said = json.loads(ringtrue(*words, check=None).stdout)
        assert said["spent"]["calls"] >= 1
        assert said["spent"]["cost"] == 0.0
        if found(said)["judge_score"]["n"]:
            break
    again = json.loads(ringtrue(*words).stdout)
    assert again["summaries"] == said["summaries"]
    assert again["spent"]["calls"] == 0


def test_run_wires_a_judge_for_all_datasets(folder: Path, ringtrue: Command) -> None:
    with JudgeEndpoint(says={"rating": 4, **YES}) as judge:
        words = ["run", "-d", "answers.jsonl", "-s", "things:up", "--judge-url", judge.base_url, "--json"]
        result = json.loads(ringtrue(*words, "--judge-model", "gpt-4o").stdout)
        assert (found(result)["judge_score"]["value"], found(result)["judge_score"]["n"]) == (0.75, 3)
        assert (found(result)["f1"]["value"], found(result)["f1"]["n"]) == (1.0, 3)
        assert [row["scores"]["llm_judge"]["value"] for row in exported(ringtrue)] == [0.75] * 3
        assert [body["model"] for body in judge.asked] == ["gpt-4o"] * 3
        named = ["-e", CRITERIA, "-e", "check_criteria(criteria=['It is polite'], model='own', name='polite')"]
        result = json.loads(ringtrue(*words, "--judge-model", "m", *named).stdout)
        assert set(exported(ringtrue)[0]["scores"]) == {"check_criteria", "polite"}
        assert {"check_criteria", "polite.check_criteria"} <= set(found(result))
        assert sorted(body["model"] for body in judge.asked[3:]) == ["m"] * 6 + ["own"] * 3
        again = ["rescore", "last", "-e", "llm_judge", "--judge-url", judge.base_url, "--json"]
        rescored = json.loads(ringtrue(*again).stdout)
        assert (found(rescored)["judge_score"]["value"], found(rescored)["judge_score"]["n"]) == (0.75, 3)
        assert {body["model"] for body in judge.asked[12:]} == {"gpt-4"}
        before = len(judge.asked)
        ringtrue(*words, "--judge-model", "m", "--fresh", *named)
        assert len(judge.asked) == before, "the same questions again come from the store"


def test_two_judges_rate_side_by_side(ringtrue: Command) -> None:
    with JudgeEndpoint(says={"rating": 5}) as kind, JudgeEndpoint(says={"rating": 1}) as stern:
        urls = ["--judge-url", kind.base_url, "--judge-url", stern.base_url]
        result = json.loads(ringtrue("run", "-d", "answers.jsonl", "-s", "things:up", "--json", *urls).stdout)
    scores = found(result)
    assert scores["judge_score"]["value"] == 1.0
    assert scores["llm_judge_2.judge_score"]["value"] == 0.0


def test_a_judge_that_is_away_leaves_a_gate_undecided(ringtrue: Command, server: EndpointServer) -> None:
    server.plan(shares={"401": 1.0})
    words = ["run", "-d", "answers.jsonl", "-s", "things:up", "--judge-url", server.base_url]
    done = ringtrue(*words, "--headline", "judge_score", "--max-errors", "1", check=3)
    assert "--max-errors 1 is used up" in done.stdout
    assert exported(ringtrue)[0]["scores"]["llm_judge"]["status"] == "error"
    undecided = ringtrue(*words, "--fail-under", "judge_score=0.5", "--fresh", check=2)
    assert "undecided: judge_score was measured on no row, and 3 rows ended in errors" in undecided.stderr


def test_no_one_asks_a_model_without_an_address(ringtrue: Command) -> None:
    done = ringtrue("run", "-d", "answers.jsonl", "-s", "things:up", "--judge-model", "m", check=64)
    assert "no evaluator asks the judge 'm'; add its address: --judge-url" in done.stderr


def test_an_interrupted_judgement_leaves_no_file_and_keeps_its_replies(folder: Path) -> None:
    write(folder / "many.jsonl", [chat(number) for number in range(120)])
    with JudgeEndpoint(says=YES) as judge:
        words = ["score", "many.jsonl", "-e", CRITERIA, "--judge-url", judge.base_url, "-o", "out.csv", "-q"]
        command = [sys.executable, "-m", "ringtrue", *words]
        running = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        while len(judge.asked) < 60:
            assert running.poll() is None
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        _, complained = running.communicate(timeout=60)
        assert running.returncode == 130
        assert complained.strip() == "ringtrue: interrupted; no output file was written"
        assert sorted(path.name for path in folder.glob("*out*")) == []
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        assert len(judge.asked) <= 240 + 16 * 2, "only what was in flight is asked again"
    assert len((folder / "out.csv").read_text().splitlines()) == 121
