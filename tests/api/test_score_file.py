"""`score_file` takes what a user has at hand, and refuses what cannot work before the first row."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ringtrue import score_file
from ringtrue.errors import ConfigurationError


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
