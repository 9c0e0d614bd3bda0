"""The `context-bench` command: documented flags, reports and exits, against a real endpoint."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from context_bench.__main__ import _derive_name, _load_dataset, build_parser, main

from support.endpoint import EndpointServer


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    rows = [
        {"id": number, "question": f"[[{said}]]", "answer": "Paris"} for number, said in enumerate(["Paris", "Rome"])
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


PROXY = ["--proxy", "http://localhost:7878"]


def test_flags_and_defaults() -> None:
    args = build_parser().parse_args([*PROXY, "--dataset", "hotpotqa"])
    assert vars(args) == {
        "proxy": ["http://localhost:7878"], "name": None, "dataset": ["hotpotqa"], "model": "gpt-4",
        "max_examples": None, "output": "table", "score_field": "f1", "threshold": 0.7, "judge_url": None,
        "judge_model": "gpt-4", "max_workers": None, "cache_dir": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    "words", [PROXY, ["--dataset", "gsm8k"], [*PROXY, "--dataset", "x", "--output", "xml"]], ids=str
)
def test_a_wrong_command_line_exits_with_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2


@pytest.mark.parametrize(
    ("dataset", "words"),
    [("nonexistent", "^Unknown dataset"), ("hotpotqa:x", "does not accept a :config suffix")],
    ids=["name", "config"],
)
def test_a_wrong_dataset_exits(dataset: str, words: str) -> None:
    with pytest.raises(SystemExit, match=words):
        _load_dataset(dataset, max_examples=None)


def test_no_examples_exits(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(SystemExit, match="No examples loaded"):
        main([*PROXY, "--dataset", str(tmp_path / "empty.jsonl")])


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://localhost:7878", "localhost"),
        ("http://host.example/v1", "host.example"),
        ("http://10.0.0.1:8", "10.0.0.1"),
    ],
    ids=["port", "path", "number"],
)
def test_names_from_addresses(url: str, name: str) -> None:
    assert _derive_name(url) == name


def run(server: EndpointServer, *words: str, proxies: int = 1) -> None:
    main([*["--proxy", server.base_url] * proxies, *words])


def test_json(server: EndpointServer, questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(server, "--dataset", str(questions), "--output", "json", "--threshold", "0.5", "--max-workers", "2")
    shown: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert [row["system"] for row in shown["rows"]] == ["127.0.0.1"] * 2
    assert {row["dataset"] for row in shown["rows"]} == {str(questions)}
    assert [row["scores"]["f1"] for row in shown["rows"]] == [1.0, 0.0]
    assert shown["summary"]["127.0.0.1"]["pass_rate"] == 0.5
    assert list(shown["summary"]["127.0.0.1"]) == [
        "mean_score", "pass_rate", "compression_ratio", "mean_input_tokens", "mean_output_tokens", "cost_of_pass",
        "num_passing", "latency_mean", "latency_median", "latency_p95", "latency_p99",
    ]  # fmt: skip


def test_table_and_page(server: EndpointServer, questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(server, "--dataset", str(questions), "--name", "mine")
    table = capsys.readouterr().out
    assert "# Evaluation Results" in table
    assert "| mine |" in table
    assert "mean_score" in table
    run(server, "--dataset", str(questions), "--output", "html")
    assert capsys.readouterr().out.startswith("<!DOCTYPE html>")


def test_several_proxies_and_datasets(
    server: EndpointServer, questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(questions.read_text())
    words = ("--dataset", str(questions), "--dataset", str(other), "--output", "json", "-n", "1")
    run(server, *words, "--name", "a", "--name", "b", proxies=2)
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert set(summary) == {"a", "b"}
    assert summary["a"][f"dataset:{questions}"] == 1.0
    assert {numbers["pareto_rank"] for numbers in summary.values()} <= {1.0, 2.0}


def test_two_ports_of_one_host_have_names_of_their_own(
    server: EndpointServer, questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with EndpointServer() as second:
        main(["--proxy", server.base_url, "--proxy", second.base_url, "--dataset", str(questions), "--output", "json"])
    assert set(json.loads(capsys.readouterr().out)["summary"]) == {
        f"127.0.0.1:{server.port}",
        f"127.0.0.1:{second.port}",
    }


def test_another_model_is_another_question(server: EndpointServer, questions: Path, tmp_path: Path) -> None:
    server.plan()
    for model in ("one", "one", "two"):
        run(server, "--dataset", str(questions), "--model", model, "--cache-dir", str(tmp_path / "cache"))
    assert server.stats()["requests"] == 4


def test_rows_without_an_answer_are_shown_and_fail_the_command(
    server: EndpointServer, questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.plan(sequence=["400"])
    with pytest.raises(SystemExit, match="1 of 2 rows have no answer; the first: HTTP 400"):
        run(server, "--dataset", str(questions), "--output", "json")
    assert len(json.loads(capsys.readouterr().out)["rows"]) == 2
    server.plan()


def test_a_judge_rates_every_row_once(
    server: EndpointServer, questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {"status": 200, "headers": {}, "body": json.dumps({"choices": [{"message": {"content": "4"}}]})}
    with EndpointServer(sequence=["raw"] * 40, raw=said) as judge:
        words = ("--judge-url", judge.base_url, "--judge-model", "j", "--cache-dir", str(tmp_path / "cache"))
        for _ in range(2):
            asked = judge.stats()["requests"]
            run(server, "--dataset", str(questions), "--output", "json", "--score-field", "judge_score", *words)
            shown = json.loads(capsys.readouterr().out)
            assert [row["scores"]["judge_score"] for row in shown["rows"]] == [0.75, 0.75]
        assert judge.stats()["requests"] == asked


def test_an_unknown_score_field_is_said(server: EndpointServer, questions: Path) -> None:
    with pytest.raises(SystemExit, match="'typo', which no evaluator gives"):
        run(server, "--dataset", str(questions), "--score-field", "typo")


def test_the_module_is_a_command() -> None:
    command = [sys.executable, "-m", "context_bench", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "--judge-url" in done.stdout
