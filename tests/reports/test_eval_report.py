"""`EvalReport`: numbers with their counts, absence as None, files that are whole or not there."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue import CheckResult
from ringtrue.api.runs import open_run
from ringtrue.errors import ConfigurationError, InputError
from ringtrue.evaluators import Contains, ExactMatch, NotEmpty
from ringtrue.records import Case, DatasetInfo, EvaluatorInfo, Made, Output, Row, Score, SystemInfo, Trial
from ringtrue.reports.case_result import CaseResult, EvalStatus, merge_trials
from ringtrue.reports.eval_report import EvalReport
from ringtrue.reports.row_file import write_rows
from ringtrue.runner.run_from_rows import run_of
from ringtrue.suites.suite import EvalSuite

GOOD = CheckResult("a", 1.0, True)
BAD = CheckResult("a", 0.25, False, "too little")
ABSENT = CheckResult("a", None, False, "[skipped] no gold", {"skipped": True}, "skipped")
BROKEN = CheckResult("a", None, False, "[error] bug", {"kind": "evaluator_error"}, "error")
JUDGE = CheckResult("b", None, False, "[error] away", {"kind": "judge_error"}, "error")

YES, NO = Score(1.0, passed=True), Score(0.25, passed=False, reason="too little")
SKIPPED, BUG = Score.skipped("no gold"), Score.error("bug", kind="evaluator_error")
AWAY = Score.error("away", kind="judge_error")
DOWN = Output(problem="gone", error="model_error")
LATE = Output(problem="late", error="timeout")


def case(*results: CheckResult, **rest: Any) -> CaseResult:
    return CaseResult("in", "out", results, **rest)


Trials = Sequence[Mapping[str, Score] | Output]
"""What each run of a case came to: its scores, or no answer."""


def report(*found: Mapping[str, Score] | Output | Trials, unasked: Sequence[Case] = (), **fields: Any) -> EvalReport:
    """A report of cases, each with its scores, the error of its answer, or a list of those."""
    rows, repeats = [], 1
    for position, given_case in enumerate(found):
        trials = [given_case] if isinstance(given_case, (Mapping, Output)) else list(given_case)
        repeats = max(repeats, len(trials))
        for repeat, one in enumerate(trials):
            own = {name: values[position] for name, values in fields.items() if values[position] is not None}
            tags = own.pop("tags", ())
            record = Case(f"#{position + 1}", "in", tags=tags, fields={"dataset": "suite", **own})
            output = one if isinstance(one, Output) else Output("out")
            scores = {} if isinstance(one, Output) else dict(one)
            rows.append(Row(Trial(record, output), scores, position, "s", repeat))
    names = dict.fromkeys(name for row in rows for name in row.scores)
    made = Made(
        job="suite",
        datasets=(DatasetInfo("suite"),),
        systems=(SystemInfo("s"),),
        evaluators=tuple(EvaluatorInfo(name) for name in names),
        options={"suite": "suite", "repeats": repeats},
    )
    return EvalReport(replace(run_of(made, rows), unasked=tuple(unasked)))


@pytest.mark.parametrize(
    ("found", "status"),
    [
        (case(GOOD), "passed"),
        (case(GOOD, BAD), "failed_quality"),
        (case(GOOD, ABSENT), "passed"),
        (case(ABSENT), "skipped"),
        (case(), "failed_quality"),
        (case(GOOD, BROKEN), "evaluator_error"),
        (case(BAD, BROKEN, JUDGE), "judge_error"),
        (case(BROKEN, model_error="no"), "model_error"),
        (case(BROKEN, model_error="late", timed_out=True), "timeout"),
        (case(GOOD, skipped=True), "skipped"),
        (merge_trials([case(GOOD), case(GOOD)]), "passed"),
        (merge_trials([case(GOOD), case(BAD)]), "failed_quality"),
        (merge_trials([case(BAD), case(BROKEN)]), "evaluator_error"),
        (merge_trials([case(GOOD), case(model_error="no")]), "model_error"),
        (merge_trials([case(GOOD), case(skipped=True)]), "skipped"),
    ],
)
def test_the_status_follows_from_the_checks(found: CaseResult, status: str) -> None:
    assert found.status == status
    assert found.status is EvalStatus(status)
    assert found.passed == (status == "passed")


def test_an_empty_report_has_counts_and_no_numbers() -> None:
    empty = report()
    assert (empty.total, empty.evaluated, empty.errors, empty.skipped, empty.runs_per_case) == (0, 0, 0, 0, 0)
    numbers = (empty.pass_rate, empty.avg_score, empty.error_rate, empty.stability_score, empty.pass_rate_ci())
    assert numbers == (None, None, None, None, None)
    assert empty.pass_at_k(1).value is None
    assert json.loads(empty.to_json())["cases"] == []
    assert empty.to_csv().count("\n") == 1
    assert not empty.saturated


def test_counts_add_up_and_errors_are_named() -> None:
    whole = report({"a": YES}, {"a": NO}, {"a": BUG}, {"b": AWAY}, {"a": SKIPPED}, LATE)
    assert whole.passed + whole.failed + whole.errors + whole.skipped == whole.total == 6
    assert whole.errors_by_kind == {"timeout": 1, "judge_error": 1, "evaluator_error": 1}
    assert (whole.pass_rate, whole.error_rate) == (0.5, 0.5)
    assert len(whole.failed_cases) == 5
    assert len(whole.passed_cases) == 1


def test_cases_that_no_one_was_asked_are_counted_as_skipped() -> None:
    whole = report({"a": YES}, unasked=[Case("late", "in")])
    assert (whole.total, whole.passed, whole.skipped) == (2, 1, 1)
    assert whole.case_results[1].case_id == "late"


def test_checks_and_tags_are_summed_up_where_they_were_measured() -> None:
    whole = report({"a": YES}, {"a": NO}, {"a": SKIPPED}, {"a": BUG}, tags=[("x", "y"), ("x",), ("z",), None])
    assert whole.scores_by_evaluator == {"a": 0.625}
    assert whole.passed_by_evaluator == {"a": 0.5}
    assert whole.count_by_tag == {"x": 2, "y": 1, "z": 1}
    assert whole.scores_by_tag == {"x": 0.625, "y": 1.0, "z": None}
    assert whole.passed_by_tag == {"x": 0.5, "y": 1.0, "z": None}
    summary = whole.summaries["a"]
    assert (summary.n, summary.skipped, summary.errors, summary.passed, summary.failed) == (2, 1, 1, 1, 1)
    assert whole.filter_by_evaluator("a") == [whole.case_results[1]]
    with pytest.raises(ConfigurationError, match="no check 'b'; there are a"):
        whole.filter_by_evaluator("b")


def test_the_pass_rate_has_wilsons_interval() -> None:
    whole = report(*[{"a": YES}] * 8, *[{"a": NO}] * 2)
    assert whole.pass_rate_ci() == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert whole.pass_rate_ci(0.5) == pytest.approx((0.7025, 0.8714), abs=1e-4)
    assert whole.run.summaries["suite"]["s"]["pass_rate"].interval == whole.pass_rate_ci()


def test_cases_of_one_source_count_as_one_observation() -> None:
    given_cases = [*[{"a": YES}] * 4, *[{"a": NO}] * 4]
    alone, shared = report(*given_cases), report(*given_cases, source_id=[*"xxxxyyyy"])
    assert alone.pass_rate_ci() != shared.pass_rate_ci() == (0.0, 1.0)


@pytest.mark.parametrize("score", [0.0, 0.3, 1.0])
def test_scores_that_are_all_alike_still_have_an_interval(score: float) -> None:
    whole = report(*[{"a": Score(score, passed=score == 1.0)}] * 3)
    interval = whole.avg_score_ci()
    assert interval is not None
    assert interval[0] <= score <= interval[1]
    assert interval[1] - interval[0] > 0.3


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=4), max_size=6))
def test_numbers_stay_in_their_range(runs: list[list[bool]]) -> None:
    longest = max(map(len, runs), default=1)
    whole = report(*([{"a": YES if good else NO} for good in each] for each in runs))
    assert whole.total == whole.passed + whole.failed + whole.skipped
    for number in (whole.pass_rate, whole.avg_score, whole.stability_score, whole.pass_at_k(1).value):
        assert number is None or 0 <= number <= 1
    for interval in (whole.pass_rate_ci(), whole.avg_score_ci()):
        assert interval is None or 0 <= interval[0] <= interval[1] <= 1
    assert whole.passed == sum(all(each) for each in runs if len(each) == longest)
    assert whole.skipped == sum(len(each) < longest for each in runs), "a repeat that did not take place"
    assert whole.flaky_count == sum(len(set(each)) == 2 for each in runs)


def test_k_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="k must be a whole number of at least 1; got 0"):
        report().pass_at_k(0)


def test_junit_has_one_testcase_per_check_with_its_own_verdict() -> None:
    four = {"a": NO, "b": YES, "c": YES, "d": YES}
    root = ElementTree.fromstring(report(four, four).to_junit_xml())
    suite = root.find("testsuite")
    assert suite is not None
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("8", "2")
    names = [item.attrib["name"] for item in root.iter("testcase")]
    assert len(set(names)) == 8
    assert names[0] == "a :: #1: in"


@pytest.mark.parametrize(
    ("found", "tag", "kind"),
    [
        (report({"a": BUG}), "error", "evaluator_error"),
        (report(DOWN), "error", "model_error"),
        (report(unasked=[Case("x")]), "skipped", None),
        (report({"a": SKIPPED}), "skipped", None),
    ],
)
def test_junit_shows_errors_from_skips(found: EvalReport, tag: str, kind: str | None) -> None:
    marks = [child for item in ElementTree.fromstring(found.to_junit_xml()).iter("testcase") for child in item]
    assert [(mark.tag, mark.attrib.get("type")) for mark in marks] == [(tag, kind)]


def test_csv_has_a_line_for_every_check_and_for_cases_without_one() -> None:
    text = report({"a": YES, "b": NO}, Output(problem="=1+1", error="model_error")).to_csv()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["evaluator"], row["score"], row["case_status"]) for row in rows] == [
        ("a", "1.0", "failed_quality"),
        ("b", "0.25", "failed_quality"),
        ("", "", "model_error"),
    ]
    assert rows[2]["reason"] == "'=1+1"


@pytest.mark.parametrize("kind", ["json", "junit_xml", "csv", "html"])
def test_files_appear_whole_in_folders_that_are_made(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "report"
    found = report({"a": Score(0.5, passed=False, reason="\ud800 é")}, tags=[("t",)])
    for _ in range(2):
        getattr(found, f"save_{kind}")(path)
    assert path.read_bytes() == getattr(found, f"to_{kind}")().encode()
    assert [item.name for item in path.parent.iterdir()] == ["report"]
    with pytest.raises(InputError, match="cannot write"):
        getattr(found, f"save_{kind}")(path / "below")


def test_json_has_no_nan() -> None:
    metadata = {"x": float("nan"), "y": float("inf"), "z": object}
    found = report({"a": Score(0.5, passed=True, metadata=metadata)})
    checked = json.loads(found.to_json(), parse_constant=lambda name: pytest.fail(name))
    assert checked["cases"][0]["evaluators"][0]["metadata"]["x"] is None


def test_one_of_several_systems_has_to_be_chosen() -> None:
    run = report({"a": YES}).run
    both = run_of(
        Made(job="suite", systems=(SystemInfo("s"), SystemInfo("t")), evaluators=run.made.evaluators), list(run.rows)
    )
    with pytest.raises(ConfigurationError, match="the run has 2 systems; choose one: s, t"):
        EvalReport(both)
    assert (EvalReport(both, system="s").total, EvalReport(both, system="t").total) == (1, 0)


def test_a_run_that_is_not_of_a_suite_is_judged_by_its_headline() -> None:
    made = Made(
        datasets=(DatasetInfo("d", headline="b"),),
        systems=(SystemInfo("s"),),
        evaluators=(EvaluatorInfo("a"), EvaluatorInfo("b", threshold=0.2)),
    )
    row = Row(Trial(Case(1, fields={"dataset": "d"}), Output("x")), {"a": NO, "b": Score(0.25, passed=True)}, 0, "s")
    found = EvalReport(run_of(made, [row]))
    assert (found.passed, found.evaluators, found.suite_name) == (1, ["b"], "d")


def moody(question: str) -> str:
    if question == "q2":
        raise ValueError("down")
    return "a" if question == "q0" else "b"


@pytest.mark.parametrize("kept", ["store", "rows.jsonl", "rows.parquet"])
def test_a_kept_run_has_the_report_of_the_original(kept: str, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/x.db"
    suite = EvalSuite("s", model_id="m", purpose="regression")
    suite.add_evaluator(NotEmpty(), weight=3.0).add_evaluator(ExactMatch())
    for number in range(3):
        own = [Contains(["a"])] if number == 1 else []
        suite.add_case({"input": f"q{number}", "answer": "a", "tags": ["t"], "source_id": number % 2}, own)
    original = suite.run(moody, verbose=False, store=url, runs=2)
    path = tmp_path / kept
    if kept != "store":
        write_rows(path, original.run.rows, original.run.made)
    again = EvalReport(open_run("last", url) if kept == "store" else open_run(path))
    before, after = (json.loads(found.to_json()) for found in (original, again))
    for name in ("suite", "model", "purpose", "cases", "summary"):
        assert after[name] == before[name], name
    assert after["execution"]["signatures"] == before["execution"]["signatures"]
    assert again.to_csv() == original.to_csv()
    assert again.to_junit_xml() == original.to_junit_xml()
    assert not original.compare(again).pairs[0].refused
