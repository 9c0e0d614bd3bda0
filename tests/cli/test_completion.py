"""Completion as a shell asks for it: environment variables in, one line for each offer out."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from support.command import ringtrue


def offered(cwd: Path, *words: str, shell: str = "bash") -> list[str]:
    """What a shell receives when Tab is pressed after the last of these words."""
    line = shlex.join(["ringtrue", *words[:-1]]) + " " + words[-1]
    asked = {"_RINGTRUE_COMPLETE": f"{shell}_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words))}
    done = subprocess.run(
        [sys.executable, "-m", "ringtrue"], capture_output=True, text=True, cwd=cwd, env={**os.environ, **asked}
    )
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("completion")
    (path / "q.jsonl").write_text('{"id": 1, "question": "a", "answer": "a"}\n')
    for store in ([], ["--store", "other.db"]):
        ringtrue("run", "-d", "q.jsonl", "-s", "same=command:cat", "-q", *store, cwd=path)
    return path


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["res"], ["plain,rescore", "plain,resume"]),
        (["run", "-d", "gsm"], ["file,gsm", "plain,gsm8k", "plain,gsm8k@sample"]),
        (["run", "--dataset", "mmlu-"], ["file,mmlu-", "plain,mmlu-pro"]),
        (["run", "-d", "gsm8k", "-e", "answer_q"], ["plain,answer_quality"]),
        (["score", "x.jsonl", "--evaluator", "check_"], ["plain,check_criteria"]),
        (["score", "nq"], ["file,nq", "plain,nq@sample"]),
        (["suite", "evals/"], ["file,evals/"]),
        (["show", "dataset", "gsm"], ["plain,gsm8k", "plain,gsm8k@sample"]),
        (["show", "dat"], ["file,dat", "plain,dataset"]),
        (["explain", "rouge_"], ["plain,rouge_l"]),
        (["local", "s"], ["plain,status", "plain,serve"]),
        (["run", "--fail-u"], ["plain,--fail-under"]),
        (["nonsense", "x"], []),
    ],
    ids=lambda value: " ".join(value),
)
def test_names(tmp_path: Path, words: list[str], wanted: list[str]) -> None:
    found = offered(tmp_path, *words)
    assert set(wanted) <= set(found)
    assert all(line.partition(",")[2].startswith(words[-1]) for line in found), "what does not fit is not offered"
    assert bool(wanted) == bool(found)
    assert [*tmp_path.iterdir()] == [], "a Tab makes no store"


@pytest.mark.parametrize(
    "words",
    [["show"], ["export"], ["rescore"], ["resume"], ["calibrate"], ["compare"], ["compare", "last"],
     ["suite", "x.toml", "--regrade"]],
    ids=" ".join,
)  # fmt: skip
def test_runs(folder: Path, words: list[str]) -> None:
    (run,) = json_runs(folder)
    found = offered(folder, *words, "")
    assert found[0] == "file,"
    assert {"plain,last", f"plain,{run}"} <= set(found)
    assert f"plain,{run}" in offered(folder, *words, run[:4])
    assert offered(folder, *words, "zzz") == ["file,zzz"]


def json_runs(folder: Path, *store: str) -> list[str]:
    return [run["id"] for run in json.loads(ringtrue("list", "runs", "--json", *store, cwd=folder).stdout)]


def test_runs_of_the_store_that_was_named(folder: Path) -> None:
    (run,) = json_runs(folder, "--store", "other.db")
    assert offered(folder, "show", "--store", "other.db", run[:6]) == [f"file,{run[:6]}", f"plain,{run}"]
    assert offered(folder, "show", "--store", "missing.db", run[:6]) == [f"file,{run[:6]}"]
    assert not (folder / "missing.db").exists()


def test_a_shell_that_shows_help_hears_what_a_run_is(folder: Path) -> None:
    (run,) = json_runs(folder)
    assert f"plain\n{run}\nq.jsonl, same" in "\n".join(offered(folder, "show", run[:6], shell="zsh"))


def test_the_script_that_a_shell_reads(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ringtrue"], capture_output=True, text=True,
        env={**os.environ, "_RINGTRUE_COMPLETE": "bash_source"},
    )  # fmt: skip
    assert "_RINGTRUE_COMPLETE=bash_complete" in done.stdout


def test_completing_a_command_loads_no_command(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom ringtrue.cli import main\n"
        "try: main([])\nexcept SystemExit: print([name for name in sys.modules if name.startswith('ringtrue.cli.')])"
    )
    asked = {"_RINGTRUE_COMPLETE": "bash_complete", "COMP_WORDS": "ringtrue s", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **asked}, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert "plain,score" in done.stdout
