"""multivon-eval's reports: numbers, files that parse, text that stays text."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from multivon_eval import (
    ERROR_STATUSES,
    EVALUATION_STATUSES,
    CaseResult,
    EvalGateFailure,
    EvalReport,
    EvalResult,
    pass_at_k,
)

from support.hostile import LARGE, SMALL

HOSTILE = {
    "attribute": '"><img src=x onerror=alert(1)>',
    "entity": "]]>&amp;<!--",
    "formula": "=1+1",
    **{name: text for name, text in (SMALL | LARGE).items() if isinstance(text, str)},
}


def case(name: str, *results: EvalResult, **more: object) -> CaseResult:
    return CaseResult(case_input=name, actual_output="out", results=list(results), **more)  # type: ignore[arg-type]


SKIP = EvalResult("x", 0.0, False, "[skipped] no", {"skipped": True})
CASES = [
    case("a", EvalResult("x", 1.0, True), EvalResult("y", 0.5, True), tags=["t", "u"], latency_ms=12.3456),
    case("b", EvalResult("x", 0.2, False, "too low"), EvalResult("y", 0.9, True), tags=["t"], latency_ms=100.0),
    case("c", model_error="boom"),
    case("d", judge_error="no judge"),
    case("e", evaluator_error="bad"),
    case("f", skipped=True),
    case("g"),
    case("h", SKIP),
    case("i", EvalResult("x", 0.6, True), runs=5, all_scores=[1.0, 0.5, 0.5, 0.5, 0.5], pass_count=3),
    case("j", EvalResult("x", 0.9, True), runs=3, all_scores=[1.0, 1.0, 1.0], pass_count=3),
]


@pytest.fixture
def report() -> EvalReport:
    return EvalReport("s", CASES, model_id="m")


def test_statuses_and_scores_of_cases() -> None:
    assert [str(found.status) for found in CASES] == [
        "passed", "failed_quality", "model_error", "judge_error", "evaluator_error", "skipped", "failed_quality",
        "skipped", "failed_quality", "passed",
    ]  # fmt: skip
    assert [found.score for found in CASES] == pytest.approx([0.75, 0.55, 0, 0, 0, 0, 0, 0, 0.6, 1.0])
    assert CASES[8].score_std == pytest.approx(0.2)
    assert [found.run_pass_rate for found in CASES[7:]] == [0.0, 0.6, 1.0]
    assert {str(status) for status in EVALUATION_STATUSES} == {"passed", "failed_quality"}
    assert {str(status) for status in ERROR_STATUSES} == {"model_error", "judge_error", "evaluator_error", "timeout"}


def test_numbers(report: EvalReport) -> None:
    counts = (report.total, report.evaluated, report.passed, report.failed, report.errors, report.skipped)
    assert counts == (10, 5, 2, 3, 3, 2)
    assert report.errors_by_kind == {"model_error": 1, "judge_error": 1, "evaluator_error": 1}
    assert (report.error_rate, report.pass_rate, report.avg_score) == (0.3, 0.4, pytest.approx(0.58))
    assert (report.flaky_count, report.stability_score, report.runs_per_case) == (1, 0.9, 5)
    assert report.pass_rate_ci() == pytest.approx((0.11762077423264794, 0.769275718723987))
    low, high = report.avg_score_ci()
    assert 0 <= low < report.avg_score < high <= 1
    assert report.min_detectable_regression == 0.8859
    assert report.score_percentiles() == {"p10": 0.22, "p50": 0.6, "p90": 0.9}
    assert (report.scores_by_tag(), report.passed_by_tag()) == ({"t": 0.65, "u": 0.75}, {"t": 0.5, "u": 1.0})
    assert report.count_by_tag() == {"t": 2, "u": 1}
    assert report.scores_by_evaluator() == pytest.approx({"x": 0.675, "y": 0.7})
    assert report.passed_by_evaluator() == {"x": 0.75, "y": 1.0}
    assert [found.case_input for found in report.filter_by_evaluator("x")] == ["b"]
    assert [found.case_input for found in report.failed_cases] == list("bcdefghi")
    assert [found.case_input for found in report.lottery_cases()] == ["i"]
    assert len(report.sample(2)) == 2
    assert not set(map(id, report.sample(99, failed_only=True))) & set(map(id, report.passed_cases))


def test_an_empty_report_has_numbers_as_documented() -> None:
    empty = EvalReport("s", [])
    assert (empty.pass_rate, empty.avg_score, empty.error_rate, empty.stability_score) == (0.0, 0.0, 0.0, 1.0)
    assert (empty.pass_rate_ci(), empty.score_percentiles(), empty.saturated) == ((0.0, 1.0), {}, False)
    assert empty.pass_at_k(1).value is None


def test_pass_k_of_a_report(report: EvalReport) -> None:
    assert report.pass_at_k(1).value == pytest.approx(0.52)
    unknown = report.pass_hat_k(3)
    assert (unknown.value, unknown.runs) == (None, 1)
    assert "UNKNOWN" in unknown.unknown_reason
    with pytest.raises(ValueError, match="k must be >= 1"):
        report.pass_at_k(0)
    with pytest.raises(EvalGateFailure, match="FAILED"):
        report.assert_pass_hat_k(1, 0.99)
    report.assert_pass_hat_k(1, 0.0)


def repeated(name: str, passed: int, runs: int = 5) -> CaseResult:
    scores = [1.0] * passed + [0.0] * (runs - passed)
    return case(name, EvalResult("x", 1.0, True), runs=runs, pass_count=passed, all_scores=scores)


def test_cases_that_luck_decides_most_come_first() -> None:
    found = EvalReport("s", [repeated("mostly", 4), repeated("never", 0), repeated("coin", 3), repeated("ever", 5)])
    assert [one.case_input for one in found.lottery_cases(2)] == ["coin", "mostly"]
    assert [one.case_input for one in found.zero_pass_cases] == ["never"]


def test_cases_asked_once_never_passed_only_where_none_did() -> None:
    good, bad = EvalResult("x", 1.0, True), EvalResult("x", 0.0, False)
    assert EvalReport("s", [case("p", good), case("f", bad)]).zero_pass_cases == []
    assert len(EvalReport("s", [case("e", bad), case("f", bad)]).zero_pass_cases) == 2


def test_an_estimate_beyond_the_runs_says_what_would_help() -> None:
    even, uneven = [repeated("a", 3)], [repeated("a", 6, 6), repeated("b", 5, 10)]
    assert "rerun with --runs >= 10 or pass k <= 5" in EvalReport("s", even).pass_at_k(10).unknown_reason
    assert "shortest-run case" in EvalReport("s", uneven).pass_at_k(10).unknown_reason
    with pytest.raises(ValueError, match="extrapolate"):
        pass_at_k(6, 6, 10)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"max_p95_latency_ms": 1.0}, "p95 latency"),
        ({"max_avg_latency_ms": 1.0}, "Avg latency"),
    ],
    ids=["p95", "mean"],
)
def test_budgets(report: EvalReport, limits: dict[str, float], words: str) -> None:
    with pytest.raises(EvalGateFailure, match=words):
        report.assert_budget(**limits)
    report.assert_budget(max_p95_latency_ms=100.0, max_avg_latency_ms=100.0)


def test_json_there_and_back(report: EvalReport, tmp_path: Path) -> None:
    report.save_json(tmp_path / "deep" / "r.json")
    data = json.loads((tmp_path / "deep" / "r.json").read_text())
    assert data["schema"] == "multivon.report/v2"
    assert (data["suite"], data["model"]) == ("s", "m")
    assert set(data["summary"]) == {
        "total", "evaluated", "passed", "failed", "errors", "errors_by_kind", "skipped", "pass_rate", "pass_rate_ci_95",
        "avg_score", "avg_score_ci_95", "score_percentiles", "runs_per_case", "flaky_count", "stability_score",
        "judge_reliability", "purpose", "saturated", "min_detectable_regression", "by_evaluator", "costs", "pass_at_k",
        "pass_hat_k",
    }  # fmt: skip
    assert set(data["cases"][0]) == {
        "input", "case_id", "case_digest", "agent_trace", "trials", "evidence_error", "output", "status", "model_error",
        "judge_error", "evaluator_error", "skipped", "passed", "score", "score_std", "all_scores", "run_pass_rate",
        "is_flaky", "runs", "pass_count", "retry_attempts", "retry_errors", "latency_ms", "tags", "evaluators",
    }  # fmt: skip
    again = EvalReport.from_dict(data)
    assert json.loads(again.to_json()) == data


def test_a_report_of_the_original_is_read_and_written_alike() -> None:
    """Written by multivon-eval 0.20.0; locks, trials and what names the machine are taken out."""
    data = json.loads((Path(__file__).parent / "seeds" / "multivon_report.json").read_text())
    again = json.loads(EvalReport.from_dict(data).to_json())
    for written in (data, again):
        del written["summary"]["avg_score_ci_95"]  # Student's here, drawn at random there
    assert again == data
    assert {found["status"] for found in again["cases"]} >= {"passed", "failed_quality", "model_error", "judge_error"}


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"status": "passed"}, id="a-status-that-does-not-follow"),
        pytest.param({"passed": True}, id="a-verdict-that-does-not-follow"),
        pytest.param({"evaluators": [{"name": "x", "score": 7, "passed": True}]}, id="a-score-of-seven"),
        pytest.param({"evaluators": [{"score": 1}]}, id="no-name"),
        pytest.param({"evaluators": None}, id="no-checks"),
        pytest.param({"evaluators": [{"name": "x", "score": 1, "passed": "yes"}]}, id="a-verdict-in-words"),
        pytest.param({"output": None}, id="no-output"),
        pytest.param({"runs": 0}, id="no-runs"),
        pytest.param({"runs": True}, id="runs-that-are-no-number"),
        pytest.param({"latency_ms": -1}, id="a-latency-before-its-time"),
        pytest.param({"status": "excellent"}, id="an-unknown-status"),
    ],
)
def test_a_report_that_contradicts_itself_is_refused(report: EvalReport, change: dict[str, object]) -> None:
    data = json.loads(report.to_json())
    data["cases"][1] |= change
    with pytest.raises(ValueError, match=r"."):
        EvalReport.from_dict(data)


def test_what_is_refused_is_not_reported(report: EvalReport) -> None:
    data = json.loads(report.to_json())
    data["cases"][1] |= {"input": "a secret", "passed": True}
    with pytest.raises(ValueError, match="by its checks") as caught:
        EvalReport.from_dict(data)
    assert "secret" not in str(caught.value)


def test_older_reports_are_read_and_nothing_is_made_up_for_them() -> None:
    older = {"cases": [{"input": "x", "output": "last", "runs": 3, "score": 0.5, "score_std": 0.2}]}
    [found] = EvalReport.from_dict(older).case_results
    assert (found.all_scores, found.trials, found.case_id) == ([], (), None)
    assert EvalReport.from_dict({**older, "schema": "multivon.report/v1"}).total == 1
    with pytest.raises(ValueError, match=r"not a report: .*schema"):
        EvalReport.from_dict({**older, "schema": "multivon.report/v9"})


@pytest.mark.parametrize("data", [{}, {"suite": "s"}, {"suite": "s", "cases": {}}], ids=str)
def test_what_is_not_a_report_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not a report"):
        EvalReport.from_dict(data)


def test_junit_says_what_each_check_said(report: EvalReport) -> None:
    root = ElementTree.fromstring(report.to_junit_xml())
    group = root.find("testsuite")
    assert group is not None
    marks = {
        found.attrib["name"]: [child.tag for child in found if child.tag != "properties"]
        for found in group.iter("testcase")
    }
    assert marks == {
        "x :: a": [],
        "y :: a": [],
        "x :: b": ["failure"],
        "y :: b": [],
        "(no check) :: c": ["error"],
        "(case-level) :: d": ["error"],
        "(case-level) :: e": ["error"],
        "(no check) :: f": ["skipped"],
        "(case-level) :: g": ["failure"],
        "x :: h": ["skipped"],
        "x :: i": [],
        "(case-level) :: i": ["failure"],
        "x :: j": [],
    }
    kinds = [mark.attrib["type"] for mark in group.iter("error")]
    assert kinds == ["model_error", "judge_error", "evaluator_error"]
    assert {found.attrib["classname"] for found in group.iter("testcase")} == {"s"}
    assert (group.attrib["failures"], group.attrib["errors"], group.attrib["skipped"]) == ("3", "3", "2")


def test_csv_has_a_line_for_every_check_and_loses_no_case(report: EvalReport, tmp_path: Path) -> None:
    report.save_csv(tmp_path / "r.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "r.csv").read_text())))
    assert list(rows[0]) == [
        "input", "output", "evaluator", "score", "score_std", "run_pass_rate", "is_flaky", "passed", "reason",
        "latency_ms", "tags",
    ]  # fmt: skip
    assert {row["input"] for row in rows} == {found.case_input for found in CASES}
    assert rows[0] == {
        "input": "a", "output": "out", "evaluator": "x", "score": "1.0", "score_std": "0.0", "run_pass_rate": "1.0",
        "is_flaky": "False", "passed": "True", "reason": "", "latency_ms": "12.3", "tags": "t,u",
    }  # fmt: skip


class Seen(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.scripts = page.count("<script")
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def hostile_report(text: str) -> EvalReport:
    found = case(text, EvalResult(text, 0.5, False, text, {"x": text}), tags=[text], case_id=text)
    return EvalReport(text, [found, case("m", model_error=text)], model_id=text)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_text_is_only_text(text: str, tmp_path: Path) -> None:
    report = hostile_report(text)
    seen, plain = (Seen(page.to_html()) for page in (report, hostile_report("x")))
    assert seen.tags <= plain.tags
    assert seen.names <= plain.names
    assert seen.scripts == plain.scripts
    ElementTree.fromstring(report.to_junit_xml())
    assert json.loads(report.to_json())["suite"] == text
    for save in (report.save_html, report.save_csv, report.save_json, report.save_junit_xml):
        save(tmp_path / "out")
        (tmp_path / "out").read_text(encoding="utf-8")


def test_html_shows_what_was_said(report: EvalReport) -> None:
    seen = Seen(report.to_html())
    for words in ("s", "m", "too low", "boom", "3 of 5 runs passed", "11.8–76.9"):
        assert any(words in text for text in seen.text), words


def test_what_a_report_of_the_original_carries_is_kept(report: EvalReport) -> None:
    data = json.loads(report.to_json())
    data |= {"suite_lock": {"a": 1}, "execution": {"b": 2}, "evidence_issues": ["c"]}
    data["summary"]["costs"] = {"total_tokens": 3}
    data["cases"][0]["trials"] = [{"output": "d"}]
    data["cases"][0]["agent_trace"] = [{"thought": "t", "tool_calls": [{"name": "n"}], "output": "o"}]
    again = json.loads(EvalReport.from_dict(data).to_json())
    data["cases"][0]["agent_trace"][0]["tool_calls"] = [{"name": "n", "arguments": {}, "result": None}]
    assert again == data


def marks(*cases: CaseResult) -> list[tuple[str, str]]:
    group = ElementTree.fromstring(EvalReport("s", list(cases)).to_junit_xml())[0]
    found = [next((child for child in test if child.tag != "properties"), None) for test in group]
    return [("passed", "") if mark is None else (mark.tag, mark.attrib.get("type", "")) for mark in found]


GOOD, BAD = EvalResult("x", 1.0, True), EvalResult("x", 0.2, False, "too <low>")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(case("q", GOOD, BAD), [("passed", ""), ("failure", "quality")], id="each-by-itself"),
        pytest.param(case("q", BAD, model_error="down"), [("error", "model_error")], id="no-output"),
        pytest.param(case("q", BAD, judge_error="down"), [("error", "judge_error")], id="no-judge"),
        pytest.param(
            case("q", GOOD, BAD, evaluator_error="bad"), [("passed", ""), ("error", "evaluator_error")], id="no-check"
        ),
        pytest.param(case("q", GOOD, judge_error="down"), [("error", "judge_error"), ("passed", "")], id="of-the-case"),
        pytest.param(case("q", GOOD, skipped=True), [("skipped", "")], id="skipped"),
        pytest.param(case("q", GOOD, runs=5, pass_count=2), [("failure", "quality"), ("passed", "")], id="runs-differ"),
    ],
)
def test_a_testcase_shows_what_became_of_its_check(found: CaseResult, expected: list[tuple[str, str]]) -> None:
    assert marks(found) == expected
