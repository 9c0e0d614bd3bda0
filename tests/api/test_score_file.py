"""`score_file` takes what a user has at hand, and refuses what cannot work before the first row."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from ringtrue import evaluate, open_run, rescore, score_file
from ringtrue.errors import ConfigurationError
from ringtrue.reports.row_file import write_rows


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"answer": "Lima", "response": "Lima"}) + "\n")
    return path


def test_one_path_and_one_spec_need_no_list(answers: Path) -> None:
    assert score_file(answers, "exact_match").summary("exact_match").value == 1.0


def test_a_function_that_cannot_travel_is_refused_at_once(answers: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"cannot be sent to other processes .* or use workers=1"):
        score_file(answers, [lambda output: True], workers=2)
    assert len(score_file(answers, [lambda output: True]).rows) == 1


def test_an_evaluator_that_leaves_costs_its_own_score_alone(answers: Path) -> None:
    def leaves(output: str) -> bool:
        raise SystemExit("no licence")

    run = score_file(answers, ["exact_match", leaves])
    assert run.summary("exact_match").value == 1.0
    assert (run.summary("leaves").errors, run.summary("leaves").value) == (1, None)


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def said(rows: Iterable[str]) -> list[dict[str, Any]]:
    """Answers without ids; those that say Lima are right."""
    return [{"question": f"{place}?", "answer": "Lima", "response": one} for place, one in enumerate(rows)]


@pytest.mark.parametrize("store", [None, "kept.db"], ids=["not kept", "kept"])
def test_rows_of_several_files_are_numbered_through(store: str | None, tmp_path: Path) -> None:
    """A row of one file is never taken for a repeat of the row at its place in another."""
    files = [write_lines(tmp_path / f"{name}.jsonl", said(["Lima", "Rome", "Lima"])) for name in "ab"]
    kept = {} if store is None else {"store": str(tmp_path / store)}
    run = score_file(files, "exact_match", output=tmp_path / "rows.jsonl", **kept)
    again = open_run(tmp_path / "rows.jsonl")
    assert [row.position for row in again.rows] == [row.trial.case.id for row in again.rows] == [*range(6)]
    assert again.summary("exact_match") == run.summary("exact_match")
    assert run.summary("exact_match").method == "wilson"


def test_a_broken_line_of_a_later_file_is_named_by_its_own_place(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "a.jsonl", said(["Lima"]))
    second = tmp_path / "b.jsonl"
    second.write_text('{"answer": "Lima", "response": "Lima"}\n{broken\n{"answer": "Lima"}\n')
    run = score_file([first, second], "exact_match")
    assert [problem.where for problem in run.first_problems] == [f"{second}:2", f"{second}:3"]
    assert [row.position for row in score_file([first, second], "exact_match", limit=2).rows] == [0, 1]


def moody(case: dict[str, Any]) -> str:
    if case["id"] == "down":
        raise ConnectionError("database is down")
    return str(case["answer"][0])


@pytest.mark.parametrize("ending", [".jsonl", ".parquet", ".csv"])
@pytest.mark.parametrize("evaluator", ["exact_match", "answer_quality"])
def test_rows_that_a_run_wrote_are_scored_as_what_they_are(ending: str, evaluator: str, tmp_path: Path) -> None:
    """A row without an answer is an error, repeats of a case are one piece of evidence, golds stay what they are."""
    cases = [
        {"id": "up", "question": "?", "answer": ["Lima", "Lima, Peru"] if ending != ".csv" else ["Lima"]},
        {"id": "down", "question": "!", "answer": ["Quito"]},
    ]
    asked = evaluate(lambda example: moody(example), cases, [evaluator], repeats=3, store=None, progress=False)
    write_rows(tmp_path / f"rows{ending}", asked.run.rows, asked.run.made)
    again = score_file(tmp_path / f"rows{ending}", evaluator)
    key = "f1" if evaluator == "answer_quality" else evaluator
    first, second = asked.run.summary(key), again.summary(key)
    assert (second.value, second.n, second.errors, second.interval) == (1.0, 3, 3, first.interval)
    assert [(row.position, row.repeat) for row in again.rows] == [(case, time) for case in (0, 1) for time in range(3)]


def test_rows_that_a_run_wrote_keep_their_fields_and_take_a_mapping(tmp_path: Path) -> None:
    case = {"id": 1, "question": "?", "answer": "A", "choices": ["Lima", "Rome"], "correct_letter": "A", "gold": "Rome"}
    asked = evaluate(lambda question: "A", [case], ["multiple_choice"], store=None, progress=False)
    write_rows(tmp_path / "rows.jsonl", asked.run.rows, asked.run.made)
    assert score_file(tmp_path / "rows.jsonl", "multiple_choice").summary("mc_accuracy").value == 1.0
    mapped = {"expected": "gold"}
    assert score_file(tmp_path / "rows.jsonl", "exact_match", mapping=mapped).summary("exact_match").value == 0.0


def test_files_of_rows_that_were_put_together_keep_every_row(tmp_path: Path) -> None:
    """A case that one system answered in both is asked twice; another case at its place has a place of its own."""
    text = ""
    for ids, answer in (([1, 2], "Lima"), ([1, 3], "Rome")):
        cases = [{"id": one, "question": f"{one}?", "answer": "Lima"} for one in ids]
        asked = evaluate(lambda question, said=answer: said, cases, ["exact_match"], store=None, progress=False)
        write_rows(tmp_path / "rows.jsonl", asked.run.rows, asked.run.made)
        text += (tmp_path / "rows.jsonl").read_text()
    (tmp_path / "both.jsonl").write_text(text)
    store = f"sqlite:///{tmp_path}/kept.db"
    run = rescore(tmp_path / "both.jsonl", ["exact_match"], store=store, progress=False)
    kept = open_run(run.id, store)
    found = [(row.trial.case.id, row.position, row.repeat, row.trial.output.text) for row in kept.rows]
    assert sorted(found) == [(1, 0, 0, "Lima"), (1, 0, 1, "Rome"), (2, 1, 0, "Lima"), (3, 2, 0, "Rome")]
    assert kept.summary("exact_match") == run.summary("exact_match")


def test_only_rows_that_ringtrue_wrote_have_errors_in_place_of_answers() -> None:
    """A field named `error` of other rows is theirs: an answer that is not there failed."""
    row = {"id": 1, "question": "q", "answer": "Paris", "response": "", "error": "timeout"}
    own = {**row, "row": 1, "system": "s", "repeat": 0, "problem": "no answer within 1 s"}
    for found, counts in ((row, (1, 1, 0)), (own, (0, None, 1))):
        share = score_file([found], ["exact_match"]).summary("pass_rate")
        assert (share.n, share.failed or None, share.errors) == counts
