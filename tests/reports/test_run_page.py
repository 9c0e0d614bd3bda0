"""A suite's page shows its numbers, its checks and every case."""

from __future__ import annotations

from pathlib import Path

from ringtrue import EvalCase, EvalSuite
from ringtrue.evaluators import ExactMatch, NotEmpty


def answer(question: str) -> str:
    if question == "c":
        raise RuntimeError("<down>")
    return {"a": "yes", "b": "<b>no</b>"}[question]


def test_the_page_tells_everything() -> None:
    cases = [EvalCase(question, expected_output="yes", tags=["t & u"]) for question in "abc"]
    suite = EvalSuite("<s>", model_id="m").add_cases(cases).add_evaluators(NotEmpty(), ExactMatch())
    page = suite.run(answer, verbose=False, store=None).to_html()
    for words in (
        "<h1>&lt;s&gt; (m)</h1>",
        "<td>pass_rate</td><td>50.0 %</td><td>9.5–90.5</td><td>2</td><td>1</td><td>1</td><td>0</td><td>1</td>",
        "&lt;b&gt;no&lt;/b&gt;",
        "error: RuntimeError: &lt;down&gt;",
        "exact_match: failed 0.00, the output is not the expected one",
        "t &amp; u",
        '<tr class="passed">',
        '<tr class="failed">',
        '<tr class="absent">',
    ):
        assert words in page, words


def test_repeats_are_shown() -> None:
    answers = iter(["yes", "no"])
    suite = EvalSuite("s").add_case(EvalCase("q", expected_output="yes")).add_evaluators(ExactMatch())
    page = suite.run(lambda question: next(answers), verbose=False, store=None, runs=2).to_html()
    assert page.index("<td>#1 (repeat 2)</td>") < page.index("<td>#1 (repeat 1)</td>"), "the failure comes first"
    assert "<td>flaky</td><td>1</td>" in page
    assert "<td>pass@2</td><td>100.0 %</td>" in page


def test_a_run_saves_its_page(tmp_path: Path) -> None:
    suite = EvalSuite("\ud800").add_case(EvalCase("q", expected_output="yes")).add_evaluators(ExactMatch())
    report = suite.run(lambda question: "yes", verbose=False, store=None, save_html=tmp_path / "deep" / "page.html")
    page = (tmp_path / "deep" / "page.html").read_text(encoding="utf-8")
    assert page == report.to_html()
    assert "\\ud800" in page
