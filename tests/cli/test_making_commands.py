"""`ringtrue generate` and `ringtrue simulate`, as a user meets them: a real endpoint, real files, counted calls."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from support.command import Command
from support.judge_endpoint import JudgeEndpoint

TEXT = "The museum opens at ten. A ticket costs 12 euros. Children pay nothing.\n"
QUESTIONS = ["When does it open?", "What is a ticket?", "Who pays nothing?", "Where do dogs wait?"]
SAYS = {
    "question": lambda schema, at: QUESTIONS[at],
    "answer": "at ten",
    "context_excerpt": "The museum opens at ten.",
    "unfaithful_answer": "at nine",
    "goal_reached": False,
}
PEOPLE = [
    {"name": name, "profile": "p", "goal": "g", "success_criteria": "s", "traits": []} for name in ("Ada", "Bob", "Cy")
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "handbook.md").write_text(TEXT)
    (tmp_path / "people.jsonl").write_text("".join(json.dumps(one) + "\n" for one in PEOPLE))
    (tmp_path / "chatty.py").write_text("def answer(messages):\n    return f'Said {len(messages)}.'\n")
    return tmp_path


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_cases_are_made_that_run_takes_and_the_second_time_costs_nothing(folder: Path, ringtrue: Command) -> None:
    with JudgeEndpoint("chat", says=SAYS) as author:
        words = ["generate", "handbook.md", "-n", "3", "-o", "cases.jsonl", "--author-url", author.base_url]
        dry = ringtrue(*words, "--dry-run", "--json")
        assert json.loads(dry.stdout)["estimate"]["questions"] == 1
        assert "1 question to gpt-5, about" in dry.stderr
        assert "nothing was asked" in dry.stderr
        assert (author.asked, (folder / "cases.jsonl").exists()) == ([], False)
        first = ringtrue(*words)
        assert "accepted 3" in first.stderr
        assert "it took 1 calls" in first.stderr
        made = (folder / "cases.jsonl").read_bytes()
        again = json.loads(ringtrue(*words, "--json").stdout)
        assert (again["report"]["accepted"], again["spent"]["cache_hits"], again["output"]) == (3, 1, "cases.jsonl")
        assert len(author.asked) == 1
    assert (folder / "cases.jsonl").read_bytes() == made
    assert [row["input"] for row in rows(folder / "cases.jsonl")] == QUESTIONS[:3]
    ran = json.loads(
        ringtrue("run", "-d", "cases.jsonl", "-s", "chatty:answer", "-e", "contains(['Said'])", "--json", "-q").stdout
    )
    assert ran["rows"] == 3
    (folder / "made.suite.json").write_text(
        json.dumps({"system": "chatty:answer", "evaluators": ["not_empty"], "cases": "cases.jsonl"})
    )
    ringtrue("suite", "made.suite.json", "-q")


def test_a_folder_of_texts_without_an_output_goes_to_standard_output(folder: Path, ringtrue: Command) -> None:
    (folder / "texts" / "deep").mkdir(parents=True)
    for name in ("a.txt", "deep/b.RST", "c.png", ".hidden.md"):
        (folder / "texts" / name).write_text(f"{name}: write to a@example.com. {TEXT}")
    with JudgeEndpoint("chat", says=SAYS) as author:
        done = ringtrue("generate", "texts", "-n", "2", "--author-url", author.base_url)
        assert len(author.asked) == 2
    made = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["metadata"]["generation"]["source"] for row in made] == ["texts/a.txt"]
    assert "1 duplicates" in done.stderr
    assert "personal data, which the author is sent: 2 email" in done.stderr


def test_labelled_answers_for_calibrate(folder: Path, ringtrue: Command) -> None:
    with JudgeEndpoint("chat", says=SAYS) as author:
        url = ["--author-url", author.base_url]
        ringtrue("generate", "handbook.md", "-n", "2", "-o", "cases.jsonl", *url)
        ringtrue("generate", "cases.jsonl", "--kind", "twins", "-o", "twins.jsonl", *url)
    twins = rows(folder / "twins.jsonl")
    assert [(row["response"], row["label"]) for row in twins] == [("at ten", 1), ("at nine", 0)] * 2
    done = ringtrue("calibrate", "twins.jsonl", "-e", "contains(['ten'])", "--json")
    assert json.loads(done.stdout)["evaluators"]["contains"]["metrics"]["agreement"]["value"] == 1.0


def test_variants_need_no_model(folder: Path, ringtrue: Command) -> None:
    (folder / "cases.jsonl").write_text(
        '{"id": 7, "question": "Where is the museum?", "answer": "here", "choices": ["here", "there"], "tags": ["t"]}\n'
    )
    done = ringtrue("generate", "cases.jsonl", "--kind", "variants", "--vary", "slip", "--vary", "negated")
    slip, negated = (json.loads(line) for line in done.stdout.splitlines())
    assert (slip["expected_output"], slip["metadata"]["generation"]["source_id"]) == ("here", "7")
    assert (slip["choices"], slip["tags"]) == (["here", "there"], ["t"]), "what else a row holds stays"
    assert "choices" not in negated
    assert negated["input"] == "Where is not the museum?"
    assert "expected_output" not in negated
    assert "no endpoint" not in done.stderr
    dry = ringtrue("generate", "cases.jsonl", "--kind", "variants", "--dry-run", "-o", "v.jsonl")
    assert "need no model" in dry.stderr
    assert not (folder / "v.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["generate", "nothing.md"], 64, "cannot read 'nothing.md'"),
        (["generate", "."], 64, "holds no .txt"),
        (["generate", "empty.md"], 64, "no text to ask about"),
        (["generate", "binary.txt"], 64, "not UTF-8 text, from byte 0 on; convert it"),
        (["generate", "handbook.md", "--max-cost", "nan"], 64, "max_cost must be a number"),
        (["generate", "handbook.md", "--unanswerable", "nan"], 64, "unanswerable must be a number in [0, 1]"),
        (["generate", "nul.txt"], 64, "it holds NUL"),
        (["generate", "handbook.md", "-n", "100000000"], 64, "100000000 is not between 1 and 100000"),
        (["generate", "handbook.md", "--kind", "variants"], 64, "no case in 'handbook.md'; this kind needs cases"),
        (["generate", "handbook.md", "--kind", "variants", "--unanswerable", "0.5"], 64, "--unanswerable is for"),
        (["generate", "handbook.md", "--kind", "twins", "--weakness", "jailbreak"], 64, "--weakness is for"),
        (["generate", "handbook.md", "--vary", "slip"], 64, "--vary is for --kind variants"),
        (["generate", "people.jsonl", "--kind", "twins"], 64, "which a twin needs"),
        (["generate", "handbook.md", "--max-cost", "1"], 64, "--max-cost needs prices"),
        (["generate", "handbook.md"], 3, "wrote nothing that can be used"),
        (["simulate", "-s", "chatty:answer", "-o", "t.jsonl"], 64, "name the users: --personas FILE"),
        (["simulate", "-s", "chatty:answer", "-o", "t.jsonl", "--personas", "empty.md"], 64, "no personas"),
        (["simulate", "-s", "chatty:no", "-o", "t.jsonl", "--personas", "people.jsonl"], 64, "has no 'no'"),
        (["simulate", "-s", "chatty:answer", "-o", "t.jsonl", "--product", "handbook.md"], 3, "wrote nothing"),
        (["simulate", "-s", "chatty:answer", "-o", "t.jsonl", "--product", "empty.md"], 64, "it is empty"),
        (["simulate", "-s", "chatty:answer", "-o", "t.jsonl", "--product", "binary.txt"], 64, "not UTF-8 text"),
        (
            ["simulate", "-s", "chatty:answer", "-o", "people.jsonl", "--personas", "people.jsonl"],
            64,
            "this command reads",
        ),
        (
            ["simulate", "-s", "chatty:answer", "-o", "odd.jsonl", "--personas", "people.jsonl"],
            3,
            "--fresh to overwrite it",
        ),
        (["simulate", "-s", "chatty:answer", "-o", "t.jsonl", "--personas", "people.jsonl"], 3, "broke off"),
    ],
    ids=range(24),
)
def test_what_goes_wrong_is_said(folder: Path, ringtrue: Command, words: list[str], code: int, message: str) -> None:
    (folder / "odd.jsonl").write_text("oops\n{}\n")
    if words[:2] == ["generate", "."]:
        (folder / ".git").mkdir()
        (folder / "handbook.md").rename(folder / ".git" / "hidden.md")
    else:
        (folder / "empty.md").write_text(" \n")
        (folder / "binary.txt").write_bytes(b"\xff\xfeP\x00")
        (folder / "nul.txt").write_bytes(b"a\0b")

    class Mute(JudgeEndpoint):
        def text(self, body: dict[str, Any]) -> str:
            return "I would rather not."

    with Mute("chat") as author:
        done = ringtrue(*words, "--author-url", author.base_url, check=code)
    assert message in done.stderr


def test_conversations_are_held_kept_and_judged(folder: Path, ringtrue: Command) -> None:
    with JudgeEndpoint(says={**SAYS, "goal_achieved": True}) as author:
        url = ["--author-url", author.base_url]
        words = [
            "simulate",
            "-s",
            "chatty:answer",
            "--personas",
            "people.jsonl",
            "--max-turns",
            "2",
            "-o",
            "talks.jsonl",
            *url,
        ]
        dry = ringtrue(*words, "--dry-run")
        assert "9 questions to gpt-5" in dry.stderr
        long = ringtrue(*("1000" if word == "2" else word for word in words), "--dry-run")
        assert "3,003 questions to gpt-5, about 18" in long.stderr
        assert not author.asked
        done = ringtrue(*words)
        asked = len(author.asked)
        assert "goals: 3 of 3 achieved, 0 not judged" in done.stderr
        with (folder / "talks.jsonl").open("a") as file:
            file.write('{"id": "Ada", "messa')  # cut off by a crash
        again = ringtrue(*words, "--json")
        assert "3 conversations of talks.jsonl kept" in again.stderr
        assert json.loads(again.stdout)["goals"] == {"achieved": 3, "judged": 3}
        assert len(author.asked) == asked
        found = rows(folder / "talks.jsonl")
        assert sorted(row["id"] for row in found) == ["Ada", "Bob", "Cy"]
        assert [message["content"] for message in found[0]["messages"]][1::2] == ["Said 1.", "Said 3."]
        judged = ringtrue(
            "score",
            "talks.jsonl",
            "-e",
            "check_criteria(criteria=['It is short'])",
            "--json",
            "-q",
            "--judge-url",
            author.base_url,
        )
        assert json.loads(judged.stdout)["rows"] == 3
        made = ringtrue(
            "simulate",
            "-s",
            "chatty:answer",
            "--product",
            "handbook.md",
            "-n",
            "1",
            "--max-turns",
            "1",
            "-o",
            "t2.jsonl",
            *url,
        )
        assert "1 conversation in t2.jsonl" in made.stderr


class Slow(JudgeEndpoint):
    """Takes its time."""

    def text(self, body: dict[str, Any]) -> str:
        time.sleep(0.1)
        return super().text(body)


@pytest.mark.parametrize("command", ["generate", "simulate"])
def test_ctrl_c_loses_nothing(folder: Path, command: str) -> None:
    (folder / "long.md").write_text(" ".join(f"word{number}" for number in range(3_000)))
    given = {
        "generate": ["generate", "long.md", "-n", "30", "--piece-chars", "500", "-o", "out.jsonl"],
        "simulate": [
            "simulate",
            "-s",
            "chatty:answer",
            "--personas",
            "people.jsonl",
            "--max-turns",
            "3",
            "-o",
            "out.jsonl",
        ],
    }[command]
    with Slow("chat", says=SAYS) as author:
        words = [sys.executable, "-m", "ringtrue", *given, "--concurrency", "1", "--author-url", author.base_url]
        running = subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True)
        while len(author.asked) < 6:
            assert running.poll() is None
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        _, complained = running.communicate(timeout=60)
        assert running.returncode == 130, complained
        assert "the same command continues" in complained
        before = len(author.asked)
        again = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)
        whole = {"generate": 30, "simulate": 12}[command]
        assert len(author.asked) <= whole + 1, "only what was in flight is asked again"
        assert len(author.asked) > before
    assert len(rows(folder / "out.jsonl")) == (3 if command == "simulate" else 1), again.stderr
