"""Two reports of multivon-eval side by side: cases are paired by what they are, and chance is told from change."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from multivon_eval import (
    CaseResult,
    EvalCase,
    EvalReport,
    EvalResult,
    EvalSuite,
    ExactMatch,
    Experiment,
    NotEmpty,
    compare_reports,
    list_experiments,
)


def report(*right: int, cases: int = 6, fn: Callable[[str], str] | None = None, name: str = "s") -> EvalReport:
    """A report of cases q0, q1 …, of which those with these numbers pass."""
    questions = [EvalCase(f"q{number}", expected_output="a") for number in range(cases)]
    suite = EvalSuite(name, model_id="m").add_cases(questions).add_evaluators(ExactMatch(), NotEmpty())
    return suite.run(fn or (lambda question: "a" if int(question[1:]) in right else "b"), verbose=False)


def test_what_changed() -> None:
    found = report(0, 1).compare(report(1, 2, 3, 4))
    assert [case.direction for case in found.paired] == [
        "regressed", "unchanged", "improved", "improved", "improved", "unchanged",
    ]  # fmt: skip
    assert [case.case_input for case in found.regressions] == ["q0"]
    assert [case.score_delta for case in found.improvements] == [0.5, 0.5, 0.5]
    assert len(found.unchanged) == 2
    assert (found.mcnemar_p, found.identity_issues) == (0.625, [])
    assert found.pass_rate_delta == pytest.approx(1 / 3)
    assert found.avg_score_delta == pytest.approx(1 / 6)
    assert (found.errors_delta, found.flaky_delta) == (0, 0)


def test_the_record_has_the_originals_keys_and_numbers() -> None:
    found = compare_reports(report(0, 1), report(1, 2, 3, 4)).to_dict()
    assert found["baseline"] == {
        "name": "s", "pass_rate": pytest.approx(1 / 3), "avg_score": pytest.approx(2 / 3), "errors": 0, "flaky": 0,
    }  # fmt: skip
    assert found["deltas"]["pass_rate"] == pytest.approx(1 / 3)
    assert (found["paired_count"], found["added_count"], found["removed_count"]) == (6, 0, 0)
    assert (found["identity_verified"], found["mcnemar_p"]) == (True, 0.625)
    assert found["regressions"] == [
        {
            "input": "q0",
            "case_id": "sha256:f779349de54060ea3ade0f14f7f7583bcdc5c97dcc5c58094c5fc1b83af9cd4a",
            "baseline_status": "passed",
            "proposal_status": "failed_quality",
            "baseline_score": 1.0,
            "proposal_score": 0.5,
        }
    ]
    assert json.loads(json.dumps(found)) == found


def test_words() -> None:
    found = compare_reports(report(0, 1), report(1, 2, 3, 4))
    change = "passed -> failed_quality (1.00 -> 0.50)"
    for text, case in ((found.to_text(), f"  - q0  {change}"), (found.to_markdown(), f"- `q0`  {change}")):
        for words in ("Regressions (1)", "Improvements (3)", case, "p = 0.6250"):
            assert words in text
    assert "Pass rate: 0.333 -> 0.667 (+0.333)" in found.to_text()
    assert "| Errors | 0 | 0 | +0 |" in found.to_markdown()
    assert "Improvements" not in found.to_text(regressions_only=True)
    assert "a difference" in compare_reports(report(), report(0, 1, 2, 3, 4, 5)).to_text()


def test_errors_and_skips_change_nothing() -> None:
    def down(question: str) -> str:
        raise ValueError("down")

    found = report(0).compare(report(fn=down))
    assert {case.direction for case in found.paired} == {"unchanged"}
    assert (found.mcnemar_p, found.errors_delta) == (None, 6)
    assert "not made" in found.to_text()


def test_cases_come_and_go() -> None:
    found = report(0, cases=2).compare(report(0, cases=3))
    assert ([case.case_input for case in found.added], found.removed) == (["q2"], [])
    assert [case.case_input for case in report(cases=3).compare(report(cases=2)).removed] == ["q2"]


def test_cases_that_cannot_be_told_apart_are_not_paired() -> None:
    case = EvalCase("q", expected_output="a")
    suite = EvalSuite("s").add_cases([case, case]).add_evaluator(ExactMatch())
    twice = suite.run(lambda question: "a", verbose=False)
    found = twice.compare(twice)
    assert (found.paired, found.mcnemar_p) == ([], None)
    assert found.identity_issues == [
        "Duplicate: 2 cases of the baseline cannot be told apart",
        "Duplicate: 2 cases of the proposal cannot be told apart",
    ]


def named(*cases: EvalCase, runs: int = 1) -> EvalReport:
    suite = EvalSuite("s").add_cases(list(cases)).add_evaluator(ExactMatch())
    return suite.run(lambda question: "a", runs=runs, verbose=False)


def test_an_id_is_of_one_case_with_one_content() -> None:
    one, other = (EvalCase("q", expected_output=text, case_id="same") for text in "ab")
    found = named(one).compare(named(other))
    assert (found.paired, found.mcnemar_p) == ([], None)
    assert found.identity_issues == ["1 cases of the same id have another content"]
    twice = named(one, other)
    assert twice.compare(twice).paired == []


def test_pairs_come_in_the_proposals_order() -> None:
    one, other = (EvalCase("q", expected_output=text) for text in "ab")
    found = named(one, other).compare(named(other, one))
    assert [case.case_id for case in found.paired] == [other.identity()[0], one.identity()[0]]
    assert not found.identity_issues


def test_reports_without_identities_are_shown_but_not_tested() -> None:
    old, new = (EvalReport("s", [CaseResult("q", "x", [EvalResult("e", score, bool(score))])]) for score in (0.0, 1.0))
    found = old.compare(new)
    assert (len(found.improvements), found.mcnemar_p) == (1, None)
    assert len(found.identity_issues) == 3
    trusted = old.compare(new, allow_legacy_identity=True)
    assert (trusted.mcnemar_p, trusted.identity_issues) == (1.0, [])


def test_text_from_outside_is_code_in_markdown() -> None:
    old, new = (EvalReport("s", [CaseResult("a``b|c", "x", [EvalResult("e", n, bool(n))])]) for n in (0.0, 1.0))
    assert "- ``` a``b|c ```  failed_quality" in old.compare(new).to_markdown()


def test_cases_that_repeat_an_input_are_paired_in_their_order() -> None:
    old, new = (
        EvalReport("s", [CaseResult("q", "x", [EvalResult("e", score, bool(score))]) for score in scores])
        for scores in ((0.0, 1.0), (1.0, 1.0, 0.0))
    )
    found = old.compare(new)
    assert [case.direction for case in found.paired] == ["improved", "unchanged"]
    assert (len(found.added), found.removed) == (1, [])


def test_repeated_runs_show_how_often_all_passed() -> None:
    case = EvalCase("q", expected_output="a")
    found = named(case, runs=3).compare(named(case, runs=3))
    assert "pass^3: 1.000 -> 1.000" in found.to_text()
    other = named(case).compare(named(case, runs=3))
    assert (other.baseline_pass_hat_k, other.mcnemar_p) == (None, None)
    assert other.identity_issues == ["cases were asked 1 times, and then 3 times"]
    assert "pass^" not in other.to_text()


def test_another_case_with_the_same_input_is_another_case() -> None:
    def asked(expected: str) -> EvalReport:
        suite = EvalSuite("s").add_case(EvalCase("q", expected_output=expected)).add_evaluator(ExactMatch())
        return suite.run(lambda question: "a", verbose=False)

    assert not asked("a").compare(asked("b")).paired
    assert not asked("a").compare(asked("b"), allow_legacy_identity=True).paired


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MULTIVON_HOME", str(tmp_path))
    return tmp_path / "experiments"


def test_experiments_keep_the_documented_fields(home: Path) -> None:
    run = Experiment("my runs").record(report(0, 1), tags={"model": "m1"}, run_id="first")
    (line,) = (home / "my runs.jsonl").read_text().splitlines()
    found: dict[str, Any] = json.loads(line)
    assert found.pop("timestamp").endswith("+00:00")
    assert run == "first"
    assert found == {
        "run_id": "first", "suite_name": "s", "model_id": "m", "pass_rate": 0.3333, "avg_score": 0.6667, "total": 6,
        "evaluated": 6, "errors": 0, "passed": 2, "failed": 4, "tags": {"model": "m1"}, "runs_per_case": 1,
        "scores_by_evaluator": {"exact_match": 0.3333, "not_empty": 1.0}, "flaky_count": 0, "stability_score": 1.0,
        "pass_by_evaluator": {"exact_match": 0.3333, "not_empty": 1.0},
    }  # fmt: skip


def test_experiments_have_a_history_and_compare(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    experiment = Experiment("e")
    assert (experiment.history(), list_experiments()) == ([], [])
    old, new = experiment.record(report(0, 1)), experiment.record(report(1, 2, 3, 4), tags={"v": "\x1b[31m2"})
    assert [run.run_id for run in experiment.history()] == [new, old]
    assert [run.run_id for run in experiment.history(n=1)] == [new]
    assert (len(old), list_experiments()) == (8, ["e"])
    capsys.readouterr()
    experiment.compare(old, new)
    experiment.print_history()
    said = capsys.readouterr().out
    for words in (
        "pass_rate: 0.3333 -> 0.6667",
        "[9.7%, 70.0%] -> [30.0%, 90.3%]",
        "Cohen's h = +0.680",
        "adjusted p =",
    ):
        assert words in said
    assert "Verdict: NO MEANINGFUL CHANGE" in said
    assert "\x1b" not in said
    with pytest.raises(ValueError, match="no run 'nope'"):
        experiment.compare(old, "nope")


@pytest.mark.parametrize(("before", "after", "verdict"), [((), range(20), "IMPROVED"), (range(20), (), "REGRESSION")])
def test_a_verdict_needs_more_than_chance(
    home: Path, capsys: pytest.CaptureFixture[str], before: Any, after: Any, verdict: str
) -> None:
    experiment = Experiment("e")
    old, new = (experiment.record(report(*right, cases=20)) for right in (before, after))
    experiment.compare(old, new)
    assert f"Verdict: {verdict}\n" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["", "..", "../../evil", "a/b", "a\\b", "a\0b"])
def test_an_experiment_stays_in_its_folder(name: str) -> None:
    with pytest.raises(ValueError, match="without folders"):
        Experiment(name)
