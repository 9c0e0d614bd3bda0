"""`Replay`: answers out of a file, by id."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.errors import InputError
from ringtrue.evaluators import ExactMatch
from ringtrue.systems.replay import Replay

CASES = [{"id": 1, "question": "a", "answer": "x"}, {"id": "1", "question": "b", "answer": "y"}]


def run(answers: list[dict[str, Any]], cases: Any = CASES, **options: Any) -> Any:
    settings = {"store": None, "progress": False, **options}
    return evaluate(Replay.of_rows(answers), cases, [ExactMatch()], **settings)


def test_ids_one_and_text_one_are_different() -> None:
    result = run([{"id": "1", "response": "y"}, {"id": 1, "response": "x"}])
    assert [row.scores for row in result.rows] == [{"exact_match": 1.0}] * 2


def test_rows_without_ids_answer_by_position() -> None:
    result = run(
        [{"output": "x"}, {"output": "y"}], [{"question": "a", "answer": "x"}, {"question": "b", "answer": "y"}]
    )
    assert [row.response for row in result.rows] == ["x", "y"]


def test_a_case_without_an_answer_is_an_error_row() -> None:
    result = run([{"id": 1, "response": "x"}])
    assert [row.status for row in result.rows] == ["ok", "system_error"]
    assert (
        result.rows[1].metadata["problem"]
        == "NoStoredAnswer: no stored answer for the case '1'; replay has answers for 1"
    )


def test_two_different_answers_to_one_case_are_refused() -> None:
    with pytest.raises(InputError, match="row 2 gives the case 1 a second, different answer"):
        Replay.of_rows([{"id": 1, "response": "x"}, {"id": 1, "response": "y"}])
    Replay.of_rows([{"id": 1, "response": "x"}, {"id": 1, "response": "x"}])


def test_another_file_is_another_plan(tmp_path: Any) -> None:
    store = str(tmp_path / "r.db")
    first = run([{"id": 1, "response": "x"}], store=store, max_errors=0)
    assert first.config["status"] == "stopped"
    other = run([{"id": 1, "response": "z"}], store=store, max_errors=0)
    assert other.config["run"] != first.config["run"]
    assert other.rows[0].response == "z"
