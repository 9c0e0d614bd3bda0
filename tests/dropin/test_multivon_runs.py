"""Runs that end early where they are decided, options that are refused, and what a result says of its case."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest
from multivon_eval import Contains, EvalCase, EvalSuite, NotEmpty

from ringtrue.evaluators import EndsWith


def asked(**options: Any) -> tuple[list[int], list[int]]:
    turns = itertools.cycle(["ok", "bad"])
    questions: list[str] = []

    def model(question: str) -> str:
        questions.append(question)
        return next(turns) if question == "flaky" else "ok"

    suite = EvalSuite("s").add_cases([EvalCase("flaky"), EvalCase("stable")]).add_evaluators(Contains(["ok"]))
    report = suite.run(model, runs=10, verbose=False, **options)
    return [found.runs for found in report.case_results], [questions.count(name) for name in ("flaky", "stable")]


def test_a_case_is_not_asked_again_once_its_runs_have_decided(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(early_stop=True, workers=1) == ([10, 6], [10, 6])
    assert capsys.readouterr().err == ""


def test_where_cases_are_asked_at_once_none_ends_early(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(early_stop=True, workers=2) == ([10, 10], [10, 10])
    assert "early_stop requires workers=1; ignoring it" in capsys.readouterr().err
    assert asked(workers=1) == ([10, 10], [10, 10])


def test_a_result_names_the_case_that_was_given_and_not_what_became_of_it() -> None:
    case = EvalCase("x", metadata={"state": "before"})
    known = case.identity()

    class Model:
        def __call__(self, question: str) -> str:
            raise AssertionError("the case is asked for")

        def _call_with_case(self, given: EvalCase) -> str:
            given.metadata["state"] = "after"
            return "ok"

    [found] = EvalSuite("s").add_case(case).add_evaluator(NotEmpty()).run(Model(), verbose=False).case_results
    assert (found.case_id, found.case_digest, found.evidence_error) == (*known, None)


def test_a_case_that_json_cannot_hold_says_so() -> None:
    suite = EvalSuite("s").add_case(EvalCase("x", metadata={"opaque": object()})).add_evaluator(NotEmpty())
    for runs in (1, 2):
        [found] = suite.run(lambda question: "ok", runs=runs, verbose=False).case_results
        assert found.passed
        assert found.case_digest is None
        assert "TypeError" in (found.evidence_error or "")


@pytest.mark.parametrize("name", ["concurrency", "evaluator_concurrency"])
@pytest.mark.parametrize("value", [0, -1, True, 1.5, "2"], ids=repr)
def test_a_count_that_is_none_is_refused_by_its_name(name: str, value: Any) -> None:
    calls: list[str] = []

    async def model(question: str) -> str:
        calls.append(question)
        return "ok"

    suite = EvalSuite("s").add_case(EvalCase("x")).add_evaluator(NotEmpty())
    with pytest.raises(ValueError, match=f"^{name} must be a whole number"):
        asyncio.run(suite.run_async(model, verbose=False, **{name: value}))
    assert calls == []


@pytest.mark.parametrize("name", ["tracer", "judge_retry"])
def test_an_option_that_is_not_there_is_refused_by_its_name(name: str) -> None:
    calls: list[str] = []
    suite = EvalSuite("s").add_case(EvalCase("x")).add_evaluator(NotEmpty())
    with pytest.raises(ValueError, match=f"^{name} is not part of ringtrue-dropin"):
        suite.run(lambda question: calls.append(question) or "ok", verbose=False, **{name: object()})
    assert calls == []


def test_two_checks_of_ringtrue_with_one_name_are_refused_and_not_mixed_up() -> None:
    suite = EvalSuite("s").add_case(EvalCase("x")).add_evaluators(EndsWith("k"), EndsWith("o"))
    with pytest.raises(ValueError, match="ends_with"):
        suite.run(lambda question: "ok", verbose=False)
    named = EvalSuite("s").add_case(EvalCase("x")).add_evaluators(EndsWith("k"), EndsWith("o", name="ends in o"))
    assert named.run(lambda question: "ok", verbose=False).scores_by_evaluator() == {"ends_with": 1.0, "ends in o": 0.0}


def test_a_function_is_a_check() -> None:
    def short(output: str) -> bool:
        return len(output) < 3

    suite = EvalSuite("s").add_case(EvalCase("x")).add_evaluators(short, short)
    report = suite.run(lambda question: "ok", verbose=False)
    assert report.scores_by_evaluator() == {"short": 1.0, "short #2": 1.0}
