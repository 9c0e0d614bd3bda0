"""RUN means the same everywhere: a stored id, its beginning, `last`, or a file of rows that a command wrote."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringtrue.cli import main
from support.command import Done

ROWS = [
    {"id": n, "question": f"q{n}", "answer": "a" if n % 3 else "b", "response": "a", "human_label": n % 2}
    for n in range(12)
]
KINDS = ["id", "beginning", "last", "rows.jsonl", "rows.parquet"]

Command = Callable[..., str]


@pytest.fixture
def said(ringtrue: Callable[..., Done]) -> Command:
    return lambda *words, code=0: ringtrue(*words, check=code).stdout


@pytest.fixture
def named(said: Command, tmp_path: Path) -> dict[str, str]:
    """How a finished run of 12 rows is named in the store; its rows are in two files, too."""
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    words = ["run", "-d", "q.jsonl", "-s", "kept=replay:q.jsonl", "-e", "exact_match", "-q"]
    said(*words, "-o", "rows.jsonl")
    said("export", "last", "-f", "parquet", "-o", "rows.parquet")
    (run,) = json.loads(said("list", "runs", "--json"))
    return {"id": run["id"], "beginning": run["id"][:5]}


@pytest.fixture
def run_name(named: dict[str, str], kind: str) -> str:
    return named.get(kind, kind)


def share(found: dict[str, Any], key: str = "pass_rate") -> tuple[float, int]:
    ((own,),) = ([*systems.values()] for systems in found["summaries"].values())
    return own[key]["value"], own[key]["n"]


@pytest.mark.parametrize("kind", KINDS)
def test_show(said: Command, run_name: str) -> None:
    found = json.loads(said("show", run_name, "--json"))
    assert found["rows"] == 12
    assert share(found) == (pytest.approx(8 / 12), 12)
    assert found["made"]["systems"][0]["name"] == "kept"
    assert found["made"]["evaluators"][0]["threshold"] == 1.0
    assert "q.jsonl   exact_match, passes at 1.00" in said("show", run_name)
    failed = said("show", run_name, "--failed")
    assert failed.count("✗ failed") == 4
    assert "✓" not in failed


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", ["json", "jsonl", "csv", "junit", "markdown", "html"])
def test_export(said: Command, run_name: str, format: str) -> None:
    text = said("export", run_name, "-f", format)
    if format == "json":
        assert json.loads(text)["rows"] == 12
    elif format == "jsonl":
        rows = [json.loads(line) for line in text.splitlines()]
        assert [(row["id"], row["system"], row["response"]) for row in rows] == [(n, "kept", "a") for n in range(12)]
        assert [row["scores"]["exact_match"]["passed"] for row in rows] == [bool(n % 3) for n in range(12)]
    elif format == "csv":
        assert len(text.splitlines()) == 13
    elif format == "junit":
        assert 'tests="12"' in text
        assert 'failures="4"' in text
    else:
        assert "66.7" in text


@pytest.mark.parametrize("kind", KINDS)
def test_rescore(said: Command, run_name: str) -> None:
    found = json.loads(said("rescore", run_name, "-e", "contains(['a'])", "-e", "answer_quality", "--json"))
    assert found["made"]["job"] == "rescore"
    assert share(found, "answer_quality.contains") == (pytest.approx(8 / 12), 12)
    assert share(found, "contains.contains") == (1.0, 12)


@pytest.mark.parametrize("kind", KINDS)
def test_compare(said: Command, run_name: str) -> None:
    for words in ((run_name, "last"), ("rows.jsonl", run_name)):
        found = json.loads(said("compare", *words, "--json", "--fail-on-regression"))
        assert (found["pairs"][0]["lost"], found["pairs"][0]["gained"]) == ([], [])


@pytest.mark.parametrize("kind", KINDS)
def test_calibrate(said: Command, run_name: str) -> None:
    found = json.loads(said("calibrate", run_name, "-e", "exact_match", "--label", "human_label", "--json"))
    assert (found["rows"], found["labelled"]) == (12, 12)
    counts = found["evaluators"]["exact_match"]["counts"]
    assert counts == {"true_positives": 4, "false_positives": 4, "false_negatives": 2, "true_negatives": 2}


@pytest.mark.parametrize(
    "words",
    [["show"], ["export", "-f", "csv"], ["rescore", "-e", "not_empty"], ["calibrate", "-e", "not_empty"],
     ["compare", "last"], ["resume"]],
    ids=" ".join,
)  # fmt: skip
def test_a_run_that_is_not_there(
    said: Command, named: object, words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    for name, complaint in (("zzz", "there is no run 'zzz'"), ("missing.jsonl", "missing.jsonl")):
        with pytest.raises(SystemExit) as ended:
            main([*words, name])
        assert ended.value.code == 64
        assert complaint in capfd.readouterr().err


def test_rows_of_several_files_are_cases_of_their_own(said: Command, tmp_path: Path) -> None:
    """Each file numbers its rows from 1; no case is taken for another one's repeat, and none is lost."""
    for name, answer in (("a", "A"), ("b", "x")):
        row = {"id": name, "question": name, "answer": name.upper(), "response": answer}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    said("score", "a.jsonl", "b.jsonl", "-e", "exact_match", "-o", "both.jsonl", "-q")
    assert "2 cases paired" in said("compare", "both.jsonl", "both.jsonl")
    said("view", "both.jsonl", "--bundle", "pages")
    assert len([*(tmp_path / "pages").glob("case-*.html")]) == 2
