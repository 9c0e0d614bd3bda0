"""pass@k counts repeats of a case, and nothing else."""

from __future__ import annotations

import itertools

import pytest

from ringtrue import evaluate
from ringtrue.metrics import PassAtK
from ringtrue.records import EvalRow


def rows(*passes: tuple[int, int, bool]) -> list[EvalRow]:
    """(position, id, passed)."""
    return [EvalRow("s", case, {"score": float(passed)}, position=position) for position, case, passed in passes]


def test_rows_that_share_an_id_are_cases_of_their_own() -> None:
    """Two rows with one id once counted as two repeats of one case."""
    found = PassAtK(1).summarise(rows((0, 7, True), (1, 7, False)))
    assert (found["pass@1"].value, found["pass@1"].n, found["flaky"].value) == (0.5, 2, 0.0)
    assert PassAtK(2).summarise(rows((0, 7, True), (1, 7, False)))["pass@2"].skipped == 2


def test_repeats_of_one_case_count_together() -> None:
    found = PassAtK(2).summarise(rows((0, 7, True), (0, 7, False), (1, 8, True), (1, 8, True)))
    assert (found["pass@2"].value, found["pass^2"].value, found["flaky"].value) == (1.0, 0.5, 1.0)


def test_rows_made_by_hand_are_told_apart_by_their_ids() -> None:
    made = [EvalRow("s", case, {"score": 1.0}) for case in ("a", "a", 1, "1")]
    assert PassAtK(1).summarise(made)["pass@1"].n == 3


def test_in_a_run_with_repeated_ids() -> None:
    answers = itertools.cycle(["Q", "no"])
    dataset = [{"id": 1, "question": "a", "answer": "Q"}, {"id": 1, "question": "b", "answer": "Q"}]
    result = evaluate(
        lambda text: next(answers), dataset, ["exact_match"], [PassAtK(2, 0.7, "exact_match")], progress=False,
        store=None, repeats=2,
    )  # fmt: skip
    assert result.details["<lambda>"]["pass@2"].n == 2
    assert result.summary["<lambda>"]["flaky"] == pytest.approx(2.0)
