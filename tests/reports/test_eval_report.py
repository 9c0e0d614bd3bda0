"""`EvalReport`: numbers with their counts, absence as None, files that read back as they were written."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue import CheckResult
from ringtrue.errors import ConfigurationError, InputError, RecordError
from ringtrue.reports.case_result import CaseResult, EvalStatus, merged
from ringtrue.reports.eval_report import EvalReport

GOOD = CheckResult("a", 1.0, True)
BAD = CheckResult("a", 0.25, False, "too little")
ABSENT = CheckResult("a", None, False, "[skipped] no gold", {"skipped": True}, "skipped")
BROKEN = CheckResult("a", None, False, "[error] bug", {"kind": "evaluator_error"}, "error")
JUDGE = CheckResult("b", None, False, "[error] away", {"kind": "judge_error"}, "error")


def case(*results: CheckResult, **rest: Any) -> CaseResult:
    return CaseResult("in", "out", results, **rest)


def report(*cases: CaseResult) -> EvalReport:
    return EvalReport("suite", cases)


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
        (merged([case(GOOD), case(GOOD)]), "passed"),
        (merged([case(GOOD), case(BAD)]), "failed_quality"),
        (merged([case(BAD), case(BROKEN)]), "evaluator_error"),
        (merged([case(GOOD), case(model_error="no")]), "model_error"),
        (merged([case(GOOD), case(skipped=True)]), "skipped"),
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
    assert EvalReport.from_dict(json.loads(empty.to_json())) == empty
    assert empty.to_csv().count("\n") == 1
    assert not empty.saturated


def test_counts_add_up_and_errors_are_named() -> None:
    whole = report(
        case(GOOD), case(BAD), case(BROKEN), case(JUDGE), case(ABSENT), case(model_error="x", timed_out=True)
    )
    assert whole.passed + whole.failed + whole.errors + whole.skipped == whole.total == 6
    assert whole.errors_by_kind == {"timeout": 1, "judge_error": 1, "evaluator_error": 1}
    assert (whole.pass_rate, whole.error_rate) == (0.5, 0.5)
    assert len(whole.failed_cases) == 5
    assert len(whole.passed_cases) == 1


def test_checks_and_tags_are_summed_up_where_they_were_measured() -> None:
    whole = report(case(GOOD, tags=("x", "y")), case(BAD, tags=("x",)), case(ABSENT, tags=("z",)), case(BROKEN))
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
    whole = report(*[case(GOOD)] * 8, *[case(BAD)] * 2)
    assert whole.pass_rate_ci() == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert whole.pass_rate_ci(0.5) == pytest.approx((0.7025, 0.8714), abs=1e-4)


def test_cases_of_one_source_count_as_one_observation() -> None:
    alone = report(*[case(GOOD)] * 4, *[case(BAD)] * 4)
    shared = report(*[case(GOOD, source_id="x")] * 4, *[case(BAD, source_id="y")] * 4)
    assert alone.pass_rate_ci() != shared.pass_rate_ci() == (0.0, 1.0)


@pytest.mark.parametrize("score", [0.0, 0.3, 1.0])
def test_scores_that_are_all_alike_still_have_an_interval(score: float) -> None:
    whole = report(*[case(CheckResult("a", score, score == 1.0))] * 3)
    interval = whole.avg_score_ci()
    assert interval is not None
    assert interval[0] <= score <= interval[1]
    assert interval[1] - interval[0] > 0.3


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=4), max_size=6))
def test_numbers_stay_in_their_range(runs: list[list[bool]]) -> None:
    whole = report(*(merged([case(GOOD if good else BAD) for good in each]) for each in runs))
    assert whole.total == whole.passed + whole.failed
    for number in (whole.pass_rate, whole.avg_score, whole.stability_score, whole.pass_at_k(1).value):
        assert number is None or 0 <= number <= 1
    for interval in (whole.pass_rate_ci(), whole.avg_score_ci()):
        assert interval is None or 0 <= interval[0] <= interval[1] <= 1
    assert whole.passed == sum(all(each) for each in runs)
    assert whole.flaky_count == sum(len(set(each)) == 2 for each in runs)
    again = EvalReport.from_dict(json.loads(whole.to_json()))
    assert again.to_json() == whole.to_json()


def test_k_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="k must be a whole number of at least 1; got 0"):
        report().pass_at_k(0)


def test_junit_has_one_testcase_per_check_with_its_own_verdict() -> None:
    four = [CheckResult(name, 1.0, True) for name in "bcd"]
    root = ElementTree.fromstring(report(case(BAD, *four), case(BAD, *four)).to_junit_xml())
    suite = root.find("testsuite")
    assert suite is not None
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("8", "2")
    names = [item.attrib["name"] for item in root.iter("testcase")]
    assert len(set(names)) == 8
    assert names[0] == "a :: in #1"


@pytest.mark.parametrize(
    ("found", "tag", "kind"),
    [
        (case(BROKEN), "error", "evaluator_error"),
        (case(model_error="gone"), "error", "model_error"),
        (case(skipped=True), "skipped", None),
        (case(ABSENT), "skipped", None),
    ],
)
def test_junit_tells_errors_from_skips(found: CaseResult, tag: str, kind: str | None) -> None:
    marks = [child for item in ElementTree.fromstring(report(found).to_junit_xml()).iter("testcase") for child in item]
    assert [(mark.tag, mark.attrib.get("type")) for mark in marks] == [(tag, kind)]


def test_csv_has_a_line_for_every_check_and_for_cases_without_one() -> None:
    text = report(case(GOOD, BAD), case(model_error="=1+1")).to_csv()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["evaluator"], row["score"], row["case_status"]) for row in rows] == [
        ("a", "1.0", "failed_quality"),
        ("a", "0.25", "failed_quality"),
        ("", "", "model_error"),
    ]
    assert rows[2]["reason"] == "'=1+1"


@pytest.mark.parametrize("kind", ["json", "junit_xml", "csv"])
def test_files_appear_whole_in_folders_that_are_made(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "report"
    found = report(case(CheckResult("a", 0.5, False, "\ud800 é"), tags=("t",)))
    for _ in range(2):
        getattr(found, f"save_{kind}")(path)
    assert path.read_bytes() == getattr(found, f"to_{kind}")().encode()
    assert [item.name for item in path.parent.iterdir()] == ["report"]
    with pytest.raises(InputError, match="cannot write"):
        getattr(found, f"save_{kind}")(path / "below")


def test_json_has_no_nan() -> None:
    found = report(case(CheckResult("a", 0.5, True, metadata={"x": float("nan"), "y": float("inf"), "z": object})))
    checked = json.loads(found.to_json(), parse_constant=lambda name: pytest.fail(name))
    assert checked["cases"][0]["evaluators"][0]["metadata"]["x"] is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "other/v1"}, "its schema is 'other/v1'"),
        ({"cases": [{}]}, "not a case of a report: KeyError: 'evaluators'"),
        ({"status": "passed"}, "says status 'passed'; by its checks it is"),
        ({"passed": True}, "says passed True; by its checks it is False"),
        ({"score": 1.0}, "says score 1.0; by its checks it is 0.25"),
        ({"score_of_check": 1.5}, "a score of 1.5"),
        ({"score_of_check": True}, "score cannot be True"),
        ({"input": ["q"]}, "input cannot be ['q']"),
        ({"output": None}, "output cannot be None"),
        ({"case_id": [1]}, "case_id cannot be [1]"),
        ({"source_id": ["x"]}, "source_id cannot be ['x']"),
        ({"tags": [["x"]]}, "tags are texts; got [['x']]"),
        ({"expected": [["x"]]}, "expected are texts; got [['x']]"),
        ({"latency_ms": float("nan")}, "latency_ms cannot be nan"),
        ({"score": "1"}, "score cannot be '1'"),
        ({"weight_of_checks": 1e308}, "OverflowError"),
        ({"suite": 5}, "suite, model and purpose are texts"),
        ({"execution": None}, "execution is an object"),
        ({"score_of_check": None}, "a check with the status 'scored' and the score None"),
    ],
    ids=str,
)
def test_a_report_that_contradicts_itself_is_refused(change: dict[str, Any], message: str) -> None:
    data = report(case(BAD)).to_dict()
    first = data["cases"][0]
    for key, value in change.items():
        if key == "score_of_check":
            first["evaluators"][0]["score"] = value
        elif key == "weight_of_checks":
            first["evaluators"] = [first["evaluators"][0] | {"weight": value, "name": name} for name in "ab"]
        elif key in data:
            data[key] = value
        else:
            first[key] = value
    with pytest.raises(RecordError) as caught:
        EvalReport.from_dict(data)
    assert message in str(caught.value)
