"""multivon-eval's reports as pages, as testcases and on the terminal: what a reader is told beside the numbers."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from multivon_eval import CaseResult, EvalReport, EvalResult
from multivon_eval.reporters import terminal
from multivon_eval.reporters.html import _status_pill, to_html
from multivon_eval.reporters.terminal import print_report

GOOD, BAD = EvalResult("x", 1.0, True), EvalResult("x", 0.2, False, "too <low>")


def case(*results: EvalResult, name: str = "q", **more: object) -> CaseResult:
    return CaseResult(case_input=name, actual_output="out", results=list(results), **more)  # type: ignore[arg-type]


def repeated(name: str, passed: int, runs: int) -> CaseResult:
    scores = [1.0] * passed + [0.0] * (runs - passed)
    return case(GOOD, name=name, runs=runs, pass_count=passed, all_scores=scores)


PILLS = {
    "passed": (case(GOOD), "pass", "PASS"),
    "failed": (case(BAD), "fail", "FAIL"),
    "model": (case(GOOD, model_error="down"), "error", "MODEL ERR"),
    "judge": (case(GOOD, judge_error="down"), "error", "JUDGE ERR"),
    "check": (case(GOOD, evaluator_error="bad"), "error", "EVAL ERR"),
    "skipped": (case(GOOD, skipped=True), "skipped", "SKIPPED"),
    "flaky": (case(GOOD, runs=5, pass_count=3), "flaky", "FLAKY"),
    "error-before-flaky": (case(GOOD, judge_error="down", runs=5, pass_count=3), "error", "JUDGE ERR"),
}


@pytest.mark.parametrize(("found", "kind", "word"), PILLS.values(), ids=list(PILLS))
def test_a_page_tells_how_each_case_ended(found: CaseResult, kind: str, word: str) -> None:
    pill = _status_pill(found)
    assert f'class="pill {kind}"' in pill
    assert pill.endswith(f">{word}</span>")
    assert ("aria-label" in pill) is ("title" in pill) is (word not in ("PASS", "FAIL"))
    assert pill in to_html(EvalReport("s", [found]))


def card(page: str, label: str) -> str | None:
    found = re.search(rf'class="val">([^<]*)</span> <span class="lbl">{label}', page)
    return found and found[1]


def test_a_page_counts_what_has_no_verdict_and_only_if_there_is_some() -> None:
    page = to_html(EvalReport("s", [found for found, _, _ in PILLS.values()]))
    assert (card(page, "Cases"), card(page, "Errors"), card(page, "Skipped")) == ("8", "4", "1")
    assert "2 judge error" in page
    assert card(page, "Stability")
    plain = to_html(EvalReport("s", [case(GOOD)]))
    assert [card(plain, label) for label in ("Errors", "Skipped", "Stability")] == [None, None, None]


def test_a_page_runs_its_own_script_alone() -> None:
    page = to_html(EvalReport("s", [case(GOOD)]))
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/]{43}='", page)
    assert page.count("<script>") == 1
    assert "http:" not in page


def marks(*cases: CaseResult) -> list[tuple[str, str]]:
    group = ElementTree.fromstring(EvalReport("s", list(cases)).to_junit_xml())[0]
    found = [next((child for child in test if child.tag != "properties"), None) for test in group]
    return [("passed", "") if mark is None else (mark.tag, mark.attrib.get("type", "")) for mark in found]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(case(GOOD, BAD), [("passed", ""), ("failure", "quality")], id="each-by-itself"),
        pytest.param(case(BAD, model_error="down"), [("error", "model_error")], id="no-output"),
        pytest.param(case(BAD, judge_error="down"), [("error", "judge_error")], id="no-judge"),
        pytest.param(
            case(GOOD, BAD, evaluator_error="bad"), [("passed", ""), ("error", "evaluator_error")], id="no-check"
        ),
        pytest.param(case(GOOD, judge_error="down"), [("error", "judge_error"), ("passed", "")], id="of-the-case"),
        pytest.param(case(GOOD, skipped=True), [("skipped", "")], id="skipped"),
        pytest.param(case(GOOD, runs=5, pass_count=2), [("failure", "quality"), ("passed", "")], id="runs-disagree"),
    ],
)
def test_a_testcase_tells_what_became_of_its_check(found: CaseResult, expected: list[tuple[str, str]]) -> None:
    assert marks(found) == expected


def test_the_body_of_a_failure_begins_with_the_reason() -> None:
    failure = ElementTree.fromstring(EvalReport("s", [case(BAD)]).to_junit_xml()).find("testsuite/testcase/failure")
    assert failure is not None
    assert (failure.text or "").splitlines() == ["too <low>", "input: q", "output: out"]


def printed(report: EvalReport, capsys: pytest.CaptureFixture[str]) -> str:
    print_report(report)
    return capsys.readouterr().out


def test_reliability_is_told_of_repeated_runs(capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(EvalReport("s", [repeated("always", 3, 3), repeated("now and then", 1, 3)]), capsys)
    assert "Reliability (3 runs/case):" in said
    assert "pass@3 1.000 [" in said
    assert "pass^3 0.500 [" in said
    assert "passes sometimes, never reliably: 'now and then'" in said
    assert "UNKNOWN" in printed(EvalReport("s", [repeated("a", 6, 6), repeated("b", 5, 10)]), capsys)
    assert "Reliability" not in printed(EvalReport("s", [case(GOOD)]), capsys)


@pytest.mark.parametrize(
    ("cases", "purpose", "told"),
    [
        pytest.param([case(GOOD)] * 5, "", {"Saturated", "Graduate", "56.6%", "Power warning"}, id="saturated"),
        pytest.param([case(GOOD)] * 2, "", {"Power warning"}, id="two-cases-show-nothing"),
        pytest.param([case(GOOD)] * 5, "regression", {"Power warning"}, id="as-it-should-be"),
        pytest.param(
            [case(GOOD), case(BAD, name="it")], "regression", {"triage: 'it'", "Power warning"}, id="regressed"
        ),
        pytest.param([case(GOOD)] * 199 + [case(BAD)], "", set(), id="enough"),
    ],
)
def test_notices(cases: list[CaseResult], purpose: str, told: set[str], capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(EvalReport("s", cases, purpose=purpose), capsys)
    known = {"Saturated", "Graduate", "56.6%", "triage: 'it'", "Power warning"}
    assert {words for words in known if words in said} == told


def test_a_name_is_text_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "[/red]\x1b[31m\ud800"
    said = printed(EvalReport("s", [repeated(hostile, 1, 2)] * 7), capsys)
    assert "\x1b" not in said
    assert "and 2 more" in said


def test_the_console_can_be_captured() -> None:
    with terminal.console.capture() as captured:
        print_report(EvalReport("s", [case(GOOD)]))
    assert "passed" in captured.get()
