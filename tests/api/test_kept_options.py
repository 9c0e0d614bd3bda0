"""A run keeps the options it was made with, whatever job made it, and its page shows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringtrue import EvalCase, EvalSuite, evaluate, rescore
from ringtrue.api.score_file import score_file
from ringtrue.evaluators import NotEmpty
from ringtrue.records import Run
from ringtrue.reports.pages.run_report import run_page

ROWS = [{"q": "1 + 1", "answer": "2", "response": "2"}, {"q": "1 + 2", "answer": "3", "response": "4"}]
MAPPING = {"input": "q"}


def _answer(question: str) -> str:
    return "2"


def _evaluated(**options: Any) -> Run:
    return evaluate(
        _answer, ROWS, evaluators="exact_match", mapping=MAPPING, max_examples=1, progress=False, **options
    ).run


def _scored(**options: Any) -> Run:
    return score_file(ROWS, "exact_match", mapping=MAPPING, limit=1, **options)


def _suite(**options: Any) -> Run:
    suite = EvalSuite("sums").add_cases([EvalCase(row["q"], row["answer"]) for row in ROWS]).add_evaluators(NotEmpty())
    return suite.run(_answer, limit=1, verbose=False, **options).run


@pytest.mark.parametrize("job", [_evaluated, _scored, _suite])
def test_a_run_keeps_the_options_that_are_not_as_usual(job: Callable[..., Run], tmp_path: Path) -> None:
    """`made.options` had neither the limit nor a time-out, and the page showed no option at all."""
    store = f"sqlite:///{tmp_path / 'runs.db'}"
    run = job(timeout=5, max_tokens=2_000, store=store)
    kept = run.made.options
    assert (kept["limit"], kept["timeout"], kept["max_tokens"]) == (1, 5, 2_000)
    assert "max_errors" not in kept
    assert "judge_timeout" not in kept
    page = run_page(run)
    assert "limit 1" in page
    assert "timeout 5.00 s" in page
    assert "max tokens 2000" in page


def test_a_rescored_run_has_its_own_options(tmp_path: Path) -> None:
    """The time-out of the answers is not one of the new scores."""
    store = f"sqlite:///{tmp_path / 'runs.db'}"
    earlier = _evaluated(timeout=5, store=store)
    own = {"max_errors": 3, "max_workers": 7, "limit": 2, "mapping": {"expected": "response"}}
    again = rescore(earlier.id, ["not_empty"], store=store, progress=False, **own)
    assert again.made.options == {**own, "repeats": 1, "rescored_from": earlier.id}
