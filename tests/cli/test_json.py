"""`--json` on every command: one JSON value on standard output, and nothing else there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

from ringtrue.cli import COMMANDS, main

SUITE = """
system = {{ command = "echo {said}" }}
fail_threshold = 1.0
evaluators = [{{ contains = ["yes"] }}]

[[cases]]
input = "q"
"""


def strict(text: str) -> Any:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = [{"id": number, "question": f"q{number}", "answer": f"Q{number}", "response": "x"} for number in range(3)]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "labels.jsonl").write_text('{"label": 1, "mine": 0.9}\n{"label": 0, "mine": 0.2}\n' * 3)
    (tmp_path / "good.suite.toml").write_text(SUITE.format(said="yes"))
    (tmp_path / "bad.suite.toml").write_text(SUITE.format(said="no"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capfd: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Any:
    capfd.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    out, err = capfd.readouterr()
    assert ended.value.code == code, err
    return strict(out)


RUN = ("run", "-d", "q.jsonl", "-s", "command:tr a-z A-Z", "-q")


@pytest.mark.parametrize(
    "words",
    [
        [*RUN, "--json"],
        ["score", "q.jsonl", "-e", "exact_match", "--json"],
        ["calibrate", "labels.jsonl", "--score-field", "mine", "--json"],
        ["suite", "good.suite.toml", "--json"],
        ["list", "evaluators", "--json"],
        ["list", "datasets", "--json"],
        ["list", "samples", "--json"],
        ["list", "runs", "--json"],
        ["explain", "answer_quality", "--json"],
        ["show", "dataset", "gsm8k", "--json"],
        ["init", "--json"],
    ],
    ids=" ".join,
)
def test_commands(folder: Path, capfd: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert said(capfd, *words) is not None


def test_commands_on_stored_runs(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    said(capfd, *RUN, "--max-tokens", "1", "--json", code=3)
    resumed = said(capfd, "resume", "last", "--json")
    assert resumed["rows"] == 3
    assert said(capfd, "show", "last", "--json") == resumed
    assert said(capfd, "export", "last", "--format", "json") == resumed
    again = said(capfd, "rescore", "last", "-e", "contains(['Q'])", "--json")
    assert [one["name"] for one in again["made"]["evaluators"]] == ["contains"]


def test_a_suite_whose_gate_stays_shut_is_printed_all_the_same(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert said(capfd, "suite", "bad.suite.toml", "--json", code=1)["made"]["datasets"][0]["name"] == "bad"
    with pytest.raises(SystemExit) as ended:
        main(["suite", "bad.suite.toml", "-o", "rows.jsonl"])
    assert ended.value.code == 1
    out, err = capfd.readouterr()
    assert err.count("gate failed") == 1, "once it was said twice"
    assert "contains" in out
    (row,) = [strict(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    assert row["scores"]["contains"]["passed"] is False


def test_the_list_command_hides_no_builtin(capfd: pytest.CaptureFixture[str]) -> None:
    """Its module is an attribute of the package that shows the help."""
    said(capfd, "list", "evaluators", "--json")
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "certify" in capfd.readouterr().out


@pytest.mark.heavy
def test_the_embedded_model(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert said(capfd, "local", "status", "--json")["ready"]
    assert said(capfd, "local", "install", "--json")["ready"]
    words = [sys.executable, "-m", "ringtrue", "local", "serve", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as serving:
        assert serving.stdout is not None
        printed = "".join(iter(serving.stdout.readline, "}\n")) + "}"
        os.kill(serving.pid, signal.SIGINT)
        assert serving.wait(30) == 0
    assert strict(printed)["base_url"].startswith("http://127.0.0.1:")


def commands() -> Iterator[list[str]]:
    for name in COMMANDS:
        command = import_module(f"ringtrue.cli.{name.replace('-', '_')}").command
        if isinstance(command, click.Group):
            yield from ([name, under] for under in command.commands)
        elif name != "export":
            yield [name]


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_every_command_has_it(capfd: pytest.CaptureFixture[str], words: list[str]) -> None:
    """`export` has `--format json`."""
    with pytest.raises(SystemExit):
        main([*words, "--help"])
    assert "--json" in capfd.readouterr().out
