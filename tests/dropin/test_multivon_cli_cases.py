"""The command line: the demonstration, and cases made, assessed and read."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from multivon_eval import EvalCase, load_jsonl, load_traces, save_jsonl
from multivon_eval import __main__ as starting

from support.multivon_cli import Run, runs
from support.saying import SayingEndpoint


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command: its exit code, what it printed and what it complained about."""
    return runs(capsys)


def test_the_demo_needs_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["multivon_eval"])
    monkeypatch.setattr(starting, "_detect_judge", lambda: ("", "", ""))
    starting.main()
    out = capsys.readouterr().out
    assert "not detected" in out
    assert "4 of 6" in out or "66.7%" in out


def sensible(prompt: str) -> str:
    if "Answer with the word ok" in prompt:
        return "ok"
    return '["Is it short?"]' if "[[[criterion " in prompt else "Yes"


def test_the_demo_asks_a_judge_that_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with SayingEndpoint(sensible) as endpoint:
        monkeypatch.setattr(starting, "_detect_judge", lambda: ("openai", "m", endpoint.base_url))
        starting._run_demo()
    out = capsys.readouterr().out
    assert out.startswith("judge: m\n")
    assert "relevance" in out


def test_the_demo_ends_without_a_judge_that_fails_on_the_way(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(starting, "_detect_judge", lambda: ("openai", "m", "http://127.0.0.1:1/v1"))
    monkeypatch.setattr(starting, "_problem", lambda config: "")  # it answered the first question
    starting._run_demo()
    assert "again with the deterministic checks" in capsys.readouterr().out


def test_the_demo_does_without_a_judge_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(starting, "_detect_judge", lambda: ("openai", "m", "http://127.0.0.1:1/v1"))
    starting._run_demo()
    assert "does not answer" in capsys.readouterr().out


def test_a_judge_is_found_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(starting, "_listens", lambda port: port == 1234)
    assert starting._detect_judge() == ("openai", "llama3", "http://localhost:1234/v1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://x/v1")
    assert starting._detect_judge()[2] == "http://x/v1"
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    assert starting._detect_judge()[0] == "anthropic"


def test_generate_varies_cases_and_fills_in_templates(tmp_path: Path, run: Run) -> None:
    given, made = tmp_path / "given.jsonl", tmp_path / "made.jsonl"
    save_jsonl([EvalCase("Please send the blue book back to me today.", "yes")], given)
    code, out, _ = run("generate", "--mutate", given, "--mutations", "typo_noise", "--seed", "3", "-o", made)
    assert (code, "accepted 1" in out) == (0, True)
    [case] = load_jsonl(made)
    assert (case.input != "Please send the blue book back to me today.", case.expected_output) == (True, None)
    axes = json.dumps({"item": ["a book", "a lamp"], "day": ["Monday", "Friday"]})
    code, out, _ = run("generate", "--template", "Send {item} on {day}", "--axes", axes)
    assert (code, out.count("Send a")) == (0, 4)


@pytest.mark.parametrize(
    ("words", "code", "problem"),
    [
        ([], 1, "one generation mode"),
        (["--text", "t", "--mutate", "m"], 1, "one generation mode"),
        (["--text", "t"], 1, "API_KEY"),
        (["--contrast", "nothing.jsonl"], 1, "nothing.jsonl"),
        (["--template", "{a}"], 1, "--axes"),
        (["--template", "{a}", "--axes", "{"], 1, "multivon-eval: "),
        (["--mutate", "nothing.jsonl"], 1, "nothing.jsonl"),
        (["--mutate", "nothing.jsonl", "--mutations", "magic"], 1, "multivon-eval: "),
    ],
    ids=range(8),
)
def test_generate_says_what_is_wrong(
    words: list[str], code: int, problem: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "JUDGE_PROVIDER"):
        monkeypatch.delenv(name, raising=False)
    found, out, said = run("generate", *words)
    assert (found, out) == (code, "")
    assert problem in said


def test_assess_looks_at_what_cases_would_be_made_of(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "traces.jsonl"
    rows = [{"query": f"question {n} about {n * 7}", "answer": f"a {n}", "documents": f"d {n}"} for n in range(25)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, out, _ = run("assess", path)
    assert (code, "PROCEED" in out) == (0, True)
    code, out, _ = run("assess", path, "--for", "generate")
    assert code in (0, 1)
    path.write_text('{"input": "q"}\n')
    code, out, _ = run("assess", path)
    assert (code, "WARN" in out) == (1, True)
    assert run("assess", path, "--for", "cases")[0] == 1
    assert run("assess", tmp_path / "nothing.jsonl")[0] == 2


def test_traces_of_other_tools(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('\ufeff# dump\n\n{"prompt": "q", "completion": "a"}\n// more\n{"output": "b"}\n{"input": "cut o')
    assert load_traces(path) == [{"prompt": "q", "completion": "a", "input": "q", "output": "a"}]
    said = capsys.readouterr().err
    assert "final line is malformed" in said
    assert "1 without an input" in said
    for text in ('{"input": 1}\n[1]\n{"input": 2}', '{"input": 1}\n{\n{"input": 2}'):
        path.write_text(text)
        with pytest.raises(ValueError, match=r"t\.jsonl:2: malformed"):
            load_traces(path)
    path.write_text('{"input": "q"}\n' * 10_001)
    assert len(load_traces(path, verbose=False)) == 10_000
    assert "truncated to first 10,000" in capsys.readouterr().err
