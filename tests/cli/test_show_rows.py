"""`ringtrue show RUN` with rows: the failed, the broken, the worst, those of a score, and one case in full."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ringtrue.cli import main
from support.command import Done

ROWS = [
    {"id": f"c{n}", "question": f"What is {n}?", "answer": str(n), "good": f"It is {n}.", "bad": "It is nothing."}
    for n in range(30)
]
Command = Callable[..., tuple[str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one run of two systems on 30 cases."""
    place = tmp_path_factory.mktemp("shown")
    asked = "".join(json.dumps({key: row[key] for key in ("id", "question", "answer")}) + "\n" for row in ROWS)
    (place / "q.jsonl").write_text(asked)
    for name in ("good", "bad"):
        kept = "".join(json.dumps({"id": row["id"], "response": row[name]}) + "\n" for row in ROWS)
        (place / f"{name}.jsonl").write_text(kept)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        with pytest.raises(SystemExit) as ended:
            main(["run", "-d", "q.jsonl", "-s", "good=replay:good.jsonl", "-s", "bad=replay:bad.jsonl", "-q",
                  "-e", "answer_found", "-e", "answer_quality"])  # fmt: skip
    assert ended.value.code == 0
    return place


@pytest.fixture
def said(ringtrue: Callable[..., Done]) -> Command:
    return lambda *words, code=0: ringtrue(*words, check=code)[1:]


def test_failed_rows_show_what_was_asked_expected_and_answered(said: Command) -> None:
    out, _ = said("show", "last", "--failed")
    assert out.startswith("✗ failed  bad  c0  What is 0?\n    expected: 0\n    answer: It is nothing.\n")
    assert out.count("✗ failed") == 20
    assert out.endswith("… and 10 more\n")
    assert said("show", "last", "--failed", "-n", "100")[0].count("✗ failed") == 30
    assert [len(json.loads(said("show", "last", "--failed", *more, "--json")[0])) for more in ((), ("-n", "3"))] == [
        30,
        3,
    ]
    assert said("show", "last", "--errors")[0] == "no such rows\n"
    first = json.loads(said("show", "last", "--failed", "--json")[0])[0]["scores"]
    assert {name: score["threshold"] for name, score in first.items()} == {"answer_quality": 0.5, "answer_found": 0.33}


def test_the_worst_rows_are_as_many_as_asked_for(said: Command) -> None:
    out, _ = said("show", "last", "--worst", "3")
    assert re.findall(r"^✗ failed  bad  (\w+)", out, re.MULTILINE) == ["c0", "c1", "c2"]
    assert "more" not in out


@pytest.mark.parametrize(
    ("conditions", "rows"),
    [
        (["answer_found<0.5"], 30),
        (["answer_found >= 1"], 30),
        (["f1=0"], 30),
        (["answer_quality.f1>0.3", "answer_found>=1"], 30),
        (["f1>0.9"], 0),
    ],
)
def test_rows_by_their_scores(said: Command, conditions: list[str], rows: int) -> None:
    words = [word for condition in conditions for word in ("--where", condition)]
    assert len(json.loads(said("show", "last", *words, "--json")[0])) == rows


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("f1", "write a score, a sign and a number, such as 'f1<0.5'"),
        ("f1<high", "write a score, a sign and a number"),
        ("f1<nan", "write a score, a sign and a number"),
        ("answer_fount<1", "no score 'answer_fount' in this run; did you mean 'answer_found'?"),
        ("zzz<1", "no score 'zzz' in this run; there are "),
    ],
)
def test_a_condition_that_cannot_be_read_says_what_to_write(said: Command, condition: str, message: str) -> None:
    assert message in said("show", "last", "--where", condition, code=64)[1]


def test_a_case_in_full_has_both_answers_side_by_side_with_the_difference(said: Command) -> None:
    out, _ = said("show", "last", "--case", "c7")
    assert out.splitlines()[0] == "q.jsonl  c7"
    assert "question: What is 7?\nexpected: 7\n" in out
    assert "[-only in the first-]  {+only in the second+}" in out
    assert re.search(r"It is \[-7-\]\. +│ +It is \{\+nothing\+\}\.", out)
    assert re.search(r"✓ passed  answer_found 1\.00.* │ +✗ failed  answer_found 0\.00", out)
    assert max(map(len, out.splitlines())) <= 80
    assert "\x1b" not in out


def test_a_case_that_is_not_there_says_how_cases_are_called(said: Command) -> None:
    assert "no case 'x' among these rows; its cases are called like c0, c1" in said(
        "show", "last", "--case", "x", code=64
    )[1]  # fmt: skip


def test_list_runs_names_everything_in_80_columns(said: Command) -> None:
    head, line = said("list", "runs")[0].splitlines()
    assert re.fullmatch(r"run +age +dataset +systems +passed %, 95 % +at +rows +errors +cost", head)
    assert re.fullmatch(r"\w{6}  now  q\.jsonl  good \+1 +100\.0  88\.6–100\.0 +0\.33 +60 +0 +\S+", line)
    assert len(line) <= 80
